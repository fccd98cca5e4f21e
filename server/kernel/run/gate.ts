import { humanAsk } from "../capability/built-in/people";
import type { Approval } from "../plan/plan";
import { approvalSchema } from "../plan/plan";
import type { GatePurpose, RunEventOf } from "./event";
import type { GateState, RunState, TaskState } from "./state";

/** What a gate stands for; logs written before gates had a purpose say it by their fields. */
export function purposeOf(request: RunEventOf<"approval_requested">): GatePurpose {
  if (request.purpose !== undefined) return request.purpose;
  if (request.taskId === undefined) return "plan";
  return request.question === undefined ? "action" : "question";
}

/** True for a task that asks a person instead of making a call. */
export const isQuestion = (task: TaskState): boolean => capabilityName(task) === humanAsk.name;

/** `name@2` → `name`. */
export const capabilityName = (task: { readonly task: { readonly capability: string } }): string =>
  task.task.capability.split("@", 1)[0] ?? "";

const DEFAULT_APPROVAL: Approval = approvalSchema.parse({});

/**
 * Who must sign before this task runs, or undefined where nobody must. The plan may ask for more than the capability
 * does, never for less.
 */
export function approvalFor(state: RunState, task: TaskState): Approval | undefined {
  if (task.task.approval !== undefined) return task.task.approval;
  return state.capabilities.get(task.task.capability)?.approval === "always" ? DEFAULT_APPROVAL : undefined;
}

export const gateOf = (state: RunState, task: TaskState): GateState | undefined =>
  task.gateId === undefined ? undefined : state.gates.get(task.gateId);

/**
 * True while what a gate asked about is still what would happen: its task is defined as it was then, and the capability
 * is the same. A revision that leaves the task as it was leaves its approval valid.
 */
export function gateStands(state: RunState, request: RunEventOf<"approval_requested">): boolean {
  switch (purposeOf(request)) {
    case "reconcile":
      return true;
    case "revision":
      return state.proposal?.gateId === request.gateId;
    case "completion":
    case "plan":
      return request.revision === state.revision;
    default: {
      const task = request.taskId === undefined ? undefined : state.tasks.get(request.taskId);
      return task !== undefined && request.revision >= task.definedInRevision;
    }
  }
}

/**
 * The approved gate that lets the task's next call start, if there is one. A used gate still covers a retry: the
 * stored request is the same. A revision of the task ends it; so does its execute-by time, which the caller checks.
 */
export function openedGate(state: RunState, task: TaskState): GateState | undefined {
  const gate = gateOf(state, task);
  if (gate === undefined || purposeOf(gate.request) !== "action") return undefined;
  if (gate.status !== "approved" && gate.status !== "used") return undefined;
  return gateStands(state, gate.request) ? gate : undefined;
}

/** True while the task has to wait for a signature or an answer before it can run. */
export const needsGate = (state: RunState, task: TaskState): boolean =>
  isQuestion(task) || (approvalFor(state, task) !== undefined && openedGate(state, task) === undefined);
