import type { PlanGraph } from "./graph";

/** Edges that the search for the shortest cycle may look at before it settles for the shortest found so far. */
const SEARCHED_EDGES_MAX = 20_000_000;

/**
 * One shortest cycle of each group of tasks that are all on cycles with one another, self-edges left out.
 *
 * @returns for each such group a cycle as task indices, each with an edge to the next and the last to the first,
 * starting at the earliest task in plan order; groups in plan order too. A true witness always; the shortest one
 * unless a group is so large that the search ends at {@link SEARCHED_EDGES_MAX} edges.
 */
export function shortestCycles(graph: PlanGraph): readonly (readonly number[])[] {
  const { component, members } = stronglyConnected(graph);
  const budget = { edges: SEARCHED_EDGES_MAX };
  return members
    .filter((tasks) => tasks.length > 1)
    .map((tasks) => shortestCycle(graph, component, tasks.sort(byIndex), budget))
    .sort((a, b) => (a[0] as number) - (b[0] as number));
}

const byIndex = (a: number, b: number): number => a - b;

function shortestCycle(
  graph: PlanGraph,
  component: Int32Array,
  tasks: readonly number[],
  budget: { edges: number },
): readonly number[] {
  let best: readonly number[] | undefined;
  const parent = new Map<number, number>();
  for (const start of tasks) {
    if (best !== undefined && (best.length === 2 || budget.edges < 0)) break;
    const found = cycleThrough({ graph, component, start, parent, budget, shorterThan: best?.length });
    if (found !== undefined) best = found;
  }
  return rotateToFirst(best ?? []);
}

interface Search {
  readonly graph: PlanGraph;
  readonly component: Int32Array;
  readonly start: number;
  readonly parent: Map<number, number>;
  readonly budget: { edges: number };
  readonly shorterThan: number | undefined;
}

/** Breadth first within the component from `start` until an edge leads back to it. */
function cycleThrough({ graph, component, start, parent, budget, shorterThan }: Search): readonly number[] | undefined {
  parent.clear();
  let frontier = [start];
  for (let length = 1; frontier.length > 0; length++) {
    if (shorterThan !== undefined && length >= shorterThan) return undefined;
    const next: number[] = [];
    for (const task of frontier) {
      const end = graph.successorOffsets[task + 1] as number;
      for (let at = graph.successorOffsets[task] as number; at < end; at++) {
        const successor = graph.successors[at] as number;
        budget.edges--;
        if (successor === start && task !== start) return pathTo(task, start, parent);
        if (successor === start || parent.has(successor) || component[successor] !== component[start]) continue;
        parent.set(successor, task);
        next.push(successor);
      }
    }
    frontier = next;
  }
  return undefined;
}

function pathTo(task: number, start: number, parent: ReadonlyMap<number, number>): readonly number[] {
  const path = [task];
  for (let at = task; at !== start; ) {
    at = parent.get(at) as number;
    path.push(at);
  }
  return path.reverse();
}

function rotateToFirst(cycle: readonly number[]): readonly number[] {
  const first = cycle.indexOf(cycle.reduce((least, task) => Math.min(least, task), Number.POSITIVE_INFINITY));
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

/** Strongly connected components (Tarjan 1972), without recursion. */
function stronglyConnected(graph: PlanGraph): { component: Int32Array; members: number[][] } {
  const { size, successorOffsets, successors } = graph;
  const component = new Int32Array(size).fill(-1);
  const visited = new Int32Array(size);
  const low = new Int32Array(size);
  const cursor = successorOffsets.slice(0, size);
  const open: number[] = [];
  const members: number[][] = [];
  let clock = 0;
  for (let root = 0; root < size; root++) {
    if (visited[root] !== 0) continue;
    const walk = [root];
    while (walk.length > 0) {
      const task = walk[walk.length - 1] as number;
      if (visited[task] === 0) {
        visited[task] = ++clock;
        low[task] = clock;
        open.push(task);
      }
      const at = cursor[task] as number;
      if (at < (successorOffsets[task + 1] as number)) {
        cursor[task] = at + 1;
        const successor = successors[at] as number;
        if (visited[successor] === 0) walk.push(successor);
        else if (component[successor] === -1) low[task] = Math.min(low[task] as number, visited[successor] as number);
        continue;
      }
      walk.pop();
      const below = walk[walk.length - 1];
      if (below !== undefined) low[below] = Math.min(low[below] as number, low[task] as number);
      if (low[task] === visited[task]) members.push(close(task, open, component, members.length));
    }
  }
  return { component, members };
}

function close(root: number, open: number[], component: Int32Array, index: number): number[] {
  const tasks: number[] = [];
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    component[task] = index;
    tasks.push(task);
    if (task === root) break;
  }
  return tasks;
}
