import type { Pool, PoolClient } from "pg";
import { bucketSql } from "./duration-buckets";
import { readableJson } from "./readable-json";
import { inTransaction } from "./transaction";

const PAYLOAD = readableJson("event.payload");
const DOCUMENT = readableJson("document.content");

/** Runs counted in one transaction. */
const RUNS_MAX = 300;
/** A run is looked at once it is this old: by then every run with a smaller key has committed. */
const SETTLED_SECONDS = 10;

export interface CountOptions {
  /** Default {@link SETTLED_SECONDS}. */
  readonly settledSeconds?: number;
}

/**
 * Counts the calls of runs that have finished since it was last asked, each run once, whoever asks and however often.
 * Runs are passed in the order of their keys; those still unfinished are remembered and looked at again.
 *
 * @returns runs counted; asks again while there may be more.
 */
export async function countHistory(pool: Pool, options: CountOptions = {}): Promise<number> {
  let counted = 0;
  for (;;) {
    const { finished, more } = await inTransaction(pool, (client) => countSome(client, options));
    counted += finished;
    if (!more) return counted;
  }
}

async function countSome(client: PoolClient, options: CountOptions): Promise<{ finished: number; more: boolean }> {
  const progress = await client.query<{ through: string }>(
    "SELECT through::text FROM history_progress FOR UPDATE SKIP LOCKED",
  );
  const through = progress.rows[0]?.through;
  // Somebody else is counting.
  if (through === undefined) return { finished: 0, more: false };
  const fresh = await client.query<{ key: string; finished: boolean }>(
    `SELECT key::text, finished_at IS NOT NULL AS finished FROM runs
     WHERE key > $1 AND key < coalesce(
       (SELECT min(key) FROM runs WHERE key > $1 AND created_at > now() - make_interval(secs => $2)), 9223372036854775807)
     ORDER BY runs.key LIMIT ${RUNS_MAX}`,
    [through, options.settledSeconds ?? SETTLED_SECONDS],
  );
  const late = await client.query<{ key: string }>(
    `DELETE FROM history_pending WHERE run_key IN (
       SELECT run_key FROM history_pending JOIN runs ON runs.key = run_key AND runs.finished_at IS NOT NULL
       LIMIT ${RUNS_MAX}) RETURNING run_key::text AS key`,
  );
  const unfinished = fresh.rows.filter((run) => !run.finished).map((run) => run.key);
  const finished = [...late.rows, ...fresh.rows.filter((run) => run.finished)].map((run) => run.key);
  const last = fresh.rows.at(-1);
  if (last !== undefined) {
    await client.query("INSERT INTO history_pending SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING", [unfinished]);
    await client.query("UPDATE history_progress SET through = $1", [last.key]);
  }
  if (finished.length > 0) {
    await client.query(COUNT, [finished]);
  }
  return { finished: finished.length, more: fresh.rows.length === RUNS_MAX || late.rows.length === RUNS_MAX };
}

/**
 * The calls of runs: what each task named when it was called, in the newest plan until then that has it, and what came
 * back. A bare name meant the newest version that the run had pinned by then; a revision says only what it adds. An
 * answer that said "not yet" is a call that went well. Questions to people, the sums of a fan-out and calls that were
 * never made are none, nor is a result that another run made, and a trace from elsewhere says nothing of our
 * capabilities.
 */
const CALLS = `
run AS (
  SELECT key, workspace_id, plan_id FROM runs WHERE key = ANY($1::bigint[]) AND imported_from IS NULL
), in_force AS MATERIALIZED (
  SELECT event.run_key, event.seq, ${PAYLOAD}->>'planRef' AS plan, ${PAYLOAD}->>'capabilitiesRef' AS registry
  FROM run JOIN run_events AS event ON event.run_key = run.key AND event.type IN ('plan_accepted', 'plan_revised')
), planned AS MATERIALIZED (
  SELECT in_force.run_key, in_force.seq, task.value->>'id' AS task_id, task.value->>'capability' AS reference
  FROM in_force JOIN documents AS document ON document.hash = in_force.plan
  CROSS JOIN LATERAL json_array_elements(${DOCUMENT}->'tasks') AS task(value)
  UNION ALL
  SELECT event.run_key, event.seq, ${PAYLOAD}->'task'->>'id', ${PAYLOAD}->'task'->>'capability'
  FROM run JOIN run_events AS event ON event.run_key = run.key AND event.type = 'task_added'
), registered AS MATERIALIZED (
  SELECT registry.hash, capability.value->>'name' AS name, max((capability.value->>'version')::int) AS version
  FROM (SELECT DISTINCT registry AS hash FROM in_force) AS registry
  JOIN documents AS document ON document.hash = registry.hash
  CROSS JOIN LATERAL json_array_elements(${DOCUMENT}) AS capability(value)
  GROUP BY 1, 2
), pinned AS MATERIALIZED (
  SELECT in_force.run_key, in_force.seq, registered.name, registered.version
  FROM in_force JOIN registered ON registered.hash = in_force.registry
), expanded AS MATERIALIZED (
  SELECT event.run_key, event.task_id FROM run JOIN run_events AS event ON event.run_key = run.key
  WHERE event.type = 'task_expanded'
), ended AS MATERIALIZED (
  SELECT event.run_key, event.seq, split_part(event.task_id, '[', 1) AS task_id, event.at,
    event.type = 'task_succeeded' AS succeeded,
    CASE WHEN event.type = 'task_succeeded' OR ${PAYLOAD}->'observation'->>'status' = 'ok' THEN 'ok'
         ELSE coalesce(${PAYLOAD}->'observation'->>'errorCategory', 'internal') END AS outcome,
    ${bucketSql(`coalesce((${PAYLOAD}->'observation'->>'latencyMs')::float8, 0)`)} AS bucket
  FROM run JOIN run_events AS event ON event.run_key = run.key
  WHERE event.type IN ('task_succeeded', 'task_failed', 'task_observed', 'outcome_unknown')
    AND ${PAYLOAD}->'observation' IS NOT NULL AND ${PAYLOAD}->>'carriedFrom' IS NULL
    AND coalesce(${PAYLOAD}->>'attempt', '1') <> '0'
    AND NOT EXISTS (SELECT FROM expanded WHERE expanded.run_key = event.run_key AND expanded.task_id = event.task_id)
), named AS MATERIALIZED (
  SELECT DISTINCT ON (ended.run_key, ended.seq) ended.*, planned.reference
  FROM ended JOIN planned ON planned.run_key = ended.run_key AND planned.task_id = ended.task_id
  WHERE planned.seq < ended.seq
  ORDER BY ended.run_key, ended.seq, planned.seq DESC
), newest AS MATERIALIZED (
  SELECT named.run_key, named.seq, max(pinned.version) AS version
  FROM named JOIN pinned ON pinned.run_key = named.run_key AND pinned.name = named.reference
  WHERE pinned.seq < named.seq GROUP BY 1, 2
), call AS MATERIALIZED (
  SELECT run.workspace_id, run.plan_id, named.task_id, split_part(named.reference, '@', 1) AS name,
    coalesce(newest.version, nullif(split_part(named.reference, '@', 2), '')::int) AS version,
    named.at, named.succeeded, named.outcome, named.bucket
  FROM named JOIN run ON run.key = named.run_key
  LEFT JOIN newest ON newest.run_key = named.run_key AND newest.seq = named.seq
  WHERE split_part(named.reference, '@', 1) <> 'human.ask'
)`;

const COUNT = `WITH ${CALLS}, by_capability AS (
  INSERT INTO capability_history AS known (workspace_id, name, version, outcome, bucket, calls, last_at)
  SELECT workspace_id, name, version, outcome, bucket, count(*), to_timestamp(max(at) / 1000) FROM call
  WHERE version IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, name, version, outcome, bucket) DO UPDATE SET
    calls = known.calls + excluded.calls, last_at = greatest(known.last_at, excluded.last_at)
)
INSERT INTO task_history AS known (plan_id, task_id, bucket, calls)
SELECT plan_id, task_id, bucket, count(*) FROM call
WHERE succeeded AND version IS NOT NULL AND plan_id IS NOT NULL
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
ON CONFLICT (plan_id, task_id, bucket) DO UPDATE SET calls = known.calls + excluded.calls`;
