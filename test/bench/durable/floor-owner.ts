import { setTimeout as delay } from "node:timers/promises";
import { CallTimes } from "./call-times";
import type { Pass } from "./system";
import { type Dag, ranks, type Workload } from "./workload";

/** Makes a finished task durable; settles once it is. */
export type Commit = (run: number, seq: number, payload: string) => Promise<void>;

/**
 * The least that any durable runner must do, in one process: counts of open parents in typed arrays, dispatch by
 * longest remaining path, one row a finished task, dependents start once it is durable. No plan, no schema, no lease,
 * no state beyond the counts.
 */
export async function runFloor(workload: Workload, firstRun: number, commit: Commit): Promise<Pass> {
  const times = new CallTimes();
  const startedAt = performance.now();
  const slots = { free: workload.slots };
  await Promise.all(workload.dags.map((dag, index) => runDag({ dag, run: firstRun + index, slots, times, commit })));
  const endedAt = performance.now();
  const runs = workload.dags.map((_, index) => String(firstRun + index));
  return times.pass({ startedAt, endedAt }, runs, workload);
}

interface DagRun {
  readonly dag: Dag;
  readonly run: number;
  readonly slots: { free: number };
  readonly times: CallTimes;
  readonly commit: Commit;
}

function runDag({ dag, run, slots, times, commit }: DagRun): Promise<void> {
  const size = dag.parents.length;
  const open = Int32Array.from(dag.parents, (parents) => parents.length);
  const children: number[][] = Array.from({ length: size }, () => []);
  dag.parents.forEach((parents, node) => {
    for (const parent of parents) children[parent]?.push(node);
  });
  const rank = ranks(dag);
  const ready = dag.parents.flatMap((parents, node) => (parents.length === 0 ? [node] : []));
  let seq = 0;
  let left = size;
  return new Promise((resolve, reject) => {
    const startReady = (): void => {
      while (ready.length > 0 && slots.free > 0) {
        let best = 0;
        // Equal ranks need no search, which is what a wide wave of equals would otherwise pay for.
        if (rank[ready[0] as number] !== rank[ready[ready.length - 1] as number] || ready.length < 64) {
          for (let index = 1; index < ready.length; index++) {
            if ((rank[ready[index] as number] ?? 0) > (rank[ready[best] as number] ?? 0)) best = index;
          }
        }
        const node = ready[best] as number;
        ready[best] = ready[ready.length - 1] as number;
        ready.pop();
        slots.free--;
        call(node).catch(reject);
      }
    };
    const call = async (node: number): Promise<void> => {
      times.start(String(run), node);
      const ms = dag.durationMs[node] ?? 0;
      if (ms > 0) await delay(ms);
      times.end(String(run), node);
      slots.free++;
      const done = commit(run, ++seq, `{"task":"t${node}","attempt":1,"output":{"value":${node}},"latencyMs":0.01}`);
      startReady();
      await done;
      for (const child of children[node] ?? []) {
        const parents = (open[child] ?? 0) - 1;
        open[child] = parents;
        if (parents === 0) ready.push(child);
      }
      startReady();
      left--;
      if (left === 0) resolve();
    };
    startReady();
  });
}
