import { tmpdir } from "node:os";
import path from "node:path";
import { defineBuiltIn, objectSchema } from "#kernel/capability/built-in/define";
import { BUILT_IN_CAPABILITIES } from "#kernel/capability/built-in/registry";
import { type CapabilitySnapshot, snapshotCapability } from "#kernel/capability/capability";
import { personIdSchema } from "#kernel/ids";
import type { Plan } from "#kernel/plan/plan";
import { committed, type Implementation } from "../../../server/capabilities/definition";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { testImplementations } from "../../../server/capabilities/testing";
import { openPool } from "../../../server/pool";
import { RunCreator } from "../../../server/store/run-creator";
import { newRunId } from "../../../server/store/run-id";
import { startWorker } from "../../../server/worker-services";
import { CallTimes } from "./call-times";
import { settleStatistics } from "./settle-statistics";
import type { System } from "./system";
import { type Dag, planOfDag, WORKLOADS } from "./workload";

const CONNECTIONS = 16;

/** Does nothing, but says that it changes something: its start must be durable before the call. */
const benchWrite: Implementation = {
  capability: snapshotCapability(
    defineBuiltIn({
      name: "bench.write",
      title: "Write nothing",
      description: "For measuring the durability barrier.",
      inputSchema: objectSchema({ value: {} }),
      outputSchema: objectSchema({ value: {} }),
      sideEffect: "write",
      idempotency: "key",
      timeoutSeconds: 10,
      estimate: { p50Seconds: 0.001, p95Seconds: 0.001 },
    }),
  ),
  call: ({ value = null }) => committed({ value }, true),
};

/** The product's own worker: real store, controller, engine and executor, with a listener on its calls. */
export async function planwright(url: string): Promise<System> {
  const pool = openPool(url, { connectionsMax: CONNECTIONS });
  let times = new CallTimes();
  // Where the work itself is done, so that checking arguments and outputs counts as ours.
  const timed = (implementation: Implementation): Implementation => ({
    ...implementation,
    async call(callArguments, context) {
      const node = Number(context.taskId.slice(1));
      times.start(context.runId, node);
      const result = await implementation.call(callArguments, context);
      times.end(context.runId, node);
      return result;
    },
  });
  const implementations = [...testImplementations(path.join(tmpdir(), "bench-ledger")), benchWrite];
  const executor = capabilityExecutor(implementations.map(timed));
  // A plan is parsed when it is saved, not when it is started.
  const plans = new Map(
    WORKLOADS.flatMap((workload) => workload.dags.map((dag) => [dag, planOfDag(dag, workload)] as const)),
  );
  const planOf = (dag: Dag): Plan => {
    const plan = plans.get(dag);
    if (plan === undefined) throw new Error("not a graph of a workload");
    return plan;
  };
  const ended = new Map<string, () => void>();
  const worker = await startWorker({
    database: { pool, url },
    executor,
    log: {
      debug: (fields: unknown) => {
        const { runId, end } = fields as { runId?: string; end?: string };
        if (runId !== undefined && end === "finished") ended.get(runId)?.();
      },
      info: () => {},
      warn: console.error,
      error: console.error,
    },
  });
  const creator = new RunCreator(pool, new AbortController().signal);
  const capabilities: CapabilitySnapshot[] = [...BUILT_IN_CAPABILITIES, benchWrite.capability];
  const person = { id: personIdSchema.parse("bench"), name: "bench" };
  return {
    async run(workload) {
      times = new CallTimes();
      const runs = workload.dags.map((dag) => ({ dag, runId: newRunId(), plan: planOf(dag) }));
      const startedAt = performance.now();
      const finished = runs.map(({ runId }) => new Promise<void>((resolve) => ended.set(runId, resolve)));
      await Promise.all(
        runs.map(({ runId, plan }) => {
          const at = Date.now();
          const policy = { budgetBeforeCompletion: false, fourEyes: true };
          return creator.create({
            workspaceId: "bench",
            events: [
              { type: "run_created", at, runId, name: plan.name, startedBy: person, policy },
              { type: "plan_accepted", at, revision: 1, plan, capabilities },
            ],
          });
        }),
      );
      await Promise.all(finished);
      const endedAt = performance.now();
      ended.clear();
      return times.pass(
        { startedAt, endedAt },
        runs.map(({ runId }) => runId),
        workload,
      );
    },
    settle: () => settleStatistics(pool, CONNECTIONS - 1),
    async stop() {
      await worker.stop();
      await pool.end();
    },
  };
}
