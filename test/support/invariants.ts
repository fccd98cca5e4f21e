import type { Pool } from "pg";
import { readableJson } from "../../server/store/readable-json";

/** Each finds rows that must not exist; the name is what holds when it finds none. */
const INVARIANTS = {
  "every unfinished run has a live lease, a due or future job, or waits for a person": `
    SELECT runs.id FROM runs
    WHERE runs.finished_at IS NULL
      AND runs.lease_until IS NULL
      AND NOT EXISTS (SELECT FROM graphile_worker.jobs
                      WHERE jobs.id IN (runs.job_id, runs.wake_job_id) AND jobs.attempts < jobs.max_attempts)
      AND NOT EXISTS (SELECT FROM gates WHERE gates.run_key = runs.key AND gates.status IN ('open', 'approved'))
      AND runs.status <> 'paused'`,
  "no lease is older than the sweep lets it become": `
    SELECT id FROM runs WHERE finished_at IS NULL AND lease_until < clock_timestamp() - interval '10 s'`,
  "seq is contiguous from 1 and ends where the run's row says": `
    SELECT runs.id FROM runs LEFT JOIN run_events AS event ON event.run_key = runs.key
    GROUP BY runs.key HAVING count(event.seq) <> runs.seq OR coalesce(max(event.seq), 0) <> runs.seq
                          OR coalesce(min(event.seq), 1) <> 1`,
  "a task ends once, and once more for each time that a person had it tried again": `
    SELECT run_key, task_id FROM run_events AS ending
    WHERE type IN ('task_succeeded', 'task_failed', 'task_cancelled', 'task_skipped', 'task_stopped')
    GROUP BY run_key, task_id
    HAVING count(*) > 1 + (SELECT count(*) FROM run_events AS retry,
                             json_array_elements(retry.payload::json->'reopened') AS reopened
                           WHERE retry.run_key = ending.run_key AND retry.type = 'task_retried'
                             AND reopened->>'taskId' = ending.task_id)`,
  "an attempt has one recorded result": `
    SELECT run_key, task_id, payload::json->>'attempt' FROM run_events
    WHERE type IN ('task_succeeded', 'task_observed', 'outcome_unknown')
      AND payload::json->>'late' IS DISTINCT FROM 'true'
    GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  "a run ends once, and only late observations come after its end": `
    SELECT ending.run_key FROM run_events AS ending JOIN run_events AS later USING (run_key)
    WHERE ending.type = 'run_finished' AND later.seq > ending.seq AND later.type <> 'task_observed'`,
  "a run's row says finished if and only if its log does": `
    SELECT runs.id FROM runs
    WHERE (runs.finished_at IS NOT NULL) <> EXISTS (
      SELECT FROM run_events WHERE run_key = runs.key AND type = 'run_finished')
      OR (runs.status = 'finished') <> (runs.finished_at IS NOT NULL)`,
  "nothing is dispatched after a cancellation or the end": `
    SELECT stop.run_key FROM run_events AS stop JOIN run_events AS later USING (run_key)
    WHERE stop.type IN ('run_cancelled', 'run_finished') AND later.seq > stop.seq
      AND later.type IN ('task_dispatched', 'task_started', 'approval_requested')`,
  "nothing of a task begins after it has succeeded, failed or been called off": `
    SELECT ending.run_key, ending.task_id FROM run_events AS ending JOIN run_events AS later USING (run_key, task_id)
    WHERE ending.type IN ('task_succeeded', 'task_cancelled', 'task_skipped', 'task_stopped')
      AND later.seq > ending.seq AND later.type IN ('task_dispatched', 'task_started', 'task_retry_scheduled')`,
  "nobody signs a gate that is closed": `
    SELECT closing.run_key, closing.seq FROM run_events AS closing JOIN run_events AS later USING (run_key)
    WHERE (closing.type = 'approval_expired'
           OR closing.type = 'approval_decided' AND closing.payload::json->>'decision' <> 'approve')
      AND later.type = 'approval_decided' AND later.seq > closing.seq
      AND later.payload::json->>'gateId' = closing.payload::json->>'gateId'`,
  "nobody signs one gate twice": `
    SELECT run_key, payload::json->>'gateId' FROM run_events WHERE type = 'approval_decided'
    GROUP BY run_key, payload::json->>'gateId', payload::json->'by'->>'id' HAVING count(*) > 1`,
  "a gate lets one call through": `
    SELECT run_key, payload::json->>'gateId' FROM run_events
    WHERE type = 'task_dispatched' AND payload::json->>'gateId' IS NOT NULL
    GROUP BY run_key, payload::json->>'gateId', payload::json->>'attempt' HAVING count(*) > 1`,
  "the audit is one chain for each workspace, and its head is its end": `
    SELECT entry.workspace_id, entry.number FROM audit_entries AS entry
    LEFT JOIN audit_entries AS before ON before.workspace_id = entry.workspace_id AND before.number = entry.number - 1
    WHERE entry.number > 1 AND before.hash IS DISTINCT FROM entry.previous_hash
    UNION ALL
    SELECT head.workspace_id, head.number FROM audit_heads AS head
    LEFT JOIN audit_entries AS last ON last.workspace_id = head.workspace_id AND last.number = head.number
    WHERE head.number > 0 AND last.hash IS DISTINCT FROM head.hash
       OR EXISTS (SELECT FROM audit_entries WHERE workspace_id = head.workspace_id AND number > head.number)`,
  "a finished run is in the audit once, with the digest of its log as it was": `
    SELECT runs.id FROM runs
    LEFT JOIN audit_entries AS entry ON entry.workspace_id = runs.workspace_id AND entry.subject_id = runs.id
      AND entry.action = 'run.finished'
    WHERE runs.finished_at IS NOT NULL
    GROUP BY runs.key HAVING count(entry.number) <> 1
      OR runs.seq = max((entry.payload::json->'detail'->>'events')::int)
         AND run_log_digest(runs.key) <> max(entry.payload::json->'detail'->>'digest')`,
  "no open gate outlives its run": `
    SELECT gates.id FROM gates JOIN runs ON runs.key = gates.run_key
    WHERE runs.finished_at IS NOT NULL AND gates.status = 'open'`,
  "a gate's row counts what its log says": `
    SELECT gates.id FROM gates
    WHERE gates.approvals <> (SELECT count(*) FROM gate_decisions
                              WHERE gate_id = gates.id AND decision = 'approve')`,
  "the counts of a run's row are those of its log": `
    SELECT runs.id FROM runs JOIN run_events AS event ON event.run_key = runs.key
    GROUP BY runs.key
    HAVING runs.tasks_succeeded <> count(*) FILTER (WHERE type = 'task_succeeded' OR
             type = 'outcome_reconciled' AND payload::json->>'resolution' = 'succeeded')
        OR runs.tasks_failed <> count(*) FILTER (WHERE type = 'task_failed' OR
             type = 'outcome_reconciled' AND payload::json->>'resolution' = 'failed')
             - coalesce((SELECT count(*) FROM run_events AS retry,
                           json_array_elements(retry.payload::json->'reopened') AS reopened
                         WHERE retry.run_key = runs.key AND retry.type = 'task_retried'
                           AND reopened->>'was' = 'failed'), 0)`,
  "every document that an event names is there": `
    SELECT event.run_key, event.seq FROM run_events AS event
    WHERE (type IN ('plan_accepted', 'plan_revised') OR payload::json->>'planRef' IS NOT NULL)
      AND NOT (SELECT count(*) = 2 FROM documents
               WHERE hash IN (payload::json->>'planRef', payload::json->>'capabilitiesRef'))`,
} as const satisfies Readonly<Record<string, string>>;

/** Outputs hold characters that Postgres has none for, and one of them must not end the search. */
const readable = (query: string): string =>
  query.replaceAll(/\b((?:\w+\.)?payload)::json\b/g, (_, column: string) => readableJson(column));

export type Invariant = keyof typeof INVARIANTS;

/** The invariants that do not hold, each with what breaks it. Looked for after every test file that has a database. */
export async function findBroken(pool: Pool): Promise<ReadonlyMap<Invariant, string>> {
  const broken = new Map<Invariant, string>();
  for (const [name, query] of Object.entries(INVARIANTS) as [Invariant, string][]) {
    const { rows } = await pool.query(readable(query));
    if (rows.length > 0) broken.set(name, `${rows.length} broken, such as ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return broken;
}

/** The same in words, for a test that looks in its middle. */
export const brokenInvariants = async (pool: Pool): Promise<readonly string[]> =>
  [...(await findBroken(pool))].map((each) => each.join(": "));
