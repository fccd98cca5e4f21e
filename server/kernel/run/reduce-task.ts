import { instanceTaskId } from "../ids";
import { beginAttempt, endAttempt } from "./attempt";
import type { RunEventOf, RunEventType } from "./event";
import { gainEvidence } from "./evidence";
import { gateOf } from "./gate";
import { newTask } from "./install-plan";
import { attemptOf } from "./repetition";
import { isAnswerable } from "./replan-rules";
import type { RunState, TaskState } from "./state";
import { isTerminal } from "./status";
import { becomeReady, endTask, type Moment, setStatus } from "./transition";

type TaskEvent<Type extends RunEventType> = RunEventOf<Type> & { readonly taskId: string };

const find = (state: RunState, event: { readonly taskId: string }): TaskState | undefined =>
  state.tasks.get(event.taskId);

/**
 * A call has begun, as `task_dispatched` says it. The driver also calls this for a short call without side effects
 * whose start it does not store: its end will carry `startedAt`.
 */
export function dispatchTask(
  state: RunState,
  call: { taskId: string; attempt: number; gateId?: string; at: number },
): void {
  const task = find(state, call);
  if (task === undefined || isTerminal(task.status)) return;
  const attempt = beginAttempt(state, task, call.attempt);
  attempt.dispatchedAt ??= call.at;
  task.notBefore = undefined;
  spendGate(state, task);
  setStatus(state, task, "dispatched");
}

export function startTask(state: RunState, event: TaskEvent<"task_started">): void {
  const task = find(state, event);
  if (task === undefined || isTerminal(task.status)) return;
  const attempt = beginAttempt(state, task, event.attempt);
  attempt.dispatchedAt ??= event.at;
  attempt.startedAt = event.at;
  setStatus(state, task, "running");
}

export function observeTask(state: RunState, event: TaskEvent<"task_observed">): void {
  const task = find(state, event);
  if (task === undefined) return;
  endAttempt(state, task, event);
  // A poll that is not done tells something; a failure that is tried again does not until it is settled.
  if (event.observation.status === "ok" && event.late !== true) gainEvidence(state, attemptOf(state, event));
}

/** Ready again, not before `notBefore`. Its parents, condition and gate were judged before the first attempt. */
export function retryTask(state: RunState, event: TaskEvent<"task_retry_scheduled">): void {
  const task = find(state, event);
  if (task === undefined || isTerminal(task.status)) return;
  if (event.poll !== true) state.budgetUse.retries += 1;
  task.notBefore = event.notBefore;
  task.cause = event.cause;
  becomeReady(state, task, event);
  state.retrying.add(task.id);
}

export function succeedTask(state: RunState, event: TaskEvent<"task_succeeded">): void {
  const task = find(state, event);
  if (task === undefined) return;
  if (event.carriedFrom === undefined) endAttempt(state, task, event);
  if (isTerminal(task.status)) return;
  task.carriedFrom = event.carriedFrom;
  // A fan-out only gathers what its instances have told.
  if (task.instanceIds === undefined) gainEvidence(state, attemptOf(state, event));
  task.output = event.observation.output;
  task.outputRef = event.observation.outputRef;
  task.cause = undefined;
  spendGate(state, task);
  endTask(state, task, "succeeded", event);
}

export function failTask(state: RunState, event: TaskEvent<"task_failed">): void {
  const task = find(state, event);
  if (task === undefined) return;
  if (event.attempt > 0) endAttempt(state, task, event);
  if (isTerminal(task.status)) return;
  if (event.attempt > 0) gainEvidence(state, attemptOf(state, event));
  spendGate(state, task);
  fail(state, task, event);
}

function fail(state: RunState, task: TaskState, event: Moment & Pick<RunEventOf<"task_failed">, "cause">): void {
  task.cause = event.cause;
  if (task.task.onFailure !== "continue" && task.instance === undefined) {
    const { code, message } = event.cause;
    state.firstFailure ??= { taskId: task.id, seq: event.seq, code, message };
  }
  if (isAnswerable(state, task)) state.unanswered.add(task.id);
  endTask(state, task, "failed", event);
}

/** An approval lets one call (and its retries) start. */
function spendGate(state: RunState, task: TaskState): void {
  const gate = gateOf(state, task);
  if (gate?.status !== "approved") return;
  gate.status = "used";
  state.liveGates.delete(gate.request.gateId);
}

export const cancelTask = (state: RunState, event: TaskEvent<"task_cancelled">): void =>
  endWithCause(state, event, "cancelled");

export const skipTask = (state: RunState, event: TaskEvent<"task_skipped">): void =>
  endWithCause(state, event, "skipped");

export function stopTask(state: RunState, event: TaskEvent<"task_stopped">): void {
  const { code, message } = event.cause;
  const task = find(state, event);
  if (task === undefined || isTerminal(task.status)) return;
  state.firstStop ??= { taskId: task.id, seq: event.seq, code, message };
  endWithCause(state, event, "stopped_budget");
}

function endWithCause(
  state: RunState,
  event: TaskEvent<"task_cancelled" | "task_skipped" | "task_stopped">,
  status: "cancelled" | "skipped" | "stopped_budget",
): void {
  const task = find(state, event);
  if (task === undefined || isTerminal(task.status)) return;
  task.cause = event.cause;
  endTask(state, task, status, event);
}

export function blockTask(state: RunState, event: TaskEvent<"task_blocked">): void {
  const task = find(state, event);
  if (task === undefined || !setStatus(state, task, "blocked")) return;
  task.cause = event.cause;
  state.settling.add(task.id);
}

export function unknownTask(state: RunState, event: TaskEvent<"outcome_unknown">): void {
  const task = find(state, event);
  if (task === undefined) return;
  endAttempt(state, task, event);
  if (!setStatus(state, task, "unknown_outcome")) return;
  task.cause = {
    code: "outcome_unknown",
    message: event.observation.message ?? "The call may have taken effect; its answer was lost.",
    seq: event.seq,
  };
  state.settling.add(task.id);
}

/** Looked up, and still not known, unless an end of the task follows in the same append. */
export function lookedUp(state: RunState, event: TaskEvent<"outcome_looked_up">): void {
  const task = find(state, event);
  if (task?.status !== "unknown_outcome") return;
  const known = task.lookUp?.attempt === event.attempt ? task.lookUp : undefined;
  // What the runtime asked by itself does not answer the person who asked meanwhile.
  const requestedBy = event.by === undefined ? known?.requestedBy : undefined;
  const made = (known?.made ?? 0) + (event.by === undefined ? 1 : 0);
  task.lookUp = { attempt: event.attempt, made, lastAt: event.at, ...(requestedBy && { requestedBy }) };
  state.settling.add(task.id);
}

export function requestLookUp(state: RunState, event: TaskEvent<"look_up_requested">): void {
  const task = find(state, event);
  if (task?.status !== "unknown_outcome") return;
  task.lookUp = { made: 0, ...task.lookUp, attempt: event.attempt, requestedBy: event.by };
  state.settling.add(task.id);
}

export function reconcileTask(state: RunState, event: TaskEvent<"outcome_reconciled">): void {
  const task = find(state, event);
  if (task?.status !== "unknown_outcome") return;
  const said = {
    succeeded: "said that it took effect",
    failed: "said that it did not take effect",
    retry: "had it called again, knowing that it may have taken effect",
  }[event.resolution];
  const message = `${event.by.name} ${said}${event.reason === undefined ? "." : `: ${event.reason}`}`;
  const cause = { code: "outcome_reconciled", message, seq: event.seq };
  switch (event.resolution) {
    case "succeeded":
      task.output = event.output ?? null;
      task.cause = cause;
      endTask(state, task, "succeeded", event);
      return;
    case "failed":
      fail(state, task, { seq: event.seq, at: event.at, cause });
      return;
    case "retry":
      task.cause = cause;
      // The gate answered for this attempt only.
      task.gateId = undefined;
      becomeReady(state, task, event);
      return;
  }
}

/** The instances of a `forEach`, each judged at once: the group's parents have ended. */
export function expandTask(state: RunState, event: TaskEvent<"task_expanded">): void {
  const group = find(state, event);
  if (group === undefined || isTerminal(group.status) || group.instanceIds !== undefined) return;
  group.instanceIds = event.items.map((_item, index) => instanceTaskId(group.id, index));
  group.openInstances = event.items.length;
  setStatus(state, group, "running");
  for (const [index, item] of event.items.entries()) {
    const instance: TaskState = {
      ...newTask(group.task, state.revision),
      id: instanceTaskId(group.id, index),
      instance: { groupId: group.id, index, item },
      rank: group.rank,
      order: group.order,
    };
    state.tasks.set(instance.id, instance);
    state.openTasks += 1;
    becomeReady(state, instance, event);
  }
  if (event.items.length === 0) state.settling.add(group.id);
}
