import type { PlanGraph } from "./graph";

/**
 * Which tasks come after which, as one row of bits per task: bit v of row u is set where a path leads from u to v.
 * A task does not reach itself.
 */
export interface Reachability {
  readonly words: number;
  readonly rows: Uint32Array;
}

/**
 * The transitive closure by dynamic programming in reverse order; O(edges × tasks / 32) and tasks² / 8 bytes.
 *
 * @param through tasks that a path may lead into (1); default all.
 */
export function reachabilityOf(graph: PlanGraph, order: Int32Array, through?: Uint8Array): Reachability {
  const { size, successorOffsets, successors } = graph;
  const words = (size + 31) >>> 5;
  const rows = new Uint32Array(words * size);
  for (let next = size - 1; next >= 0; next--) {
    const task = order[next] as number;
    const base = task * words;
    const end = successorOffsets[task + 1] as number;
    for (let at = successorOffsets[task] as number; at < end; at++) {
      const successor = successors[at] as number;
      if (through !== undefined && through[successor] === 0) continue;
      const slot = base + (successor >>> 5);
      const bit = 1 << (successor & 31);
      /** Already reached through an earlier successor, hence with all that it reaches. */
      if (((rows[slot] as number) & bit) !== 0) continue;
      const from = successor * words;
      for (let word = 0; word < words; word++) {
        const bits = rows[from + word] as number;
        if (bits !== 0) rows[base + word] = (rows[base + word] as number) | bits;
      }
      rows[slot] = (rows[slot] as number) | bit;
    }
  }
  return { words, rows };
}

export const reaches = ({ words, rows }: Reachability, from: number, to: number): boolean =>
  ((rows[from * words + (to >>> 5)] as number) & (1 << (to & 31))) !== 0;

/** Up to this many tasks the closure is built (12.5 MB); above, paths are searched one by one within a budget. */
export const CLOSURE_MAX_TASKS = 10_000;

/** Edges that all searches of one plan may look at together, above {@link CLOSURE_MAX_TASKS} tasks. */
const SEARCHED_EDGES_MAX = 5_000_000;

/**
 * Answers "does a path lead from one task to another?" for a graph without cycles; undefined once a plan too large
 * for the closure has used up its search budget.
 */
export class PathFinder {
  readonly #graph: PlanGraph;
  readonly #order: Int32Array;
  #closure: Reachability | undefined;
  #positions: Int32Array | undefined;
  #seen: Int32Array | undefined;
  #search = 0;
  #edgesLeft = SEARCHED_EDGES_MAX;

  constructor(graph: PlanGraph, order: Int32Array) {
    this.#graph = graph;
    this.#order = order;
  }

  /** The closure, where the plan is small enough for it. */
  closure(): Reachability | undefined {
    if (this.#graph.size > CLOSURE_MAX_TASKS) return undefined;
    this.#closure ??= reachabilityOf(this.#graph, this.#order);
    return this.#closure;
  }

  hasPath(from: number, to: number): boolean | undefined {
    const closure = this.closure();
    return closure === undefined ? this.#searchPath(from, to) : reaches(closure, from, to);
  }

  /** True for two tasks of which neither comes after the other. */
  unordered(a: number, b: number): boolean | undefined {
    const forward = this.hasPath(a, b);
    const backward = this.hasPath(b, a);
    if (forward === true || backward === true) return false;
    return forward === undefined || backward === undefined ? undefined : true;
  }

  /** Where each task stands in the topological order. */
  positions(): Int32Array {
    if (this.#positions === undefined) {
      const positions = new Int32Array(this.#graph.size);
      this.#order.forEach((task, position) => {
        positions[task] = position;
      });
      this.#positions = positions;
    }
    return this.#positions;
  }

  /** Depth first, never past the target's place in the order. */
  #searchPath(from: number, to: number): boolean | undefined {
    const { successorOffsets, successors, size } = this.#graph;
    const positions = this.positions();
    const target = positions[to] as number;
    if ((positions[from] as number) >= target) return false;
    this.#seen ??= new Int32Array(size);
    const seen = this.#seen;
    const mark = ++this.#search;
    const stack = [from];
    for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
      const end = successorOffsets[task + 1] as number;
      for (let at = successorOffsets[task] as number; at < end; at++) {
        const successor = successors[at] as number;
        if (successor === to) return true;
        if (--this.#edgesLeft < 0) return undefined;
        if (seen[successor] === mark || (positions[successor] as number) > target) continue;
        seen[successor] = mark;
        stack.push(successor);
      }
    }
    return false;
  }
}
