import { approvalSchema } from "../plan/plan";
import { resolveTaskArguments } from "./action";
import { cancelRefused, isRefused } from "./ask-person";
import { type Command, loadOutputs, record } from "./command";
import type { Asking } from "./decide-options";
import { approvalFor, gateOf, gateStands, purposeOf } from "./gate";
import { requestGate } from "./gate-request";
import { nextLookUp } from "./look-up";
import type { GateState, RunState, TaskState } from "./state";

/** How long a person may take to say what became of a lost call: a week, since nothing else can be done meanwhile. */
const RECONCILE_SECONDS = 604_800;

/** Asks a person whether a blocked task may run although a prerequisite failed; cancels it where they say no. */
export function settleBlocked(state: RunState, task: TaskState, asking: Asking): Command[] {
  const gate = gateOf(state, task);
  if (
    gate !== undefined &&
    gate.status !== "revoked" &&
    purposeOf(gate.request) === "release" &&
    gateStands(state, gate.request)
  ) {
    return isRefused(gate) ? [cancelRefused(task, asking.now)] : [];
  }
  const resolution = resolveTaskArguments(state, task, asking.options.load);
  if (resolution.type === "missing") return loadOutputs(resolution.outputRefs);
  const resolved = resolution.type === "resolved";
  const why = task.cause?.message ?? "A prerequisite failed.";
  return [
    requestGate(state, asking, {
      purpose: "release",
      task,
      approval: approvalFor(state, task) ?? approvalSchema.parse({}),
      arguments: resolved ? resolution.value : task.task.arguments,
      origins: resolved ? resolution.origins : [],
      reason: `${why} Approve to run this step all the same; reject to cancel it.`,
    }),
  ];
}

const RECONCILE_ANSWERS = ["succeeded", "failed", "retry"] as const;

/**
 * Finds out what became of a call with a lost answer: by the capability's look-up while that may help, else by asking a
 * person. It is never repeated without being told so.
 */
export function settleUnknown(state: RunState, task: TaskState, asking: Asking): Command[] {
  const lookUp = nextLookUp(state, task, asking);
  if (lookUp !== undefined && (task.lookUp?.requestedBy === undefined || lookUp[0]?.type === "load_output"))
    return lookUp;
  return [...(lookUp ?? []), ...askWhatBecame(state, task, asking)];
}

function askWhatBecame(state: RunState, task: TaskState, asking: Asking): Command[] {
  const gate = gateOf(state, task);
  if (gate !== undefined && gate.status !== "revoked" && purposeOf(gate.request) === "reconcile")
    return reconcile(task, gate, asking.now);
  const resolution = resolveTaskArguments(state, task, asking.options.load);
  if (resolution.type === "missing") return loadOutputs(resolution.outputRefs);
  const resolved = resolution.type === "resolved";
  return [
    requestGate(state, asking, {
      purpose: "reconcile",
      task,
      approval: approvalSchema.parse({
        role: approvalFor(state, task)?.role,
        decideWithinSeconds: RECONCILE_SECONDS,
      }),
      arguments: resolved ? resolution.value : task.task.arguments,
      origins: resolved ? resolution.origins : [],
      reason: task.cause?.message ?? "The call may have taken effect; its answer was lost.",
      question: {
        text: `Did “${task.task.title ?? task.id}” take effect? Say “succeeded”, “failed”, or “retry” to call it again.`,
        answerSchema: { enum: RECONCILE_ANSWERS },
      },
    }),
  ];
}

function reconcile(task: TaskState, gate: GateState, now: number): Command[] {
  if (gate.status === "expired") {
    const attempt = task.attempts.at(-1)?.attempt ?? 0;
    const cause = { code: "approval_expired", message: "Nobody said in time whether the call took effect." };
    return [record({ type: "task_failed", at: now, taskId: task.id, attempt, cause })];
  }
  const decision = gate.decisions.at(-1);
  if (decision === undefined || gate.status === "open") return [];
  const said = RECONCILE_ANSWERS.find((answer) => answer === decision.answer);
  const resolution = decision.decision === "approve" ? (said ?? "failed") : "failed";
  const { by, reason } = decision;
  return [record({ type: "outcome_reconciled", at: now, taskId: task.id, resolution, by, reason })];
}
