import type { PlanGraph } from "./graph";

/**
 * Which tasks come after which, as one row of bits per task: bit v of row u is set where a path leads from u to v.
 * A task does not reach itself.
 */
export interface Reachability {
  readonly words: number;
  readonly rows: Uint32Array;
}

/** The transitive closure by dynamic programming in reverse order; O(edges × tasks / 32) and tasks² / 8 bytes. */
export function reachabilityOf(graph: PlanGraph, order: Int32Array): Reachability {
  const { size, successorOffsets, successors } = graph;
  const words = (size + 31) >>> 5;
  const rows = new Uint32Array(words * size);
  for (let next = size - 1; next >= 0; next--) {
    const task = order[next] as number;
    const base = task * words;
    const end = successorOffsets[task + 1] as number;
    for (let at = successorOffsets[task] as number; at < end; at++) {
      const successor = successors[at] as number;
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
