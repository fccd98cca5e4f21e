import { predecessorsOf, successorsOf } from "../plan/graph";
import { evaluateCondition } from "./condition";
import { needsGate } from "./gate";
import { joinVerdict, type ParentEnd } from "./join";
import { viewFor } from "./outputs";
import { dequeue, enqueue } from "./queue";
import type { RunState, TaskState } from "./state";
import { isTerminal, type TaskStatus } from "./status";

/**
 * How a task's status changes, and what follows from it. Everything that is derived from statuses (the ready set,
 * the dispatch queue, the counts) changes here and nowhere else, so it cannot disagree with them.
 *
 * pending ─ parents ended, join agrees ─▶ ready ─▶ [awaiting_approval ─▶ ready] ─▶ dispatched ─▶ running ─▶ an end
 * pending ─ join disagrees ─▶ settling: `decide` owes it a skip, a cancellation or a block, with the cause
 */
export interface Moment {
  readonly seq: number;
  readonly at: number;
}

/** Moves a task to `status`. A terminal status never changes: returns false and does nothing. */
export function setStatus(state: RunState, task: TaskState, status: TaskStatus): boolean {
  if (isTerminal(task.status)) return false;
  if (task.status === status) return true;
  leave(state, task);
  task.status = status;
  if (status === "ready") state.ready.add(task.id);
  else if (isCalling(status) && task.instanceIds === undefined) state.inFlight.add(task.id);
  else if (status === "blocked" || status === "unknown_outcome") state.stuck.add(task.id);
  return true;
}

const isCalling = (status: TaskStatus): boolean => status === "dispatched" || status === "running";

function leave(state: RunState, task: TaskState): void {
  switch (task.status) {
    case "ready":
      state.ready.delete(task.id);
      state.retrying.delete(task.id);
      dequeue(state.queue, task);
      break;
    case "dispatched":
    case "running":
      state.inFlight.delete(task.id);
      break;
    case "blocked":
    case "unknown_outcome":
      state.stuck.delete(task.id);
      break;
  }
  state.settling.delete(task.id);
}

/** Ends a task, and lets the tasks behind it see whether their turn has come. */
export function endTask(state: RunState, task: TaskState, status: TaskStatus, moment: Moment): void {
  if (!setStatus(state, task, status)) return;
  task.endedAt = moment.at;
  task.endedSeq = moment.seq;
  state.openTasks -= 1;
  if (task.instance !== undefined) {
    endInstance(state, task.instance.groupId);
    return;
  }
  const index = state.graph?.indexOf.get(task.id);
  if (state.graph === undefined || index === undefined) return;
  for (const successor of successorsOf(state.graph, index)) {
    const child = state.nodes[successor];
    if (child === undefined) continue;
    child.openParents -= 1;
    if (child.openParents === 0 && child.status === "pending") parentsEnded(state, child, moment);
  }
}

function endInstance(state: RunState, groupId: string): void {
  const group = state.tasks.get(groupId);
  if (group?.openInstances === undefined) return;
  group.openInstances -= 1;
  if (group.openInstances === 0 && !isTerminal(group.status)) state.settling.add(group.id);
}

/** How the parents of a task ended, in the plan's order; call it once all of them have. */
export function parentEnds(state: RunState, task: TaskState): ParentEnd[] {
  const index = state.graph?.indexOf.get(task.id);
  if (state.graph === undefined || index === undefined) return [];
  const ends: ParentEnd[] = [];
  for (const predecessor of predecessorsOf(state.graph, index)) {
    const parent = state.nodes[predecessor];
    if (parent) ends.push({ taskId: parent.id, status: parent.status, onFailure: parent.task.onFailure });
  }
  return ends;
}

/** Every parent of a pending task has ended: its join decides. */
export function parentsEnded(state: RunState, task: TaskState, moment: Moment): void {
  if (joinVerdict(task.task.join, parentEnds(state, task)).type === "run") becomeReady(state, task, moment);
  else state.settling.add(task.id);
}

/**
 * A task's own parents allow it. It goes straight to the dispatch queue, unless an event has to come first: a false
 * `when` skips it, a gate or a question waits for a person, a `forEach` expands.
 */
export function becomeReady(state: RunState, task: TaskState, moment: Moment): void {
  if (isTerminal(task.status)) return;
  leave(state, task);
  task.status = "ready";
  state.ready.add(task.id);
  task.readyAt ??= moment.at;
  if (needsSettling(state, task)) state.settling.add(task.id);
  else enqueue(state.queue, task);
}

function needsSettling(state: RunState, task: TaskState): boolean {
  const { when, forEach } = task.task;
  const isGroup = forEach !== undefined && forEach !== null && task.instance === undefined;
  if (isGroup) return true;
  if (when !== undefined) {
    const view = viewFor(state, task);
    const holds = evaluateCondition(when, view);
    if (view.missing.size > 0) return true;
    task.conditionFalse = !holds;
    if (!holds) return true;
  }
  return needsGate(state, task);
}
