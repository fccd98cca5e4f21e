import type { PlanGraph } from "./graph";

/**
 * A topological order (Kahn 1962) as task indices, roots in plan order first; undefined where there is a cycle.
 * Deterministic: the same graph gives the same order. O(tasks + edges).
 */
export function topologicalOrder(graph: PlanGraph): Int32Array | undefined {
  const { size, predecessorOffsets, successorOffsets, successors } = graph;
  const open = new Int32Array(size);
  const order = new Int32Array(size);
  let length = 0;
  for (let task = 0; task < size; task++) {
    const count = (predecessorOffsets[task + 1] as number) - (predecessorOffsets[task] as number);
    open[task] = count;
    if (count === 0) order[length++] = task;
  }
  for (let next = 0; next < length; next++) {
    const task = order[next] as number;
    const end = successorOffsets[task + 1] as number;
    for (let at = successorOffsets[task] as number; at < end; at++) {
      const successor = successors[at] as number;
      const left = (open[successor] as number) - 1;
      open[successor] = left;
      if (left === 0) order[length++] = successor;
    }
  }
  return length === size ? order : undefined;
}

/** Ids that must be listed the same way everywhere are compared by code units, never by locale. */
export const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
