import { type PlanGraph, predecessorsOf, successorsOf } from "../plan/graph";
import { topologicalOrder } from "../plan/order";
import type { RunState } from "../run/state";
import { isTerminal } from "../run/status";
import { remainingMs, taskDuration } from "./duration";

/** When a task that has not ended may run, if nothing but its parents (and a known backoff) holds it. */
export interface Forecast {
  readonly from: number;
  readonly to: number;
}

export interface Outlook {
  /**
   * No schedule can be shorter: the longest path by the durations known at that moment, and with `maxParallel` N
   * at least work / N. Milliseconds.
   */
  readonly lowerBoundMs: number;
  /** Sum of all durations known at that moment, milliseconds. */
  readonly workMs: number;
  /** When the run ends if every hold lifts now. */
  readonly finishAt: number;
  readonly forecasts: ReadonlyMap<string, Forecast>;
  /** The longest chain of what remains, first to last; empty once nothing remains. */
  readonly remainingPath: readonly string[];
  /** `remainingPath` with the longest finished chain that leads to it; the longest path when nothing remains. */
  readonly criticalPath: readonly string[];
}

const orders = new WeakMap<PlanGraph, Int32Array>();

/** Tasks so that parents come first, kept for each graph since a graph is never changed in place. */
export function orderOf(graph: PlanGraph): Int32Array {
  const known = orders.get(graph);
  if (known !== undefined) return known;
  const order = topologicalOrder(graph) ?? new Int32Array(0);
  orders.set(graph, order);
  return order;
}

/**
 * What the durations known at `now` say about the rest of the run, by the critical path method
 * (Kelley & Walker 1959). O(tasks + edges).
 */
export function outlookOf(state: RunState, now: number): Outlook {
  const graph = state.graph;
  const start = state.createdAt ?? now;
  if (graph === undefined || graph.size === 0) {
    const finishAt = state.finishedAt ?? now;
    return { lowerBoundMs: 0, workMs: 0, finishAt, forecasts: new Map(), remainingPath: [], criticalPath: [] };
  }
  const order = orderOf(graph);
  const paths = new Float64Array(graph.size);
  const via = new Int32Array(graph.size).fill(-1);
  const finish = new Float64Array(graph.size);
  const finishVia = new Int32Array(graph.size).fill(-1);
  const forecasts = new Map<string, Forecast>();
  let longest = -1;
  let last = -1;
  let workMs = 0;
  for (const index of order) {
    const id = graph.ids[index] as string;
    const task = state.tasks.get(id);
    if (task === undefined) continue;
    const done = isTerminal(task.status);
    let before = 0;
    let from = Math.max(now, task.notBefore ?? now);
    for (const parent of predecessorsOf(graph, index)) {
      const length = paths[parent] as number;
      if (via[index] === -1 || length > before) via[index] = parent;
      before = Math.max(before, length);
      const parentEnd = finish[parent] as number;
      if (parentEnd > from) {
        from = parentEnd;
        finishVia[index] = parent;
      }
    }
    const duration = taskDuration(state, task, now).ms;
    workMs += duration;
    paths[index] = before + duration;
    if (longest === -1 || (paths[index] as number) > (paths[longest] as number)) longest = index;
    if (done) continue;
    const to = from + remainingMs(state, task, now);
    finish[index] = to;
    forecasts.set(id, { from, to });
    if (last === -1 || to > (finish[last] as number)) last = index;
  }
  const parallel = state.plan?.maxParallel;
  const lowerBoundMs = Math.max(
    longest === -1 ? 0 : (paths[longest] as number),
    parallel === undefined ? 0 : workMs / parallel,
  );
  const remaining = trace(last, (index) => finishVia[index] as number);
  const head = remaining[0];
  const prefix = trace(head === undefined ? longest : head, (index) => via[index] as number);
  const critical = head === undefined ? prefix : [...prefix.slice(0, -1), ...remaining];
  const names = (path: readonly number[]) => path.map((index) => graph.ids[index] as string);
  return {
    lowerBoundMs,
    workMs,
    finishAt: state.finishedAt ?? (last === -1 ? Math.max(now, start) : (finish[last] as number)),
    forecasts,
    remainingPath: names(remaining),
    criticalPath: names(critical),
  };
}

function trace(end: number, parentOf: (index: number) => number): readonly number[] {
  const path: number[] = [];
  for (let index = end; index !== -1; index = parentOf(index)) path.push(index);
  return path.reverse();
}

/** How many tasks that have not ended stand behind `taskId`, however far. O(tasks + edges) at most. */
export function countBehind(state: RunState, taskId: string): number {
  return behind(state, taskId).length;
}

/** The tasks that have not ended and wait, directly or not, for `taskId`; nearest first. */
export function behind(state: RunState, taskId: string): readonly string[] {
  const graph = state.graph;
  const first = graph?.indexOf.get(taskId);
  if (graph === undefined || first === undefined) return [];
  const seen = new Uint8Array(graph.size);
  seen[first] = 1;
  const queue = [first];
  const found: string[] = [];
  for (let at = 0; at < queue.length; at++) {
    for (const next of successorsOf(graph, queue[at] as number)) {
      if (seen[next] === 1) continue;
      seen[next] = 1;
      const id = graph.ids[next] as string;
      const task = state.tasks.get(id);
      if (task === undefined || isTerminal(task.status)) continue;
      found.push(id);
      queue.push(next);
    }
  }
  return found;
}
