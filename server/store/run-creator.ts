import type { Pool, PoolClient } from "pg";
import type { NewRunEvent, RunEventOf } from "#kernel/run/event";
import { storeDocuments } from "./append-statement";
import { type EncodedEvent, encodeEvent } from "./event-codec";
import { GroupCommit } from "./group-commit";
import { encodeNews } from "./run-news";
import { plainText, projectRun } from "./run-projection";
import { inTransaction } from "./transaction";

export interface NewRun {
  readonly workspaceId: string;
  readonly planId?: string | undefined;
  /** `run_created` first; the rest follows it in the same transaction. */
  readonly events: readonly [Omit<RunEventOf<"run_created">, "seq">, ...NewRunEvent[]];
}

/** Run numbers, runs, events and jobs of a batch; each run's job is added beside its row, so neither exists alone. */
const CREATE = `
WITH request AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::int[], $8::text[],
                       $9::text[], $10::text[], $11::float8[], $12::run_status[], $13::int[], $14::int[])
    AS request(id, workspace_id, number, name, plan_id, plan_version_id, plan_version_number, imported_from,
               started_by_id, started_by_name, created_at, status, tasks_total, seq)
), job AS MATERIALIZED (
  SELECT job.id, job.payload->>'runId' AS run_id FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW('drive_run', json_build_object('runId', request.id), NULL, NULL, 1000, NULL, NULL, NULL)
      ::graphile_worker.job_spec
    FROM request)) AS job
), run AS (
  INSERT INTO runs (id, workspace_id, number, name, plan_id, plan_version_id, plan_version_number, imported_from,
                    started_by_id, started_by_name, created_at, status, tasks_total, seq, job_id)
  SELECT request.id, workspace_id, number, name, plan_id, plan_version_id, plan_version_number, imported_from,
         started_by_id, started_by_name, to_timestamp(created_at / 1000), coalesce(status, 'created'), tasks_total,
         seq, job.id
  FROM request JOIN job ON job.run_id = request.id
  RETURNING key, id
)
INSERT INTO run_events (run_key, seq, at, type, task_id, payload)
SELECT run.key, event.seq, event.at, event.type, event.task_id, event.payload
FROM unnest($15::text[], $16::int[], $17::float8[], $18::run_event_type[], $19::text[], $20::text[])
  AS event(run_id, seq, at, type, task_id, payload)
JOIN run ON run.id = event.run_id`;

/** Creates runs: first events and job in one transaction. Creations that arrive together share it. */
export class RunCreator {
  readonly #pool: Pool;
  readonly #queue: GroupCommit<NewRun, undefined>;

  constructor(pool: Pool, signal: AbortSignal) {
    this.#pool = pool;
    this.#queue = new GroupCommit((runs) => this.#create(runs), { weightMax: 100, signal });
  }

  /** Durable, and certain to be driven, once settled. */
  create(run: NewRun): Promise<void> {
    return this.#queue.submit(run);
  }

  async #create(runs: readonly NewRun[]): Promise<readonly undefined[]> {
    await inTransaction(this.#pool, async (client) => {
      // After a lost reply the batch comes again: what is there already was committed whole.
      const fresh = await this.#missing(client, runs);
      if (fresh.length > 0) await insertRuns(client, fresh);
    });
    return runs.map(() => undefined);
  }

  async #missing(client: PoolClient, runs: readonly NewRun[]): Promise<readonly NewRun[]> {
    const known = await client.query<{ id: string }>("SELECT id FROM runs WHERE id = ANY($1::text[])", [
      runs.map((run) => run.events[0].runId),
    ]);
    const ids = new Set(known.rows.map((row) => row.id));
    return runs.filter((run) => !ids.has(run.events[0].runId));
  }
}

async function insertRuns(client: PoolClient, runs: readonly NewRun[]): Promise<void> {
  const numbers = await takeNumbers(client, runs);
  const documents = new Map<string, string>();
  const events = runs.flatMap((run) =>
    run.events.map((event, index) => ({
      runId: run.events[0].runId,
      seq: index + 1,
      encoded: encodeEvent(event, documents),
    })),
  );
  await storeDocuments(client, documents);
  const created = runs.map((run) => run.events[0]);
  const projections = runs.map((run) => projectRun(run.events));
  const column = <Value>(of: (event: EncodedEvent) => Value): Value[] => events.map(({ encoded }) => of(encoded));
  await client.query({
    name: "create_runs",
    text: CREATE,
    values: [
      created.map((event) => event.runId),
      runs.map((run) => run.workspaceId),
      numbers,
      created.map((event) => plainText(event.name)),
      runs.map((run) => run.planId ?? null),
      created.map((event) => event.planVersionId ?? null),
      created.map((event) => event.planVersionNumber ?? null),
      created.map((event) => (event.importedFrom === undefined ? null : plainText(event.importedFrom))),
      created.map((event) => event.startedBy.id),
      created.map((event) => plainText(event.startedBy.name)),
      created.map((event) => event.at),
      projections.map((projection) => projection.status ?? null),
      projections.map((projection) => projection.tasksTotal),
      runs.map((run) => run.events.length),
      events.map((event) => event.runId),
      events.map((event) => event.seq),
      column((event) => event.at),
      column((event) => event.type),
      column((event) => event.taskId ?? null),
      column((event) => event.payload),
    ],
  });
  const news = runs.map((run) => ({
    workspaceId: run.workspaceId,
    runId: run.events[0].runId,
    lastSeq: run.events.length,
    gatesChanged: false,
  }));
  for (const payload of encodeNews(news)) await client.query("SELECT pg_notify('run_events', $1)", [payload]);
}

/** The next numbers of each run's workspace, in the order of `runs`. Workspaces are locked in order of their ids. */
async function takeNumbers(client: PoolClient, runs: readonly NewRun[]): Promise<readonly number[]> {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(run.workspaceId, (counts.get(run.workspaceId) ?? 0) + 1);
  const next = new Map<string, number>();
  for (const [workspaceId, count] of [...counts].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const result = await client.query<{ last_number: number }>(
      `INSERT INTO run_counters (workspace_id, last_number) VALUES ($1, $2)
       ON CONFLICT (workspace_id) DO UPDATE SET last_number = run_counters.last_number + $2
       RETURNING last_number`,
      [workspaceId, count],
    );
    next.set(workspaceId, (result.rows[0]?.last_number ?? 0) - count + 1);
  }
  return runs.map((run) => {
    const number = next.get(run.workspaceId) ?? 1;
    next.set(run.workspaceId, number + 1);
    return number;
  });
}
