import type { Pass, System, SystemName } from "./system";
import { WORKLOADS } from "./workload";

/** What the child tells of one pass beside its times. */
export interface ChildReport extends Pass {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** Loaded when chosen: a system's memory holds no code of another. */
const OPEN: Readonly<Record<SystemName, (url: string) => Promise<System>>> = {
  planwright: async (url) => (await import("./planwright")).planwright(url),
  "group-commit": async (url) => (await import("./floor-group-commit")).groupCommitFloor(url),
  "commit-per-task": async (url) => (await import("./floor-group-commit")).commitPerTaskFloor(url),
  graphile: async (url) => (await import("./graphile-job-per-task")).graphileJobPerTask(url),
  dbos: async (url) => (await import("../peers/dbos")).dbos(url),
  langgraph: async (url) => (await import("../peers/langgraph")).langgraph(url),
};

/** One system in a process of its own, so that memory and processor time are its own too. Driven by messages. */
const [, , name = "", url = ""] = process.argv;
const system = await OPEN[name as SystemName](url);

process.on("message", (request: { readonly workload?: string; readonly settle?: boolean; readonly stop?: boolean }) => {
  void answer(request).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.send?.({ ready: true });

async function answer(request: { readonly workload?: string; readonly settle?: boolean }): Promise<void> {
  if (request.settle === true) {
    await system.settle();
    process.send?.({ settled: true });
    return;
  }
  const workload = WORKLOADS.find((each) => each.name === request.workload);
  if (workload === undefined) {
    await system.stop();
    process.exit(0);
  }
  const cpu = process.cpuUsage();
  const pass = await system.run(workload);
  const used = process.cpuUsage(cpu);
  const report: ChildReport = {
    ...pass,
    cpuMs: (used.user + used.system) / 1000,
    rssBytes: process.memoryUsage.rss(),
  };
  process.send?.(report);
}
