import type { Pool, PoolClient } from "pg";
import type { RunEvent, RunEventOf } from "#kernel/run/event";
import { storeDocuments } from "./append-statement";
import { encodeEvent } from "./event-codec";
import { projectGates, touchesGates } from "./gate-projection";
import { plainText, projectRun } from "./run-projection";
import { inTransaction } from "./transaction";

/**
 * Keeps a finished log that was recorded elsewhere, as a run to replay. Nothing of it is ever executed: it gets no
 * job, and as a finished run no driver takes it.
 *
 * @param events a whole log, `run_created` to `run_finished`; anything else is refused.
 */
export async function keepRecordedRun(pool: Pool, workspaceId: string, events: readonly RunEvent[]): Promise<string> {
  const [created] = events;
  if (created?.type !== "run_created" || events.at(-1)?.type !== "run_finished") {
    throw new Error("A recorded run begins with run_created and ends with run_finished.");
  }
  await inTransaction(pool, async (client) => {
    const documents = new Map<string, string>();
    const encoded = events.map((event) => encodeEvent(event, documents));
    await storeDocuments(client, documents);
    const runKey = await insertRun(client, workspaceId, created, events);
    await client.query(
      `INSERT INTO run_events (run_key, seq, at, type, task_id, payload)
       SELECT $1::bigint, event.* FROM unnest($2::int[], $3::float8[], $4::run_event_type[], $5::text[], $6::text[])
         AS event(seq, at, type, task_id, payload)`,
      [
        runKey,
        events.map(({ seq }) => seq),
        encoded.map(({ at }) => at),
        encoded.map(({ type }) => type),
        encoded.map(({ taskId }) => taskId ?? null),
        encoded.map(({ payload }) => payload),
      ],
    );
    await projectGates(
      client,
      events.filter(touchesGates).map((event) => ({ runKey, seq: event.seq, event })),
    );
  });
  return created.runId;
}

async function insertRun(
  client: PoolClient,
  workspaceId: string,
  created: RunEventOf<"run_created">,
  events: readonly RunEvent[],
): Promise<string> {
  const projection = projectRun(events);
  const { rows } = await client.query<{ key: string }>(
    `WITH counter AS (
       INSERT INTO run_counters (workspace_id, last_number) VALUES ($1, 1)
       ON CONFLICT (workspace_id) DO UPDATE SET last_number = run_counters.last_number + 1 RETURNING last_number
     )
     INSERT INTO runs (id, workspace_id, number, name, imported_from, started_by_id, started_by_name, created_at,
                       status, outcome, outcome_reason, finished_at, tasks_total, tasks_succeeded, tasks_failed,
                       tasks_omitted, seq)
     SELECT $2, $1, last_number, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), 'finished', $8, $9,
            to_timestamp($10::float8 / 1000), $11, $12, $13, $14, $15 FROM counter
     RETURNING key::text`,
    [
      workspaceId,
      created.runId,
      plainText(created.name),
      created.importedFrom ?? null,
      created.startedBy.id,
      plainText(created.startedBy.name),
      created.at,
      projection.outcome,
      projection.outcomeReason,
      projection.finishedAt,
      projection.tasksTotal,
      projection.tasksSucceeded,
      projection.tasksFailed,
      projection.tasksOmitted,
      events.length,
    ],
  );
  const key = rows[0]?.key;
  if (key === undefined) throw new Error("The recorded run was not inserted.");
  return key;
}
