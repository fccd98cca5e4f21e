import { type AuditFault, detailOf } from "../runtime/audit-chain";
import type { AuditRecord } from "../runtime/audit-log";
import type { Queryable } from "./audit-reader";
import { EVENT_HASH, logDigest } from "./event-digest";

/** What the audit says of a run's log. */
interface RunProof {
  readonly number: number;
  readonly runId: string;
  readonly digest: string;
  readonly events: number;
}

const proofOf = (record: AuditRecord): RunProof | undefined => {
  const detail = record.action === "run.finished" ? detailOf(record.payload) : undefined;
  if (typeof detail?.digest !== "string" || typeof detail.events !== "number") return undefined;
  return { number: record.number, runId: record.subjectId, digest: detail.digest, events: detail.events };
};

const CHECK = `
  SELECT proof.number, proof.id, runs.workspace_id AS "workspaceId", log.events, log.digest, log.now, log.redacted,
         (SELECT count(*)::int FROM run_events
           WHERE run_key = runs.key AND seq > proof.events AND type <> 'task_observed') AS strange
    FROM unnest($1::int[], $2::text[], $3::int[]) AS proof(number, id, events)
    LEFT JOIN runs ON runs.id = proof.id
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS events, ${logDigest(`coalesce(hash, ${EVENT_HASH})`)} AS digest, ${logDigest(EVENT_HASH)} AS now,
             count(hash)::int AS redacted
        FROM run_events WHERE run_key = runs.key AND seq <= proof.events
    ) AS log ON true`;

interface CheckedRun {
  readonly number: number;
  readonly id: string;
  readonly workspaceId: string | null;
  readonly events: number;
  readonly digest: string;
  /** Of the log as it is now, where redaction left other payloads. */
  readonly now: string;
  readonly redacted: number;
  readonly strange: number;
}

/** Compares the logs of a workspace's runs with what its audit says of them. */
export class RunProofs {
  readonly #database: Queryable;
  readonly #workspaceId: string;
  /** By run: the digest of what redaction left, as the audit says it. */
  readonly #redactions = new Map<string, string | undefined>();
  readonly #redactedRuns = new Map<string, CheckedRun>();
  checked = 0;

  constructor(database: Queryable, workspaceId: string) {
    this.#database = database;
    this.#workspaceId = workspaceId;
  }

  /** Checks the runs that these entries end. */
  async check(records: readonly AuditRecord[]): Promise<AuditFault[]> {
    for (const { action, subjectId, payload } of records) {
      if (action !== "run.redacted") continue;
      const digest = detailOf(payload)?.digest;
      this.#redactions.set(subjectId, typeof digest === "string" ? digest : undefined);
    }
    const proofs = records.flatMap((record) => proofOf(record) ?? []);
    if (proofs.length === 0) return [];
    const { rows } = await this.#database.query<CheckedRun>(CHECK, [
      proofs.map(({ number }) => number),
      proofs.map(({ runId }) => runId),
      proofs.map(({ events }) => events),
    ]);
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    this.checked += proofs.length;
    return proofs.flatMap((proof) => {
      const message = this.#faultOf(proof, byNumber.get(proof.number));
      return message === undefined ? [] : [{ number: proof.number, kind: "run" as const, message }];
    });
  }

  /** Runs that the audit does not know, or not as finished; and logs that were emptied without a word. */
  async end(): Promise<AuditFault[]> {
    const faults: AuditFault[] = [];
    for (const [runId, { number, now }] of this.#redactedRuns) {
      if (!this.#redactions.has(runId)) {
        faults.push({ number, kind: "run", message: `Run ${runId} was redacted, and no entry says so.` });
      } else if ((this.#redactions.get(runId) ?? now) !== now) {
        faults.push({ number, kind: "run", message: `What redaction left of run ${runId} was changed since.` });
      }
    }
    const { rows } = await this.#database.query<{ id: string; started: boolean }>(
      `SELECT id, started.number IS NOT NULL AS started FROM runs
         LEFT JOIN audit_entries AS started ON started.workspace_id = runs.workspace_id
           AND started.subject_id = runs.id AND started.action = 'run.started'
         LEFT JOIN audit_entries AS finished ON finished.workspace_id = runs.workspace_id
           AND finished.subject_id = runs.id AND finished.action = 'run.finished'
        WHERE runs.workspace_id = $1
          AND (started.number IS NULL OR (finished.number IS NULL AND runs.finished_at IS NOT NULL))
        ORDER BY runs.key LIMIT 100`,
      [this.#workspaceId],
    );
    for (const { id, started } of rows) {
      const what = started ? "has finished" : "is there";
      faults.push({ number: 0, kind: "run", message: `Run ${id} ${what}, and no entry says so.` });
    }
    return faults;
  }

  #faultOf(proof: RunProof, row: CheckedRun | undefined): string | undefined {
    if (row === undefined || row.workspaceId === null) return `Run ${proof.runId} is not there any more.`;
    if (row.workspaceId !== this.#workspaceId) return `Run ${proof.runId} was moved to workspace ${row.workspaceId}.`;
    if (row.events !== proof.events) {
      return `Run ${proof.runId} had ${proof.events} events when it finished; ${row.events} of them are there.`;
    }
    if (row.digest !== proof.digest) return `The log of run ${proof.runId} is not what it was when the run finished.`;
    if (row.strange > 0) return `Run ${proof.runId} has events after its end that cannot come there.`;
    if (row.redacted > 0) this.#redactedRuns.set(proof.runId, row);
    return undefined;
  }
}
