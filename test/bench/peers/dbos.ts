import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { CallSlots } from "../durable/call-slots";
import { CallTimes } from "../durable/call-times";
import { settleStatistics } from "../durable/settle-statistics";
import type { Pass, System } from "../durable/system";
import type { Workload } from "../durable/workload";

const CONNECTIONS = 20;

/**
 * DBOS: a workflow a graph, a step a task. Steps get their numbers in the order in which they are made, and a recovery
 * needs the same order again; so all are made in topological order, and each awaits its parents before it calls.
 */
export async function dbos(url: string): Promise<System> {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  pool.on("error", () => {});
  const current: { pass?: { workload: Workload; times: CallTimes; slots: CallSlots } } = {};
  const silent = (): void => {};
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    logger: { debug: silent, info: silent, warn: silent, error: console.error },
  });
  const runGraph = DBOS.registerWorkflow(
    async (index: number, run: string) => {
      const { pass } = current;
      const dag = pass?.workload.dags[index];
      if (pass === undefined || dag === undefined) throw new Error("no such graph");
      const done: Promise<{ value: number }>[] = [];
      dag.parents.forEach((parents, node) => {
        const step = async (): Promise<{ value: number }> => {
          await Promise.all(parents.map((parent) => done[parent]));
          return pass.slots.hold(async () => {
            pass.times.start(run, node);
            const ms = dag.durationMs[node] ?? 0;
            if (ms > 0) await delay(ms);
            pass.times.end(run, node);
            return { value: node };
          });
        };
        done.push(DBOS.runStep(step, { name: `t${node}` }));
      });
      await Promise.all(done);
    },
    { name: "graph" },
  );
  await DBOS.launch();
  let passes = 0;
  return {
    async run(workload): Promise<Pass> {
      const times = new CallTimes();
      current.pass = { workload, times, slots: new CallSlots(workload.slots) };
      passes++;
      const runs = workload.dags.map((_, index) => `${passes}-${index}`);
      const startedAt = performance.now();
      await Promise.all(
        runs.map(async (run, index) => {
          const handle = await DBOS.startWorkflow(runGraph, { workflowID: run })(index, run);
          await handle.getResult();
        }),
      );
      const endedAt = performance.now();
      return times.pass({ startedAt, endedAt }, runs, workload);
    },
    settle: () => settleStatistics(pool, CONNECTIONS - 1),
    async stop() {
      await DBOS.shutdown();
      await pool.end();
    },
  };
}
