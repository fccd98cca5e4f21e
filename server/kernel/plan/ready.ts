import type { PlanGraph } from "./graph";

/**
 * Ready(t) = { v : v ∉ done, Pred(v) ⊆ done }, in plan order.
 *
 * Proves that dependencies are complete and nothing more: whether a ready task may run is a question of its holds.
 *
 * @param done ids of finished tasks; names that are not in the graph are ignored.
 */
export function readySet(graph: PlanGraph, done: ReadonlySet<string>): readonly string[] {
  const finished = new Uint8Array(graph.size);
  for (const id of done) {
    const index = graph.indexOf.get(id);
    if (index !== undefined) finished[index] = 1;
  }
  const ready: string[] = [];
  for (let task = 0; task < graph.size; task++) {
    if (finished[task] === 0 && everyPredecessor(graph, task, finished)) ready.push(graph.ids[task] as string);
  }
  return ready;
}

function everyPredecessor(graph: PlanGraph, task: number, finished: Uint8Array): boolean {
  const end = graph.predecessorOffsets[task + 1] as number;
  for (let at = graph.predecessorOffsets[task] as number; at < end; at++) {
    if (finished[graph.predecessors[at] as number] === 0) return false;
  }
  return true;
}
