import type { Pool, PoolClient } from "pg";
import { isJsonObject, type JsonObject } from "#kernel/json";
import { REDACTED, redactFields, redactPlan } from "#kernel/run/redact";
import { appendAudit } from "./audit-log";
import { documentHash } from "./event-codec";
import { inTransaction } from "./transaction";

/** Runs that one pass redacts, each in a transaction of its own: nothing else waits for it. */
const RUNS_PER_PASS = 20;
/** Whoever holds this number is the one worker that redacts now. */
const RETENTION_LOCK = 72_707_370;

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
    AND NOT EXISTS (SELECT FROM run_holds WHERE run_key = runs.key)`;

/**
 * Redacts runs whose time is over, a few at a time: events lose arguments, outputs and sentences and keep the hash of
 * what they were, artifacts and documents that nobody else names go. The digest of the log, which the audit holds, stays
 * what it was. Several workers may call this at once; one of them does the work.
 *
 * @returns how many runs were redacted; as many as a pass takes means that there may be more.
 */
export async function redactDueRuns(pool: Pool): Promise<{ readonly runs: number; readonly more: boolean }> {
  const { rows: due } = await pool.query<DueRun>(`${DUE} ORDER BY runs.finished_at LIMIT ${RUNS_PER_PASS}`);
  let runs = 0;
  for (const run of due) if (await redactRun(pool, run)) runs += 1;
  return { runs, more: due.length === RUNS_PER_PASS && runs > 0 };
}

/** False: somebody placed a hold meanwhile, or another worker was faster. */
async function redactRun(pool: Pool, run: DueRun): Promise<boolean> {
  const dropped = await inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [RETENTION_LOCK]);
    await client.query("SELECT FROM runs WHERE key = $1 FOR NO KEY UPDATE", [run.key]);
    const { rowCount: stillDue } = await client.query(`${DUE} AND runs.key = $1`, [run.key]);
    if (stillDue === 0) return undefined;
    const documents = await redactEvents(client, run.key);
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
    await appendAudit(client, {
      workspaceId: run.workspace_id,
      actor: { kind: "system", id: "retention" },
      action: "run.redacted",
      subject: { kind: "run", id: run.id, name: run.name },
      detail: { keepDays: run.keep_days, artifacts: artifacts ?? 0, digest: await digestOfWhatIsLeft(client, run) },
    });
    return documents;
  });
  if (dropped === undefined) return false;
  await dropDocuments(pool, dropped);
  return true;
}

/** Of the events that the run had when it finished, as they are now: what is left cannot be changed unseen either. */
async function digestOfWhatIsLeft(client: PoolClient, run: DueRun): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(
    `SELECT encode(sha256(coalesce(string_agg(sha256(
              convert_to(seq || ' ' || type || ' ' || coalesce(to_json(task_id)::text, '-') || ' ' || payload, 'UTF8')
              || float8send(at)), ''::bytea ORDER BY seq), ''::bytea)), 'hex') AS digest
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

/** Removes documents that no event names any more. Starts wait for the moment that it takes to be sure. */
async function dropDocuments(pool: Pool, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query("LOCK TABLE documents IN SHARE ROW EXCLUSIVE MODE");
    await client.query(
      `DELETE FROM documents WHERE hash = ANY($1::text[]) AND NOT EXISTS (
         SELECT FROM run_events WHERE type IN ('plan_accepted', 'plan_revised', 'plan_proposed')
           AND payload LIKE '%' || documents.hash || '%')`,
      [hashes],
    );
  });
}
