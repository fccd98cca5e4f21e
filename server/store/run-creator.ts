import type { ClientBase, Pool } from "pg";
import type { NewRunEvent, RunEventOf } from "#kernel/run/event";
import { type EncodedEvent, encodeEvent } from "./event-codec";
import { GroupCommit } from "./group-commit";
import { countRun, limitedWorkspaces, lockCeilings } from "./run-ceilings";
import { encodeNews } from "./run-news";
import { plainText, projectRun } from "./run-projection";
import { inTransaction } from "./transaction";

export interface NewRun {
  readonly workspaceId: string;
  readonly planId?: string | undefined;
  /** `run_created` first; the rest follows it in the same transaction. */
  readonly events: readonly [Omit<RunEventOf<"run_created">, "seq">, ...NewRunEvent[]];
  /** Large outputs of another run that the events name by their new ids. */
  readonly artifacts?: readonly { readonly from: string; readonly id: string }[];
}

/**
 * Numbers, jobs, runs, documents, events and news of a batch in one statement, so that a start is one commit and one
 * round trip. Each run's job is added beside its row: neither exists alone.
 */
const CREATE = `
WITH request AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[],
                       $9::text[], $10::float8[], $11::run_status[], $12::int[], $13::int[], $26::int[]) WITH ORDINALITY
    AS request(id, workspace_id, name, plan_id, plan_version_id, plan_version_number, imported_from, started_by_id,
               started_by_name, created_at, status, tasks_total, seq, tasks_succeeded, place)
), counter AS (
  INSERT INTO run_counters AS counter (workspace_id, last_number)
  SELECT workspace_id, count(*) FROM request GROUP BY workspace_id ORDER BY workspace_id
  ON CONFLICT (workspace_id) DO UPDATE SET last_number = counter.last_number + excluded.last_number
  RETURNING workspace_id, last_number
), numbered AS (
  SELECT request.id, counter.last_number + 1
           - row_number() OVER (PARTITION BY request.workspace_id ORDER BY request.place DESC) AS number
  FROM request JOIN counter USING (workspace_id)
), job AS MATERIALIZED (
  SELECT job.id, job.payload->>'runId' AS run_id FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW('drive_run', json_build_object('runId', request.id), NULL, NULL, 1000, NULL, NULL, NULL)
      ::graphile_worker.job_spec
    FROM request)) AS job
), run AS (
  INSERT INTO runs (id, workspace_id, number, name, plan_id, plan_version_id, plan_version_number, imported_from,
                    started_by_id, started_by_name, created_at, status, tasks_total, tasks_succeeded, seq, job_id)
  SELECT request.id, workspace_id, numbered.number, name, plan_id, plan_version_id, plan_version_number, imported_from,
         started_by_id, started_by_name, to_timestamp(created_at / 1000), coalesce(status, 'created'), tasks_total,
         tasks_succeeded, seq, job.id
  FROM request JOIN job ON job.run_id = request.id JOIN numbered ON numbered.id = request.id
  ORDER BY place
  RETURNING key, id
), document AS (
  INSERT INTO documents (hash, content) SELECT * FROM unnest($14::text[], $15::text[]) ORDER BY 1
  ON CONFLICT DO NOTHING
), event AS (
  INSERT INTO run_events (run_key, seq, at, type, task_id, payload)
  SELECT run.key, event.seq, event.at, event.type, event.task_id, event.payload
  FROM unnest($16::text[], $17::int[], $18::float8[], $19::run_event_type[], $20::text[], $21::text[])
    AS event(run_id, seq, at, type, task_id, payload)
  JOIN run ON run.id = event.run_id
), artifact AS (
  INSERT INTO artifacts (id, run_key, task_id, attempt, bytes, content)
  SELECT carried.id, run.key, known.task_id, known.attempt, known.bytes, known.content
  FROM unnest($23::text[], $24::text[], $25::text[]) AS carried(run_id, from_id, id)
  JOIN run ON run.id = carried.run_id JOIN artifacts AS known ON known.id = carried.from_id
)
SELECT count(pg_notify('run_events', news)) FROM unnest($22::text[]) AS news`;

/** Two runs with one id: the batch is there already, since its reply was lost. */
const isDuplicate = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "23505";

/** What became of a start: the ceiling that forbids it, in words, or undefined where the run is there. */
type StartRefusal = string | undefined;

/**
 * Creates runs: first events and job in one transaction. Creations that arrive together share it, but where a
 * workspace has ceilings: there each is counted in a transaction of its own, so that one that is refused stops no other.
 */
export class RunCreator {
  readonly #pool: Pool;
  readonly #queue: GroupCommit<NewRun, StartRefusal>;

  constructor(pool: Pool, signal: AbortSignal) {
    this.#pool = pool;
    this.#queue = new GroupCommit((runs) => this.#create(runs), { weightMax: 100, signal });
  }

  /** Durable, and certain to be driven, once settled without a refusal. A run that is there already is not refused. */
  create(run: NewRun): Promise<StartRefusal> {
    return this.#queue.submit(run);
  }

  async #create(runs: readonly NewRun[]): Promise<readonly StartRefusal[]> {
    const limited = await limitedWorkspaces(
      this.#pool,
      runs.map((run) => run.workspaceId),
    );
    await this.#createFree(runs.filter((run) => !limited.has(run.workspaceId)));
    const refusals: StartRefusal[] = [];
    for (const run of runs) refusals.push(limited.has(run.workspaceId) ? await this.#createCounted(run) : undefined);
    return refusals;
  }

  async #createFree(runs: readonly NewRun[]): Promise<void> {
    if (runs.length === 0) return;
    try {
      await insertRuns(this.#pool, runs);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const missing = await this.#missing(runs);
      if (missing.length > 0) await insertRuns(this.#pool, missing);
    }
  }

  #createCounted(run: NewRun): Promise<StartRefusal> {
    const [{ runId, startedBy }] = run.events;
    return inTransaction(this.#pool, async (client) => {
      await lockCeilings(client, run.workspaceId);
      const known = await client.query("SELECT FROM runs WHERE id = $1", [runId]);
      if (known.rowCount !== 0) return undefined;
      const refusal = await countRun(client, run.workspaceId, startedBy.id);
      if (refusal === undefined) await insertRuns(client, [run]);
      return refusal;
    });
  }

  async #missing(runs: readonly NewRun[]): Promise<readonly NewRun[]> {
    const known = await this.#pool.query<{ id: string }>("SELECT id FROM runs WHERE id = ANY($1::text[])", [
      runs.map((run) => run.events[0].runId),
    ]);
    const ids = new Set(known.rows.map((row) => row.id));
    return runs.filter((run) => !ids.has(run.events[0].runId));
  }
}

async function insertRuns(client: ClientBase | Pool, unsorted: readonly NewRun[]): Promise<void> {
  // Each run enters its workspace's audit as the statement commits, in the order of insertion: two batches that share
  // workspaces must take the locks of their chains in one order.
  const runs = unsorted.toSorted((left, right) =>
    left.workspaceId < right.workspaceId ? -1 : left.workspaceId > right.workspaceId ? 1 : 0,
  );
  const documents = new Map<string, string>();
  const events = runs.flatMap((run) =>
    run.events.map((event, index) => ({
      runId: run.events[0].runId,
      seq: index + 1,
      encoded: encodeEvent(event, documents),
    })),
  );
  const created = runs.map((run) => run.events[0]);
  const artifacts = runs.flatMap((run) =>
    (run.artifacts ?? []).map((each) => ({ ...each, runId: run.events[0].runId })),
  );
  const projections = runs.map((run) => projectRun(run.events));
  const column = <Value>(of: (event: EncodedEvent) => Value): Value[] => events.map(({ encoded }) => of(encoded));
  const news = runs.map((run) => ({
    workspaceId: run.workspaceId,
    runId: run.events[0].runId,
    lastSeq: run.events.length,
    gatesChanged: false,
  }));
  await client.query({
    name: "create_runs",
    text: CREATE,
    values: [
      created.map((event) => event.runId),
      runs.map((run) => run.workspaceId),
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
      [...documents.keys()],
      [...documents.values()],
      events.map((event) => event.runId),
      events.map((event) => event.seq),
      column((event) => event.at),
      column((event) => event.type),
      column((event) => event.taskId ?? null),
      column((event) => event.payload),
      encodeNews(news),
      artifacts.map(({ runId }) => runId),
      artifacts.map(({ from }) => from),
      artifacts.map(({ id }) => id),
      projections.map((projection) => projection.tasksSucceeded),
    ],
  });
}
