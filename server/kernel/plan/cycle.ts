import type { PlanGraph } from "./graph";

/** Edges that the search for shortest cycles may look at before it settles for the shortest found so far. */
const SEARCHED_EDGES_MAX = 5_000_000;

/**
 * One shortest cycle of each group of tasks that are all on cycles with one another, self-edges left out.
 *
 * @returns for each such group a cycle as task indices, each with an edge to the next and the last to the first,
 * starting at the earliest task in plan order; groups in plan order too. A true witness always; the shortest one
 * unless a group is so large that the search ends at {@link SEARCHED_EDGES_MAX} edges.
 */
export function shortestCycles(graph: PlanGraph): readonly (readonly number[])[] {
  const { component, members } = stronglyConnected(graph);
  const search = new CycleSearch(graph, component);
  return members
    .filter((tasks) => tasks.length > 1)
    .map((tasks) => rotateToFirst(search.shortest(tasks.sort((a, b) => a - b))))
    .sort((a, b) => (a[0] as number) - (b[0] as number));
}

function rotateToFirst(cycle: readonly number[]): readonly number[] {
  const first = cycle.indexOf(cycle.reduce((least, task) => Math.min(least, task), Number.POSITIVE_INFINITY));
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

/** Breadth-first searches that share their memory and their budget of edges. */
class CycleSearch {
  readonly #graph: PlanGraph;
  readonly #component: Int32Array;
  /** The task from which each was reached; valid where `#seen` holds the number of this search. */
  readonly #parent: Int32Array;
  readonly #seen: Int32Array;
  readonly #queue: Int32Array;
  #number = 0;
  #edgesLeft = SEARCHED_EDGES_MAX;

  constructor(graph: PlanGraph, component: Int32Array) {
    this.#graph = graph;
    this.#component = component;
    this.#parent = new Int32Array(graph.size);
    this.#seen = new Int32Array(graph.size);
    this.#queue = new Int32Array(graph.size);
  }

  shortest(tasks: readonly number[]): readonly number[] {
    let best: readonly number[] = [];
    for (const start of this.#starts(tasks)) {
      if (best.length === 2 || (best.length > 0 && this.#edgesLeft < 0)) break;
      best = this.#through(start, best.length === 0 ? Number.POSITIVE_INFINITY : best.length) ?? best;
    }
    return best;
  }

  /**
   * A cycle whose tasks are each entered from one task only is the whole group, since nothing else leads in. So every
   * cycle passes a task that is entered from several, or there is one cycle, which passes any task.
   */
  #starts(tasks: readonly number[]): readonly number[] {
    const { predecessorOffsets, predecessors } = this.#graph;
    const joints = tasks.filter((task) => {
      let entered = 0;
      for (let at = predecessorOffsets[task] as number; at < (predecessorOffsets[task + 1] as number); at++) {
        const from = predecessors[at] as number;
        if (from !== task && this.#component[from] === this.#component[task]) entered++;
      }
      return entered > 1;
    });
    return joints.length > 0 ? joints : tasks.slice(0, 1);
  }

  /** The shortest cycle through `start`, if it is shorter than `limit`. */
  #through(start: number, limit: number): readonly number[] | undefined {
    const { successorOffsets, successors } = this.#graph;
    const number = ++this.#number;
    this.#queue[0] = start;
    this.#seen[start] = number;
    let length = 1;
    let tail = 1;
    let levelEnd = 1;
    for (let head = 0; head < tail; head++) {
      if (head === levelEnd) {
        levelEnd = tail;
        length++;
      }
      if (length >= limit) return undefined;
      const task = this.#queue[head] as number;
      const end = successorOffsets[task + 1] as number;
      for (let at = successorOffsets[task] as number; at < end; at++) {
        const successor = successors[at] as number;
        this.#edgesLeft--;
        if (successor === start && task !== start) return this.#path(task, start);
        if (this.#seen[successor] === number || this.#component[successor] !== this.#component[start]) continue;
        this.#seen[successor] = number;
        this.#parent[successor] = task;
        this.#queue[tail++] = successor;
      }
    }
    return undefined;
  }

  #path(task: number, start: number): readonly number[] {
    const path = [task];
    for (let at = task; at !== start; ) {
      at = this.#parent[at] as number;
      path.push(at);
    }
    return path.reverse();
  }
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
