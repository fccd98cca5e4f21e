import { referencesInCondition } from "../plan/edge-place";
import type { Condition } from "../plan/plan";
import { ITEM } from "../plan/reference-grammar";
import { askBeforeCall, settleGate } from "./ask-person";
import { type Command, loadOutputs, record } from "./command";
import { evaluateCondition } from "./condition";
import type { Asking } from "./decide-options";
import type { Cause } from "./event";
import { expandGroup, finishGroup } from "./fan-out";
import { needsGate } from "./gate";
import { joinVerdict } from "./join";
import { viewFor } from "./outputs";
import { settleBlocked, settleUnknown } from "./settle-stuck";
import type { RunState, TaskState } from "./state";
import { parentEnds } from "./transition";

/**
 * The event that a settling task owes: how its join, its condition, its gate or its instances came out. `"start"`: it
 * owes none and may be dispatched, which the reducer could not see, since an output was not loaded.
 *
 * @param mayAsk false while the run is paused or the plan is not signed: then no gate opens and no list expands.
 */
export function settleTask(
  state: RunState,
  task: TaskState,
  asking: Asking & { mayAsk: boolean },
): Command[] | "start" {
  switch (task.status) {
    case "pending":
      return settleJoin(state, task, asking.now);
    case "ready":
      return settleReady(state, task, asking);
    case "awaiting_approval":
      return settleGate(state, task, asking.now);
    case "blocked":
      return settleBlocked(state, task, asking);
    case "unknown_outcome":
      return settleUnknown(state, task, asking);
    case "dispatched":
    case "running":
      if (task.removedInRevision !== undefined) return removeRunning(state, task, asking.now);
      return task.openInstances === 0 ? finishGroup(state, task, asking) : [];
    default:
      return [];
  }
}

function settleJoin(state: RunState, task: TaskState, now: number): Command[] {
  const verdict = joinVerdict(task.task.join, parentEnds(state, task));
  if (verdict.type === "run") return [];
  const { taskId, status } = verdict.by;
  const how = status === "stopped_budget" ? "stopped" : status;
  const cause: Cause = {
    code: `upstream_${how}`,
    message: how === "failed" ? `“${taskId}” failed.` : `“${taskId}” was ${how}.`,
    taskId,
    seq: state.tasks.get(taskId)?.endedSeq,
  };
  const type = { skip: "task_skipped", cancel: "task_cancelled", block: "task_blocked" } as const;
  return [record({ type: type[verdict.type], at: now, taskId: task.id, cause })];
}

function settleReady(state: RunState, task: TaskState, asking: Asking & { mayAsk: boolean }): Command[] | "start" {
  const { forEach, when } = task.task;
  const isGroup = forEach !== undefined && forEach !== null && task.instance === undefined;
  // A condition on the items is one for each instance; any other is about the task as a whole, list or no list.
  if (when !== undefined && !(isGroup && asksForItem(when))) {
    const view = viewFor(state, task, asking.options.load);
    const holds = evaluateCondition(when, view);
    if (view.missing.size > 0) return loadOutputs(view.missing);
    if (!holds) {
      const cause = { code: "condition_false", message: "Its condition does not hold." };
      return [record({ type: "task_skipped", at: asking.now, taskId: task.id, cause })];
    }
  }
  if (isGroup) return asking.mayAsk ? expandGroup(state, task, asking) : [];
  if (!needsGate(state, task)) return "start";
  return asking.mayAsk ? askBeforeCall(state, task, asking) : [];
}

const asksForItem = (when: Condition): boolean =>
  referencesInCondition(when, []).some((reference) => reference.taskId === ITEM);

function removeRunning(state: RunState, task: TaskState, now: number): Command[] {
  const cause: Cause = {
    code: "removed_by_revision",
    message: `Revision ${state.revision} took it out of the plan while it ran.`,
    seq: state.revisions.at(-1)?.seq,
  };
  return [
    { type: "abort", taskId: task.id, cause },
    record({ type: "task_cancelled", at: now, taskId: task.id, cause }),
  ];
}
