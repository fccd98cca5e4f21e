import { setTimeout as delay } from "node:timers/promises";
import { Logger, run, runMigrations } from "graphile-worker";
import pg from "pg";
import { CallTimes } from "./call-times";
import { settleStatistics } from "./settle-statistics";
import type { System } from "./system";
import type { Workload } from "./workload";

const TABLES = `
CREATE TABLE IF NOT EXISTS dag_tasks (run int, node int, open_parents int, children int[], ms float8,
                                      output text, done_at timestamptz, PRIMARY KEY (run, node))`;

/** Ends a task, opens its children, and queues those that became ready, in one transaction. */
const COMPLETE = `
WITH done AS (
  UPDATE dag_tasks SET done_at = now(), output = $3 WHERE run = $1 AND node = $2 AND done_at IS NULL RETURNING children
), opened AS (
  UPDATE dag_tasks SET open_parents = open_parents - 1
  WHERE run = $1 AND node IN (SELECT unnest(children) FROM done)
  RETURNING node, open_parents
)
SELECT count(graphile_worker.add_job('task', json_build_object('run', $1::int, 'node', node)))
FROM opened WHERE open_parents = 0`;

/** Graphile Worker as people use it for a graph: a job a task, counts of open parents in a table, local queue. */
export async function graphileJobPerTask(url: string): Promise<System> {
  await runMigrations({ connectionString: url });
  const pool = new pg.Pool({ connectionString: url, max: 26 });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  await pool.query(TABLES);
  let current: { left: number; finish: () => void; times: CallTimes; workload: Workload; firstRun: number } | undefined;
  const runner = await run({
    pgPool: pool,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    preset: {
      worker: { concurrentJobs: 16, localQueue: { size: 64 }, completeJobBatchDelay: 0, pollInterval: 1_000 },
    },
    taskList: {
      task: async (payload) => {
        const { run: runNumber, node } = payload as { run: number; node: number };
        const ms = current?.workload.dags[runNumber - current.firstRun]?.durationMs[node] ?? 0;
        current?.times.start(String(runNumber), node);
        if (ms > 0) await delay(ms);
        current?.times.end(String(runNumber), node);
        await pool.query({ name: "complete", text: COMPLETE, values: [runNumber, node, `{"value":${node}}`] });
        if (current !== undefined && --current.left === 0) current.finish();
      },
    },
  });
  let runs = 0;
  return {
    async run(workload) {
      const firstRun = runs;
      runs += workload.dags.length;
      const times = new CallTimes();
      const startedAt = performance.now();
      const left = workload.dags.reduce((sum, dag) => sum + dag.parents.length, 0);
      await new Promise<void>((resolve, reject) => {
        current = { left, finish: resolve, times, workload, firstRun };
        start(pool, workload, firstRun).catch(reject);
      });
      const endedAt = performance.now();
      const names = workload.dags.map((_, index) => String(firstRun + index));
      return times.pass({ startedAt, endedAt }, names, workload);
    },
    settle: () => settleStatistics(pool, 20),
    async stop() {
      await runner.stop();
      await pool.end();
    },
  };
}

async function start(pool: pg.Pool, { dags }: Workload, firstRun: number): Promise<void> {
  const rows = dags.flatMap((dag, index) => {
    const children: number[][] = dag.parents.map(() => []);
    dag.parents.forEach((parents, node) => {
      for (const parent of parents) children[parent]?.push(node);
    });
    return dag.parents.map((parents, node) => ({
      run: firstRun + index,
      node,
      open_parents: parents.length,
      children: children[node],
      ms: dag.durationMs[node],
    }));
  });
  await pool.query(
    `WITH task AS (
       INSERT INTO dag_tasks (run, node, open_parents, children, ms)
       SELECT run, node, open_parents, children, ms
       FROM json_to_recordset($1) AS task(run int, node int, open_parents int, children int[], ms float8)
       RETURNING run, node, open_parents)
     SELECT count(graphile_worker.add_job('task', json_build_object('run', run, 'node', node)))
     FROM task WHERE open_parents = 0`,
    [JSON.stringify(rows)],
  );
}
