import type { RunEventOf } from "./event";
import { recountEndings } from "./failures";
import { recountParents } from "./install-plan";
import type { RunState, TaskState } from "./state";
import { isTerminal } from "./status";
import { type Moment, parentsEnded, setStatus } from "./transition";

/**
 * A person has a task tried again: it and the tasks that ended only because it did are `pending` once more, each
 * judged by its parents. The one place where an end is left behind; what has succeeded is never among them.
 */
export function reopenTasks(state: RunState, event: RunEventOf<"task_retried">): void {
  const tasks = event.reopened.flatMap(({ taskId }) => state.tasks.get(taskId) ?? []);
  for (const task of tasks) if (task.status !== "succeeded") reopen(state, task, event);
  for (const [index, task] of state.nodes.entries()) recountParents(state, task, index);
  for (const task of tasks) {
    if (task.status === "pending" && task.openParents === 0) parentsEnded(state, task, event);
  }
  if (event.reopened.some(({ was }) => was === "stopped_budget")) state.firstStop = undefined;
  recountEndings(state);
}

function reopen(state: RunState, task: TaskState, { at }: Moment): void {
  if (isTerminal(task.status)) {
    const end = { status: task.status, at: task.endedAt, seq: task.endedSeq };
    task.earlierEnds = [...(task.earlierEnds ?? []), end];
    task.status = "pending";
    state.openTasks += 1;
  } else {
    setStatus(state, task, "pending");
  }
  // A call that was cut short may still come back: it is an answer to an attempt that is over.
  for (const attempt of task.attempts) attempt.endedAt ??= at;
  task.endedAt = undefined;
  task.endedSeq = undefined;
  task.readyAt = undefined;
  task.notBefore = undefined;
  task.cause = undefined;
  task.released = undefined;
  task.conditionFalse = undefined;
  task.answeredInRevision = undefined;
  task.gateId = undefined;
  state.unanswered.delete(task.id);
  putInPlan(state, task);
}

/** An earlier revision left it in history: it is unfinished work again. */
function putInPlan(state: RunState, task: TaskState): void {
  const { plan } = state;
  if (plan === undefined || plan.tasks.some(({ id }) => id === task.id)) return;
  state.plan = { ...plan, tasks: [...plan.tasks, task.task] };
}
