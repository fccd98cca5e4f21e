import type { CapabilityRegistry } from "../capability/capability";
import type { Plan, Task } from "./plan";

/** Where a duration comes from, best first; screens show it beside the number. */
export type DurationSource = "actual" | "elapsed" | "history" | "estimate" | "capability" | "default";

/** Seconds assumed for a task nobody knows anything about. */
export const DEFAULT_TASK_SECONDS = 1;

/** Expected seconds per task, in plan order, each with its source. */
export interface Durations {
  readonly seconds: Float64Array;
  readonly sources: readonly DurationSource[];
}

export interface DurationKnowledge {
  readonly registry?: CapabilityRegistry;
  /** Which end of a capability's estimate to take. Default `p50`. */
  readonly quantile?: "p50" | "p95";
  /** Seconds that finished tasks took. */
  readonly actual?: ReadonlyMap<string, number>;
  /** Seconds that running tasks have taken so far. */
  readonly elapsed?: ReadonlyMap<string, number>;
  /** Seconds that this task took in earlier runs. */
  readonly history?: ReadonlyMap<string, number>;
  /** What calls of each capability took in earlier runs, by its name: it stands for the capability's own estimate. */
  readonly capabilityHistory?: ReadonlyMap<string, { readonly p50Seconds: number; readonly p95Seconds: number }>;
}

/**
 * Expected duration of each task: what it took, what it has taken so far if that is more than expected, what it
 * took in earlier runs, the plan's estimate, what its capability took in earlier runs, the capability's estimate, else
 * {@link DEFAULT_TASK_SECONDS}.
 */
export function durationsOf(plan: Pick<Plan, "tasks">, knowledge: DurationKnowledge = {}): Durations {
  const seconds = new Float64Array(plan.tasks.length);
  const sources = new Array<DurationSource>(plan.tasks.length);
  plan.tasks.forEach((task, index) => {
    const [value, source] = durationOf(task, knowledge);
    seconds[index] = value;
    sources[index] = source;
  });
  return { seconds, sources };
}

function durationOf(task: Task, knowledge: DurationKnowledge): [number, DurationSource] {
  const actual = knowledge.actual?.get(task.id);
  if (actual !== undefined) return [actual, "actual"];
  const expected = expectedDuration(task, knowledge);
  const elapsed = knowledge.elapsed?.get(task.id);
  return elapsed !== undefined && elapsed > expected[0] ? [elapsed, "elapsed"] : expected;
}

function expectedDuration(task: Task, knowledge: DurationKnowledge): [number, DurationSource] {
  const { registry, history, quantile } = knowledge;
  const earlier = history?.get(task.id);
  if (earlier !== undefined) return [earlier, "history"];
  if (task.estimate !== undefined) return [task.estimate.seconds, "estimate"];
  const past = knowledge.capabilityHistory?.get(task.capability.split("@", 1)[0] ?? "");
  if (past !== undefined) return [quantile === "p95" ? past.p95Seconds : past.p50Seconds, "history"];
  const estimate = registry?.find(task.capability)?.estimate;
  if (estimate !== undefined) return [quantile === "p95" ? estimate.p95Seconds : estimate.p50Seconds, "capability"];
  return [DEFAULT_TASK_SECONDS, "default"];
}
