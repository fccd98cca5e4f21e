import type { ClientBase, Pool } from "pg";
import type { NewRunEvent } from "#kernel/run/event";
import { type EncodedEvent, encodeEvent } from "./event-codec";
import { touchesGates } from "./gate-projection";
import type { PlacedEvent } from "./placed-event";
import { encodeNews, type RunNews } from "./run-news";
import { projectRun } from "./run-projection";

/** What one owner wants to append to one run. */
export interface AppendRequest {
  readonly runId: string;
  readonly workspaceId: string;
  readonly runKey: string;
  readonly epoch: number;
  readonly expectedSeq: number;
  readonly events: readonly NewRunEvent[];
}

/**
 * Appends to any number of runs, and extends their leases, in one statement: each run's row moves only where epoch,
 * owner and `seq` are as expected, and events are inserted only beside rows that moved. Every value arrives as one
 * text per column (array literals, or lines), since quoting thousands of JSON texts cost more than the insert.
 */
const APPEND = `
WITH request AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[],
                       $9::run_status[], $10::run_outcome[], $11::text[], $12::float8[])
    AS request(run_key, epoch, expected, added, total, succeeded, failed, omitted, status, outcome, reason, finished_at)
), head AS (
  UPDATE runs SET
    seq = runs.seq + request.added,
    tasks_total = runs.tasks_total + request.total,
    tasks_succeeded = runs.tasks_succeeded + request.succeeded,
    tasks_failed = runs.tasks_failed + request.failed,
    tasks_omitted = runs.tasks_omitted + request.omitted,
    status = coalesce(request.status, runs.status),
    outcome = coalesce(request.outcome, runs.outcome),
    outcome_reason = coalesce(request.reason, runs.outcome_reason),
    finished_at = coalesce(to_timestamp(request.finished_at / 1000), runs.finished_at),
    lease_until = clock_timestamp() + $13::float8 * interval '1 ms'
  FROM request
  WHERE runs.key = request.run_key AND runs.epoch = request.epoch AND runs.seq = request.expected
    AND runs.lease_owner = $14
  RETURNING runs.key
), inserted AS (
  INSERT INTO run_events (run_key, seq, at, type, task_id, payload)
  SELECT event.* FROM unnest($15::bigint[], $16::int[], $17::float8[], $18::run_event_type[],
                             string_to_array($19, ',', ''), string_to_array($20, E'\\n'))
    AS event(run_key, seq, at, type, task_id, payload)
  JOIN head ON head.key = event.run_key
)
SELECT (SELECT array_agg(head.key::text) FROM head) AS moved,
       (SELECT count(pg_notify('run_events', news)) FROM unnest($21::text[]) AS news) AS notices`;

/** A batch of appends, encoded once so that a repeated flush does not pay again. */
export interface AppendBatch {
  readonly values: readonly unknown[];
  readonly documents: ReadonlyMap<string, string>;
  readonly gateEvents: readonly PlacedEvent[];
}

/** Prepares the statement for `requests`; at most one for each run. */
export function encodeAppends(requests: readonly AppendRequest[], owner: string, leaseMs: number): AppendBatch {
  const documents = new Map<string, string>();
  const gateEvents: PlacedEvent[] = [];
  const projections = requests.map((request) => projectRun(request.events));
  const runKeys: string[] = [];
  const seqs: number[] = [];
  const encoded: EncodedEvent[] = [];
  for (const { runKey, expectedSeq, events } of requests) {
    events.forEach((event, index) => {
      const seq = expectedSeq + index + 1;
      runKeys.push(runKey);
      seqs.push(seq);
      encoded.push(encodeEvent(event, documents));
      if (touchesGates(event)) gateEvents.push({ runKey, seq, event });
    });
  }
  return {
    documents,
    gateEvents,
    values: [
      array(requests.map((request) => request.runKey)),
      array(requests.map((request) => request.epoch)),
      array(requests.map((request) => request.expectedSeq)),
      array(requests.map((request) => request.events.length)),
      array(projections.map((projection) => projection.tasksTotal)),
      array(projections.map((projection) => projection.tasksSucceeded)),
      array(projections.map((projection) => projection.tasksFailed)),
      array(projections.map((projection) => projection.tasksOmitted)),
      array(projections.map((projection) => projection.status)),
      array(projections.map((projection) => projection.outcome)),
      projections.map((projection) => projection.outcomeReason ?? null),
      array(projections.map((projection) => projection.finishedAt)),
      leaseMs,
      owner,
      array(runKeys),
      array(seqs),
      array(encoded.map((event) => event.at)),
      array(encoded.map((event) => event.type)),
      encoded.map((event) => event.taskId ?? "").join(","),
      encoded.map((event) => event.payload).join("\n"),
      encodeNews(requests.map(newsOf)),
    ],
  };
}

/** Runs the statement and returns the keys of the runs that moved. */
export async function runAppends(client: ClientBase | Pool, batch: AppendBatch): Promise<ReadonlySet<string>> {
  const result = await client.query<{ moved: string[] | null }>({
    name: "append_events",
    text: APPEND,
    values: [...batch.values],
  });
  return new Set(result.rows[0]?.moved ?? []);
}

/** Stores documents that events name by hash; those already there stay. */
export async function storeDocuments(client: ClientBase, documents: ReadonlyMap<string, string>): Promise<void> {
  if (documents.size === 0) return;
  await client.query(
    `INSERT INTO documents (hash, content)
     SELECT * FROM unnest($1::text[], $2::text[]) ORDER BY 1 ON CONFLICT DO NOTHING`,
    [[...documents.keys()], [...documents.values()]],
  );
}

/** An array literal of values that need no quoting: numbers, and words of a closed list. */
const array = (values: readonly (string | number | undefined)[]): string =>
  `{${values.map((value) => value ?? "NULL").join(",")}}`;

const newsOf = ({ runId, workspaceId, expectedSeq, events }: AppendRequest): RunNews => ({
  runId,
  workspaceId,
  lastSeq: expectedSeq + events.length,
  gatesChanged: events.some(touchesGates),
});
