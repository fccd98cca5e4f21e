/**
 * A plan's tasks and edges with ids interned once: tasks are 0..n-1 in plan order, adjacency is in compressed
 * rows (offsets + targets), so that every walk is over typed arrays and linear in tasks + edges.
 */
export interface PlanGraph {
  readonly size: number;
  readonly edgeCount: number;
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Predecessors of task v: `predecessors[predecessorOffsets[v] .. predecessorOffsets[v + 1])`. */
  readonly predecessorOffsets: Int32Array;
  readonly predecessors: Int32Array;
  readonly successorOffsets: Int32Array;
  readonly successors: Int32Array;
}

/**
 * Builds the graph from interned edges.
 *
 * @param ids distinct task ids in plan order.
 * @param from source index per edge. @param to target index per edge; edges are distinct and within range.
 * @param indexOf the ids interned, if the caller has done so.
 * Rows keep the order in which their edges are given.
 */
export function buildGraph(
  ids: readonly string[],
  from: Int32Array,
  to: Int32Array,
  indexOf: ReadonlyMap<string, number> = new Map(ids.map((id, index) => [id, index])),
): PlanGraph {
  const size = ids.length;
  const [predecessorOffsets, predecessors] = rows(size, to, from);
  const [successorOffsets, successors] = rows(size, from, to);
  return {
    size,
    edgeCount: from.length,
    ids,
    indexOf,
    predecessorOffsets,
    predecessors,
    successorOffsets,
    successors,
  };
}

function rows(size: number, keys: Int32Array, values: Int32Array): [Int32Array, Int32Array] {
  const offsets = new Int32Array(size + 1);
  for (let edge = 0; edge < keys.length; edge++) {
    const slot = (keys[edge] as number) + 1;
    offsets[slot] = (offsets[slot] as number) + 1;
  }
  for (let index = 0; index < size; index++) {
    offsets[index + 1] = (offsets[index + 1] as number) + (offsets[index] as number);
  }
  const cursor = offsets.slice(0, size);
  const targets = new Int32Array(keys.length);
  for (let edge = 0; edge < keys.length; edge++) {
    const key = keys[edge] as number;
    const at = cursor[key] as number;
    targets[at] = values[edge] as number;
    cursor[key] = at + 1;
  }
  return [offsets, targets];
}

export const predecessorsOf = (graph: PlanGraph, task: number): Int32Array =>
  graph.predecessors.subarray(graph.predecessorOffsets[task], graph.predecessorOffsets[task + 1]);

export const successorsOf = (graph: PlanGraph, task: number): Int32Array =>
  graph.successors.subarray(graph.successorOffsets[task], graph.successorOffsets[task + 1]);
