import type { CapabilitySnapshot } from "../capability/capability";
import { DEFAULT_TASK_SECONDS, type DurationSource } from "../plan/durations";
import type { Task } from "../plan/plan";
import type { AttemptState, RunState, TaskState } from "../run/state";
import { isTerminal } from "../run/status";

export interface TaskDuration {
  readonly ms: number;
  readonly source: DurationSource;
}

/** When an attempt began to execute: its start where one was seen, else its dispatch. */
export const attemptStart = (attempt: AttemptState): number | undefined => attempt.startedAt ?? attempt.dispatchedAt;

/** Milliseconds an attempt has executed at `now`; 0 while it has not begun. */
export function executedMs(attempt: AttemptState, now: number): number {
  const from = attemptStart(attempt);
  return from === undefined ? 0 : Math.max(0, (attempt.endedAt ?? now) - from);
}

/** What a task is expected to take: the plan's estimate, else the capability's median, else one second. */
export function expectedDuration(task: Task, capability: CapabilitySnapshot | undefined): TaskDuration {
  if (task.estimate !== undefined) return { ms: task.estimate.seconds * 1_000, source: "estimate" };
  if (capability !== undefined) return { ms: capability.estimate.p50Seconds * 1_000, source: "capability" };
  return { ms: DEFAULT_TASK_SECONDS * 1_000, source: "default" };
}

/** The capability a task calls, as the run pinned it. */
export const capabilityOf = (state: RunState, task: Task): CapabilitySnapshot | undefined =>
  state.capabilities.get(task.capability);

/**
 * How long a task takes as known at `now`: its last attempt when it has ended, the longer of elapsed and expected
 * while it runs, the expectation before. A task that ended without a call took no time.
 */
export function taskDuration(state: RunState, task: TaskState, now: number): TaskDuration {
  const last = task.attempts.at(-1);
  if (isTerminal(task.status)) return { ms: last === undefined ? 0 : executedMs(last, now), source: "actual" };
  const expected = expectedDuration(task.task, capabilityOf(state, task.task));
  if (last === undefined || last.endedAt !== undefined) return expected;
  const elapsed = executedMs(last, now);
  return elapsed > expected.ms ? { ms: elapsed, source: "elapsed" } : expected;
}

/** Milliseconds of execution still ahead of a task at `now`; 0 once it has ended. */
export function remainingMs(state: RunState, task: TaskState, now: number): number {
  if (isTerminal(task.status)) return 0;
  const last = task.attempts.at(-1);
  const elapsed = last !== undefined && last.endedAt === undefined ? executedMs(last, now) : 0;
  return Math.max(0, taskDuration(state, task, now).ms - elapsed);
}
