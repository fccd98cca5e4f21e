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
 * The calls of runs: what each task named, in the newest plan of its run that has it, and what came back. Questions to
 * people and the sums of a fan-out are no calls, nor is a result that another run made, and a trace from elsewhere says
 * nothing of our capabilities.
 */
const CALLS = `
run AS (
  SELECT key, workspace_id, plan_id FROM runs WHERE key = ANY($1::bigint[]) AND imported_from IS NULL
), planned AS (
  SELECT DISTINCT ON (event.run_key, task.value->>'id')
    event.run_key, task.value->>'id' AS task_id, task.value->>'capability' AS reference,
    ${PAYLOAD}->>'capabilitiesRef' AS registry
  FROM run JOIN run_events AS event ON event.run_key = run.key AND event.type IN ('plan_accepted', 'plan_revised')
  JOIN documents AS document ON document.hash = ${PAYLOAD}->>'planRef'
  CROSS JOIN LATERAL json_array_elements(${DOCUMENT}->'tasks') AS task(value)
  ORDER BY event.run_key, task.value->>'id', event.seq DESC
), pinned AS (
  SELECT registry.hash, capability.value->>'name' AS name, max((capability.value->>'version')::int) AS version
  FROM (SELECT DISTINCT registry AS hash FROM planned) AS registry
  JOIN documents AS document ON document.hash = registry.hash
  CROSS JOIN LATERAL json_array_elements(${DOCUMENT}) AS capability(value)
  GROUP BY 1, 2
), called AS (
  SELECT planned.run_key, planned.task_id, split_part(planned.reference, '@', 1) AS name,
    CASE WHEN strpos(planned.reference, '@') > 0 THEN split_part(planned.reference, '@', 2)::int
         ELSE pinned.version END AS version
  FROM planned LEFT JOIN pinned ON pinned.hash = planned.registry AND pinned.name = planned.reference
), expanded AS (
  SELECT event.run_key, event.task_id FROM run JOIN run_events AS event ON event.run_key = run.key
  WHERE event.type = 'task_expanded'
), ended AS (
  SELECT event.run_key, split_part(event.task_id, '[', 1) AS task_id, event.at, event.type,
    ${PAYLOAD}->'observation' AS observation
  FROM run JOIN run_events AS event ON event.run_key = run.key
  WHERE event.type IN ('task_succeeded', 'task_failed', 'task_observed', 'outcome_unknown')
    AND ${PAYLOAD}->>'carriedFrom' IS NULL
    AND NOT EXISTS (SELECT FROM expanded WHERE expanded.run_key = event.run_key AND expanded.task_id = event.task_id)
), call AS MATERIALIZED (
  SELECT run.workspace_id, run.plan_id, called.task_id, called.name, called.version, ended.at,
    CASE WHEN ended.type = 'task_succeeded' THEN 'ok'
         ELSE coalesce(ended.observation->>'errorCategory', 'internal') END AS outcome,
    ${bucketSql("coalesce((ended.observation->>'latencyMs')::float8, 0)")} AS bucket
  FROM ended JOIN run ON run.key = ended.run_key
  JOIN called ON called.run_key = ended.run_key AND called.task_id = ended.task_id
  WHERE ended.observation IS NOT NULL AND called.name <> 'human.ask' AND called.version IS NOT NULL
)`;

const COUNT = `WITH ${CALLS}, by_capability AS (
  INSERT INTO capability_history AS known (workspace_id, name, version, outcome, bucket, calls, last_at)
  SELECT workspace_id, name, version, outcome, bucket, count(*), to_timestamp(max(at) / 1000) FROM call
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, name, version, outcome, bucket) DO UPDATE SET
    calls = known.calls + excluded.calls, last_at = greatest(known.last_at, excluded.last_at)
)
INSERT INTO task_history AS known (plan_id, task_id, bucket, calls)
SELECT plan_id, task_id, bucket, count(*) FROM call WHERE outcome = 'ok' AND plan_id IS NOT NULL
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
ON CONFLICT (plan_id, task_id, bucket) DO UPDATE SET calls = known.calls + excluded.calls`;
