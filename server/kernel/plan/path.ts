import type { PlanGraph } from "./graph";

/**
 * A shortest path from one task to another along the edges, both ends included; undefined where there is none.
 * A task has the path of itself alone. Works on graphs with cycles. O(tasks + edges).
 */
function shortestPath(graph: PlanGraph, from: string, to: string): readonly string[] | undefined {
  const start = graph.indexOf.get(from);
  const target = graph.indexOf.get(to);
  if (start === undefined || target === undefined) return undefined;
  const parent = new Map<number, number>([[start, start]]);
  const queue = [start];
  for (const task of queue) {
    if (task === target) return walkBack(graph, parent, target);
    const end = graph.successorOffsets[task + 1] as number;
    for (let at = graph.successorOffsets[task] as number; at < end; at++) {
      const successor = graph.successors[at] as number;
      if (parent.has(successor)) continue;
      parent.set(successor, task);
      queue.push(successor);
    }
  }
  return undefined;
}

function walkBack(graph: PlanGraph, parent: ReadonlyMap<number, number>, target: number): readonly string[] {
  const path: string[] = [];
  for (let task = target; ; task = parent.get(task) as number) {
    path.push(graph.ids[task] as string);
    if (parent.get(task) === task) return path.reverse();
  }
}

/**
 * The path that would become a cycle if `task` were to wait for `dependsOn`; undefined where the edge is harmless.
 * The canvas asks this while an edge is being drawn.
 */
export const wouldCloseCycle = (graph: PlanGraph, task: string, dependsOn: string): readonly string[] | undefined =>
  shortestPath(graph, task, dependsOn);
