import type { RunState, TaskState } from "../run/state";
import { isTerminal, type TaskStatus } from "../run/status";
import type { RunHistory } from "./history";
import { type Outlook, outlookOf } from "./outlook";
import { type Waiting, waitingTasks } from "./waiting";

/** Everything a screen shows of a run at one moment. Derived: two frames of one log at one `seq` are equal. */
export interface Frame extends Outlook {
  readonly seq: number;
  /** The moment, epoch milliseconds. */
  readonly at: number;
  /** Fold of the events up to `seq`. Valid until the history is asked for another moment; do not change it. */
  readonly state: RunState;
  readonly startedAt: number;
  readonly elapsedMs: number;
  /** The expected end of the run minus its start; the true one when it has ended. */
  readonly forecastMs: number;
  /** How much longer than its lower bound the run takes. */
  readonly overBoundMs: number;
  /** The budget's deadline after the start, and what is left of it at the forecast end; absent without one. */
  readonly deadlineMs?: number;
  readonly beforeDeadlineMs?: number;
  readonly total: number;
  readonly ended: number;
  readonly counts: ReadonlyMap<TaskStatus, number>;
  /** Ready tasks and those that wait for a person, each with what holds it. */
  readonly waiting: readonly Waiting[];
}

/** A task counts for the plan when the current revision has it or it ran before a revision took it out. */
const counts = (task: TaskState): boolean => task.removedInRevision === undefined && task.instance === undefined;

/**
 * The frame of `history` at `seq`.
 *
 * @param now the wall clock for a run that is followed live at its tip, epoch milliseconds; else the moment is that of
 * event `seq`. A run that has ended stands still at its end.
 */
export function frameAt(history: RunHistory, seq: number, now?: number): Frame {
  return frameOf(history.seek(seq), now);
}

export function frameOf(state: RunState, now?: number): Frame {
  const at =
    state.finishedAt !== undefined ? Math.max(state.finishedAt, state.lastAt) : Math.max(state.lastAt, now ?? 0);
  const startedAt = state.createdAt ?? at;
  const outlook = outlookOf(state, at);
  const byStatus = new Map<TaskStatus, number>();
  let total = 0;
  let ended = 0;
  for (const task of state.tasks.values()) {
    if (!counts(task)) continue;
    total++;
    if (isTerminal(task.status)) ended++;
    byStatus.set(task.status, (byStatus.get(task.status) ?? 0) + 1);
  }
  const elapsedMs = at - startedAt;
  const forecastMs = Math.max(elapsedMs, outlook.finishAt - startedAt);
  const deadline = state.plan?.budgets?.deadlineSeconds;
  return {
    ...outlook,
    seq: state.lastSeq,
    at,
    state,
    startedAt,
    elapsedMs,
    forecastMs,
    overBoundMs: forecastMs - outlook.lowerBoundMs,
    ...(deadline === undefined
      ? {}
      : { deadlineMs: deadline * 1_000, beforeDeadlineMs: deadline * 1_000 - forecastMs }),
    total,
    ended,
    counts: byStatus,
    waiting: waitingTasks(state, at),
  };
}
