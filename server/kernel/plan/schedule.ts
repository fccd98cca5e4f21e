import { type Durations, durationsOf } from "./durations";
import type { PlanGraph } from "./graph";
import { compareIds, topologicalOrder } from "./order";
import type { Plan } from "./plan";
import { graphOfPlan } from "./plan-graph";
import { largestAntichain } from "./width";

/**
 * Times of every task if each starts as soon as its own parents have ended and workers are never short (critical
 * path method, Kelley & Walker 1959). All in seconds from the start; arrays are over the graph's tasks.
 */
export interface Schedule {
  readonly order: Int32Array;
  readonly seconds: Float64Array;
  readonly earliestStart: Float64Array;
  readonly latestStart: Float64Array;
  /** How much a task can start late without the plan ending late; 0 on every critical path. */
  readonly slack: Float64Array;
  /** Longest path from the start of a task to the end of the plan, the task included. */
  readonly rank: Float64Array;
  /** Longest path by number of tasks before it: 0 for roots. Levels are for reading, never for starting tasks. */
  readonly level: Int32Array;
  /** Sum of all durations: what one worker needs. */
  readonly work: number;
  /** Length of the longest path: no number of workers is faster. */
  readonly lowerBound: number;
  /** One longest path from root to sink, ties broken by id; empty for an empty plan. */
  readonly criticalPath: readonly string[];
}

/** Slack below this share of the lower bound is rounding, since a path's durations add up in another order. */
const ROUNDING = 1e-9;

/**
 * @param seconds duration of each task, >= 0, over the graph's tasks.
 * @param order a topological order of the graph, if the caller has one.
 * @returns undefined where the graph has a cycle. O(tasks + edges).
 */
export function scheduleOf(
  graph: PlanGraph,
  seconds: Float64Array,
  order: Int32Array | undefined = topologicalOrder(graph),
): Schedule | undefined {
  if (order === undefined) return undefined;
  const { size, predecessorOffsets, predecessors, successorOffsets, successors } = graph;
  const earliestStart = new Float64Array(size);
  const rank = new Float64Array(size);
  const level = new Int32Array(size);
  let work = 0;
  for (let next = 0; next < size; next++) {
    const task = order[next] as number;
    let start = 0;
    let depth = 0;
    const end = predecessorOffsets[task + 1] as number;
    for (let at = predecessorOffsets[task] as number; at < end; at++) {
      const parent = predecessors[at] as number;
      const finish = (earliestStart[parent] as number) + (seconds[parent] as number);
      if (finish > start) start = finish;
      const below = (level[parent] as number) + 1;
      if (below > depth) depth = below;
    }
    earliestStart[task] = start;
    level[task] = depth;
    work += seconds[task] as number;
  }
  let lowerBound = 0;
  for (let next = size - 1; next >= 0; next--) {
    const task = order[next] as number;
    let after = 0;
    const end = successorOffsets[task + 1] as number;
    for (let at = successorOffsets[task] as number; at < end; at++) {
      const remaining = rank[successors[at] as number] as number;
      if (remaining > after) after = remaining;
    }
    const remaining = after + (seconds[task] as number);
    rank[task] = remaining;
    if (remaining > lowerBound) lowerBound = remaining;
  }
  const latestStart = new Float64Array(size);
  const slack = new Float64Array(size);
  const rounding = lowerBound * ROUNDING;
  for (let task = 0; task < size; task++) {
    const latest = lowerBound - (rank[task] as number);
    const spare = latest - (earliestStart[task] as number);
    latestStart[task] = latest;
    slack[task] = spare > rounding ? spare : 0;
  }
  const criticalPath = criticalPathOf(graph, rank, lowerBound);
  return { order, seconds, earliestStart, latestStart, slack, rank, level, work, lowerBound, criticalPath };
}

function criticalPathOf(graph: PlanGraph, rank: Float64Array, lowerBound: number): readonly string[] {
  const { size, ids, predecessorOffsets, successorOffsets, successors } = graph;
  const path: string[] = [];
  let current = -1;
  for (let task = 0; task < size; task++) {
    const isRoot = predecessorOffsets[task] === predecessorOffsets[task + 1];
    if (isRoot && rank[task] === lowerBound) current = smallerId(ids, current, task);
  }
  while (current !== -1) {
    path.push(ids[current] as string);
    const end = successorOffsets[current + 1] as number;
    let next = -1;
    let longest = 0;
    for (let at = successorOffsets[current] as number; at < end; at++) {
      const successor = successors[at] as number;
      const remaining = rank[successor] as number;
      if (next === -1 || remaining > longest) {
        next = successor;
        longest = remaining;
      } else if (remaining === longest) {
        next = smallerId(ids, next, successor);
      }
    }
    current = next;
  }
  return path;
}

const smallerId = (ids: readonly string[], a: number, b: number): number =>
  a === -1 || compareIds(ids[b] as string, ids[a] as string) < 0 ? b : a;

/** Ids by level, plan order within; the waves that a level-by-level runner would use. */
export function levelsOf(graph: PlanGraph, level: Int32Array): readonly (readonly string[])[] {
  const levels: string[][] = [];
  for (let task = 0; task < graph.size; task++) {
    const depth = level[task] as number;
    while (levels.length <= depth) levels.push([]);
    levels[depth]?.push(graph.ids[task] as string);
  }
  return levels;
}

/** With N workers nothing ends before max(longest path, work / N). */
export const workerBound = (schedule: Pick<Schedule, "lowerBound" | "work">, workers: number): number =>
  Math.max(schedule.lowerBound, schedule.work / workers);

/** Everything the screens and the command line say about a plan's time and shape. */
export interface Analysis extends Schedule {
  readonly graph: PlanGraph;
  readonly durations: Durations;
  readonly roots: readonly string[];
  readonly sinks: readonly string[];
  readonly levels: readonly (readonly string[])[];
  /** Size of the largest set of tasks that no path orders. */
  readonly width: number;
  /** False: the plan is too large to say, and `width` is its largest level. */
  readonly widthExact: boolean;
  /** One such set. */
  readonly widest: readonly string[];
}

/**
 * Analyses a plan whose graph has no cycle; undefined where it has one.
 *
 * @param durations default: those of the plan alone, see {@link durationsOf}.
 */
export function analyzePlan(
  plan: Pick<Plan, "tasks">,
  durations: Durations = durationsOf(plan),
  graph: PlanGraph = graphOfPlan(plan),
): Analysis | undefined {
  const schedule = scheduleOf(graph, durations.seconds);
  if (schedule === undefined) return undefined;
  const levels = levelsOf(graph, schedule.level);
  const antichain = largestAntichain(graph, schedule.order, levels);
  return {
    ...schedule,
    graph,
    durations,
    roots: tasksWithout(graph, graph.predecessorOffsets),
    sinks: tasksWithout(graph, graph.successorOffsets),
    levels,
    width: antichain.tasks.length,
    widthExact: antichain.exact,
    widest: antichain.tasks,
  };
}

function tasksWithout(graph: PlanGraph, offsets: Int32Array): readonly string[] {
  return graph.ids.filter((_, task) => offsets[task] === offsets[task + 1]);
}
