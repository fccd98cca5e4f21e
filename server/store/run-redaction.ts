import type { Pool, PoolClient } from "pg";
import { isJsonObject, type JsonObject } from "#kernel/json";
import { REDACTED, redactFields, redactPlan } from "#kernel/run/redact";
import { appendAudit } from "./audit-log";
import { removeDropped } from "./dropped-documents";
import { documentHash } from "./event-codec";
import { EVENT_HASH, logDigest } from "./event-digest";
import { plainText } from "./run-projection";
import { inTransaction } from "./transaction";
import { isTransient } from "./transient";

/** Runs that one pass redacts, each in a transaction of its own: nothing else waits for it. */
const RUNS_PER_PASS = 20;
/** Whoever holds this number is the one worker that redacts now. */
const RETENTION_LOCK = 72_707_370;
/** A run that could not be redacted is left this long, so that those behind it have their turn. */
const FAILED_REST = "1 hour";
const ERROR_CHARACTERS_MAX = 500;

interface DueRun {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  readonly keep_days: number;
}

const DUE = `
  SELECT runs.key::text, runs.id, runs.name, runs.workspace_id, policy.keep_days
  FROM retention_policies AS policy JOIN runs ON runs.workspace_id = policy.workspace_id
  WHERE policy.keep_days IS NOT NULL AND runs.finished_at < now() - policy.keep_days * interval '1 day'
    AND NOT EXISTS (SELECT FROM run_redactions WHERE run_key = runs.key)
    AND NOT EXISTS (SELECT FROM run_holds WHERE run_key = runs.key)
    AND NOT EXISTS (SELECT FROM run_redaction_failures AS failure
                    WHERE failure.run_key = runs.key AND failure.at > now() - interval '${FAILED_REST}')`;

export interface RedactionPass {
  /** Runs that were redacted. */
  readonly runs: number;
  /** There may be others whose time is over. */
  readonly more: boolean;
}

/** Told of each run that could not be redacted; it is tried again later. */
type OnFailed = (problem: unknown, runId: string) => void;

/**
 * Redacts runs whose time is over, a few at a time: events lose arguments, outputs and sentences and keep the hash of
 * what they were, artifacts and documents that nobody else names go. The digest of the log, which the audit holds, stays
 * what it was. Several workers may call this at once; one of them does the work and the others go on with theirs.
 */
export async function redactDueRuns(pool: Pool, onFailed: OnFailed): Promise<RedactionPass> {
  const pass = await withLock(pool, async () => {
    const { rows: due } = await pool.query<DueRun>(`${DUE} ORDER BY runs.finished_at LIMIT ${RUNS_PER_PASS}`);
    let runs = 0;
    for (const run of due) if (await redactOrNote(pool, run, onFailed)) runs += 1;
    await removeDropped(pool);
    return { runs, more: due.length === RUNS_PER_PASS };
  });
  return pass ?? { runs: 0, more: false };
}

/**
 * Undefined: another worker has the lock. It belongs to a connection of its own and not to a transaction: one that
 * stands open for a whole pass would be ended by the server.
 */
async function withLock<Value>(pool: Pool, work: () => Promise<Value>): Promise<Value | undefined> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on("error", onError);
  try {
    const { rows } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [RETENTION_LOCK]);
    if (rows[0]?.mine !== true) return undefined;
    try {
      return await work();
    } finally {
      await client.query("SELECT pg_advisory_unlock($1)", [RETENTION_LOCK]).catch(onError);
    }
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

/** False: it was not redacted. A fault that belongs to this run alone is noted with it and holds up no other. */
async function redactOrNote(pool: Pool, run: DueRun, onFailed: OnFailed): Promise<boolean> {
  try {
    return await redactRun(pool, run);
  } catch (problem) {
    if (isTransient(problem)) throw problem;
    const error = plainText(problem instanceof Error ? problem.message : String(problem));
    await pool.query(
      `INSERT INTO run_redaction_failures AS known (run_key, attempts, error) VALUES ($1, 1, $2)
       ON CONFLICT (run_key) DO UPDATE SET attempts = known.attempts + 1, error = excluded.error, at = now()`,
      [run.key, error.slice(0, ERROR_CHARACTERS_MAX)],
    );
    onFailed(problem, run.id);
    return false;
  }
}

/** False: somebody placed a hold meanwhile. */
function redactRun(pool: Pool, run: DueRun): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query("SELECT FROM runs WHERE key = $1 FOR NO KEY UPDATE", [run.key]);
    const { rowCount: stillDue } = await client.query(`${DUE} AND runs.key = $1`, [run.key]);
    if (stillDue === 0) return false;
    // Noted with what took them out of the log: whatever happens after the commit, they are not forgotten.
    await client.query("INSERT INTO dropped_documents SELECT DISTINCT unnest($1::text[]) ON CONFLICT DO NOTHING", [
      await redactEvents(client, run.key),
    ]);
    await client.query(
      "UPDATE gate_decisions SET reason = NULL WHERE gate_id IN (SELECT id FROM gates WHERE run_key = $1)",
      [run.key],
    );
    await client.query("UPDATE runs SET outcome_reason = $2 WHERE key = $1 AND outcome_reason IS NOT NULL", [
      run.key,
      REDACTED,
    ]);
    const { rowCount: artifacts } = await client.query("DELETE FROM artifacts WHERE run_key = $1", [run.key]);
    await client.query(
      `INSERT INTO run_redactions (run_key, keep_days, events, artifacts)
       SELECT $1, $2, seq, $3 FROM runs WHERE key = $1`,
      [run.key, run.keep_days, artifacts ?? 0],
    );
    await client.query("DELETE FROM run_redaction_failures WHERE run_key = $1", [run.key]);
    await appendAudit(client, {
      workspaceId: run.workspace_id,
      actor: { kind: "system", id: "retention" },
      action: "run.redacted",
      subject: { kind: "run", id: run.id, name: run.name },
      detail: { keepDays: run.keep_days, artifacts: artifacts ?? 0, digest: await digestOfWhatIsLeft(client, run) },
    });
    return true;
  });
}

/** Of the events that the run had when it finished, as they are now: what is left cannot be changed unseen either. */
async function digestOfWhatIsLeft(client: PoolClient, run: DueRun): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(
    `SELECT ${logDigest(EVENT_HASH)} AS digest
     FROM run_events WHERE run_key = $1 AND seq <= coalesce(
       (SELECT (payload::json->'detail'->>'events')::int FROM audit_entries
        WHERE workspace_id = $2 AND subject_id = $3 AND action = 'run.finished' ORDER BY number LIMIT 1), seq)`,
    [run.key, run.workspace_id, run.id],
  );
  return rows[0]?.digest ?? "";
}

interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly payload: string;
}

/** Returns the documents that the events no longer name. */
async function redactEvents(client: PoolClient, runKey: string): Promise<readonly string[]> {
  const { rows } = await client.query<EventRow>(
    "SELECT seq, type::text, payload FROM run_events WHERE run_key = $1 ORDER BY seq",
    [runKey],
  );
  const { rows: clock } = await client.query<{ now: string }>("SELECT (extract(epoch FROM now()) * 1000)::text AS now");
  const dropped: string[] = [];
  const payloads: string[] = [];
  for (const { type, payload } of rows) {
    const fields = redactFields(JSON.parse(payload) as JsonObject);
    const planRef = fields.planRef;
    const redacted: JsonObject = {
      ...fields,
      ...(type === "run_created" ? { redactedAt: Number(clock[0]?.now) } : {}),
      ...(typeof planRef === "string" ? { planRef: await redactDocument(client, planRef) } : {}),
    };
    if (typeof planRef === "string") dropped.push(planRef);
    payloads.push(JSON.stringify(redacted));
  }
  await client.query(
    `UPDATE run_events AS event SET payload = redacted.payload, hash = run_event_hash(event)
     FROM unnest($2::int[], $3::text[]) AS redacted(seq, payload)
     WHERE event.run_key = $1 AND event.seq = redacted.seq`,
    [runKey, rows.map(({ seq }) => seq), payloads],
  );
  return dropped;
}

/** Stores the plan without its values and returns its hash. */
async function redactDocument(client: PoolClient, hash: string): Promise<string> {
  const { rows } = await client.query<{ content: string }>("SELECT content FROM documents WHERE hash = $1", [hash]);
  const plan: unknown = JSON.parse(rows[0]?.content ?? "{}");
  const content = JSON.stringify(isJsonObject(plan) ? redactPlan(plan) : {});
  const redactedHash = documentHash(content);
  await client.query("INSERT INTO documents (hash, content) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    redactedHash,
    content,
  ]);
  return redactedHash;
}
