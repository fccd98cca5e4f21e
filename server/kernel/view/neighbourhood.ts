import { predecessorsOf, successorsOf } from "../plan/graph";
import type { RunState } from "../run/state";
import type { TaskStatus } from "../run/status";

/** A task near the one in question; `step` is negative before it, positive behind it. */
export interface Neighbour {
  readonly taskId: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly step: number;
}

export interface Neighbourhood {
  readonly tasks: readonly Neighbour[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** Neighbours left out because there were more than the limit. */
  readonly more: number;
}

/** The tasks up to `steps` edges before and behind `taskId`, nearest first, at most `limit` of them, and their edges. */
export function neighbourhoodOf(state: RunState, taskId: string, steps = 2, limit = 40): Neighbourhood {
  const graph = state.graph;
  const centre = graph?.indexOf.get(taskId);
  if (graph === undefined || centre === undefined) return { tasks: [], edges: [], more: 0 };
  const stepOf = new Map<number, number>([[centre, 0]]);
  let more = 0;
  for (const [direction, rows] of [
    [-1, predecessorsOf],
    [1, successorsOf],
  ] as const) {
    let frontier = [centre];
    for (let step = 1; step <= steps; step++) {
      const next: number[] = [];
      for (const at of frontier) {
        for (const near of rows(graph, at)) {
          if (stepOf.has(near)) continue;
          if (stepOf.size >= limit) {
            more++;
            continue;
          }
          stepOf.set(near, direction * step);
          next.push(near);
        }
      }
      frontier = next;
    }
  }
  const tasks: Neighbour[] = [];
  const edges: { from: string; to: string }[] = [];
  for (const [index, step] of stepOf) {
    const id = graph.ids[index] as string;
    const task = state.tasks.get(id);
    if (task === undefined) continue;
    tasks.push({ taskId: id, title: task.task.title ?? id, status: task.status, step });
    for (const parent of predecessorsOf(graph, index)) {
      if (stepOf.has(parent)) edges.push({ from: graph.ids[parent] as string, to: id });
    }
  }
  return { tasks, edges, more };
}
