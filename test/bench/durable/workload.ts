import { type Plan, planSchema } from "#kernel/plan/plan";
import { randomOf } from "../../support/random";

/** A task graph that every system under test can run: nodes in topological order, durations in milliseconds. */
export interface Dag {
  readonly parents: readonly (readonly number[])[];
  readonly durationMs: readonly number[];
}

export interface Workload {
  readonly name: "W1" | "W2" | "W2-write" | "W3" | "W4";
  readonly title: string;
  readonly dags: readonly Dag[];
  /** Calls in flight at once. */
  readonly slots: number;
  /** True: the calls change something, so their start must be durable first. */
  readonly writes: boolean;
}

export const taskCount = ({ dags }: Workload): number => dags.reduce((sum, dag) => sum + dag.parents.length, 0);

/** Layers of random width; each task has one to three parents in the layer before its own. */
export function layeredDag(tasks: number, widthMax: number, random: () => number, [least, most] = [0, 0]): Dag {
  const parents: number[][] = [];
  const durationMs: number[] = [];
  let previous: number[] = [];
  while (parents.length < tasks) {
    const width = Math.min(1 + Math.floor(random() * widthMax), tasks - parents.length);
    const layer: number[] = [];
    for (let index = 0; index < width; index++) {
      const wanted = Math.min(previous.length, 1 + Math.floor(random() * 3));
      const chosen = new Set<number>();
      while (chosen.size < wanted) chosen.add(previous[Math.floor(random() * previous.length)] as number);
      layer.push(parents.length);
      parents.push([...chosen]);
      durationMs.push(least + random() * (most - least));
    }
    previous = layer;
  }
  return { parents, durationMs };
}

function fanOutAndIn(width: number): Dag {
  const middle = Array.from({ length: width }, () => [0]);
  const sink = Array.from({ length: width }, (_, index) => index + 1);
  const parents = [[], ...middle, sink];
  return { parents, durationMs: parents.map(() => 0) };
}

const chain = (length: number): Dag => ({
  parents: Array.from({ length }, (_, index) => (index === 0 ? [] : [index - 1])),
  durationMs: Array.from({ length }, () => 0),
});

const random = randomOf(20_261_130);

export const WORKLOADS: readonly Workload[] = [
  { name: "W1", title: "1 → 1,000 no-op → 1", dags: [fanOutAndIn(1_000)], slots: 256, writes: false },
  { name: "W2", title: "chain of 200 no-op", dags: [chain(200)], slots: 256, writes: false },
  { name: "W2-write", title: "chain of 200 no-op that change something", dags: [chain(200)], slots: 256, writes: true },
  {
    name: "W3",
    title: "random layered, 500 tasks of 5–50 ms, 16 at once",
    dags: [layeredDag(500, 60, random, [5, 50])],
    slots: 16,
    writes: false,
  },
  {
    name: "W4",
    title: "100 runs of a 20-task graph at once",
    dags: Array.from({ length: 100 }, () => layeredDag(20, 6, random)),
    slots: 256,
    writes: false,
  },
];

/** Longest path to the end from each node, its own duration included, in milliseconds. */
export function ranks({ parents, durationMs }: Dag): Float64Array {
  const rank = Float64Array.from(durationMs);
  for (let node = parents.length - 1; node >= 0; node--) {
    for (const parent of parents[node] ?? []) {
      rank[parent] = Math.max(rank[parent] ?? 0, (durationMs[parent] ?? 0) + (rank[node] ?? 0));
    }
  }
  return rank;
}

/** No schedule is shorter: the longest path, or the work over the slots. */
export function lowerBoundMs({ dags, slots }: Workload): number {
  const longest = Math.max(...dags.map((dag) => Math.max(...ranks(dag))));
  const work = dags.reduce((sum, dag) => sum + dag.durationMs.reduce((total, ms) => total + ms, 0), 0);
  return Math.max(longest, work / slots);
}

/** The graph as a plan of ours. */
export const planOfDag = (dag: Dag, { name, slots, writes }: Workload): Plan =>
  planSchema.parse({
    format: "planwright/v1",
    name,
    maxParallel: slots,
    tasks: dag.parents.map((parents, node) => ({
      id: `t${node}`,
      capability: writes ? "bench.write" : dag.durationMs[node] === 0 ? "test.echo" : "test.sleep",
      arguments: dag.durationMs[node] === 0 ? { value: node } : { ms: dag.durationMs[node], value: node },
      dependsOn: parents.map((parent) => `t${parent}`),
      estimate: { seconds: (dag.durationMs[node] ?? 0) / 1000 },
    })),
  });
