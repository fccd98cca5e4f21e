import type { NewRunEvent, RunOutcome } from "#kernel/run/event";
import type { RunStatus } from "#kernel/run/status";

/** What some events change in the row of their run, for lists. Counts are added; the rest replaces what was there. */
export interface RunProjection {
  tasksTotal: number;
  tasksSucceeded: number;
  tasksFailed: number;
  tasksOmitted: number;
  status?: RunStatus;
  outcome?: RunOutcome;
  outcomeReason?: string;
  /** Epoch milliseconds. */
  finishedAt?: number;
}

/** The projection of `events`: a fold that needs no state before them, so that an append never reads. */
export function projectRun(events: readonly NewRunEvent[]): RunProjection {
  const projection: RunProjection = { tasksTotal: 0, tasksSucceeded: 0, tasksFailed: 0, tasksOmitted: 0 };
  for (const event of events) project(projection, event);
  return projection;
}

function project(projection: RunProjection, event: NewRunEvent): void {
  switch (event.type) {
    case "plan_accepted":
      projection.tasksTotal += event.plan.tasks.length;
      projection.status = "running";
      break;
    case "plan_revised":
      // Removed tasks stay in the history, so they stay in the count.
      projection.tasksTotal += event.diff.added.length;
      break;
    case "task_added":
      projection.tasksTotal += 1;
      break;
    case "task_succeeded":
      projection.tasksSucceeded += 1;
      break;
    case "task_failed":
      projection.tasksFailed += 1;
      break;
    case "outcome_reconciled":
      if (event.resolution === "succeeded") projection.tasksSucceeded += 1;
      if (event.resolution === "failed") projection.tasksFailed += 1;
      break;
    case "task_retried":
      for (const { was } of event.reopened) {
        if (was === "failed") projection.tasksFailed -= 1;
        else if (was === "cancelled" || was === "skipped" || was === "stopped_budget") projection.tasksOmitted -= 1;
      }
      break;
    case "task_cancelled":
    case "task_skipped":
    case "task_stopped":
      projection.tasksOmitted += 1;
      break;
    case "run_paused":
      projection.status = "paused";
      break;
    case "run_resumed":
      projection.status = "running";
      break;
    case "run_finished":
      projection.status = "finished";
      projection.outcome = event.outcome;
      projection.outcomeReason = plainText(event.reason);
      projection.finishedAt = event.at;
      break;
  }
}

/** Text for a text column, which cannot hold U+0000. The event keeps the original. */
export const plainText = (text: string): string => text.replaceAll("\u0000", "\uFFFD");
