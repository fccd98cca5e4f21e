import type { GateId, TaskId } from "../ids";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json";
import { type Approval, approvalSchema } from "../plan/plan";
import { resolveTaskArguments } from "./action";
import type { Command } from "./command";
import { evaluateCondition } from "./condition";
import type { DecideOptions } from "./decide-options";
import type { Cause, NewRunEvent } from "./event";
import { expandGroup, finishGroup } from "./fan-out";
import { approvalFor, gateOf, isQuestion, needsGate, purposeOf } from "./gate";
import { requestGate } from "./gate-request";
import { joinVerdict } from "./join";
import { viewFor } from "./outputs";
import type { GateState, RunState, TaskState } from "./state";
import { parentEnds } from "./transition";

/** What a settling task gives: commands, or leave to be dispatched although it is not in the queue. */
export interface Settlement {
  readonly commands: readonly Command[];
  readonly dispatchable?: boolean;
}

const NOTHING: Settlement = { commands: [] };
const record = (event: NewRunEvent): Settlement => ({ commands: [{ type: "record", event }] });

/**
 * The event that a settling task owes: how its join, its condition, its gate or its instances came out.
 *
 * @param mayAsk false while the run is paused or the plan is not signed: then no gate opens and no list expands.
 */
export function settleTask(
  state: RunState,
  task: TaskState,
  { now, options, mayAsk }: { now: number; options: DecideOptions; mayAsk: boolean },
): Settlement {
  switch (task.status) {
    case "pending":
      return settleJoin(state, task, now);
    case "ready":
      return settleReady(state, task, { now, options, mayAsk });
    case "awaiting_approval":
      return settleGate(state, task, now);
    case "blocked":
      return settleBlocked(state, task, { now, options });
    case "unknown_outcome":
      return settleUnknown(state, task, { now, options });
    case "dispatched":
    case "running":
      if (task.removedInRevision !== undefined) return removeRunning(state, task, now);
      return task.openInstances === 0 ? { commands: finishGroup(state, task, now, options) } : NOTHING;
    default:
      return NOTHING;
  }
}

function settleJoin(state: RunState, task: TaskState, now: number): Settlement {
  const verdict = joinVerdict(task.task.join, parentEnds(state, task));
  if (verdict.type === "run") return NOTHING;
  const parent = state.tasks.get(verdict.by.taskId);
  const how = verdict.by.status.replace("stopped_budget", "stopped by a budget");
  const cause: Cause = {
    code: `upstream_${verdict.by.status === "stopped_budget" ? "stopped" : verdict.by.status}`,
    message: `“${verdict.by.taskId}” was ${how}.`.replace("was failed", "failed"),
    taskId: verdict.by.taskId,
    seq: parent?.endedSeq,
  };
  const type = { skip: "task_skipped", cancel: "task_cancelled", block: "task_blocked" } as const;
  return record({ type: type[verdict.type], at: now, taskId: task.id, cause });
}

function settleReady(
  state: RunState,
  task: TaskState,
  { now, options, mayAsk }: { now: number; options: DecideOptions; mayAsk: boolean },
): Settlement {
  const { forEach, when } = task.task;
  if (forEach !== undefined && forEach !== null && task.instance === undefined) {
    return mayAsk ? { commands: expandGroup(state, task, now, options) } : NOTHING;
  }
  if (when !== undefined) {
    const view = viewFor(state, task, options.load);
    const holds = evaluateCondition(when, view);
    if (view.missing.size > 0) return load(view.missing);
    if (!holds) {
      const cause = { code: "condition_false", message: "Its condition does not hold." };
      return record({ type: "task_skipped", at: now, taskId: task.id, cause });
    }
  }
  if (!needsGate(state, task)) return { commands: [], dispatchable: true };
  return mayAsk ? askFor(state, task, { now, options }) : NOTHING;
}

const load = (outputRefs: Iterable<string>): Settlement => ({
  commands: Array.from(outputRefs, (outputRef) => ({ type: "load_output", outputRef })),
});

/** Opens the gate before a call, or asks the question. */
function askFor(
  state: RunState,
  task: TaskState,
  { now, options }: { now: number; options: DecideOptions },
): Settlement {
  const resolution = resolveTaskArguments(state, task, options.load);
  if (resolution.type === "missing") return load(resolution.outputRefs);
  if (resolution.type === "unresolved") return { commands: [unresolved(task, now, resolution.message)] };
  const { value, origins } = resolution;
  const approval = approvalFor(state, task);
  if (isQuestion(task)) {
    const question = questionOf(value);
    return {
      commands: [
        requestGate(state, now, options, {
          purpose: "question",
          task,
          approval: approval ?? question.approval,
          arguments: value,
          origins,
          reason: approval?.reason ?? task.task.expectedOutcome ?? question.text,
          question: { text: question.text, answerSchema: question.answerSchema },
        }),
      ],
    };
  }
  if (approval === undefined) return NOTHING;
  const reason = approval.reason ?? whyAsked(state, task);
  return {
    commands: [
      requestGate(state, now, options, { purpose: "action", task, approval, arguments: value, origins, reason }),
    ],
  };
}

/** A task whose references give no value fails before any call. */
export const unresolved = (task: TaskState, now: number, message: string): Command => ({
  type: "record",
  event: {
    type: "task_failed",
    at: now,
    taskId: task.id,
    attempt: 0,
    cause: { code: "reference_unresolved", message },
  },
});

const whyAsked = (state: RunState, task: TaskState): string =>
  task.task.approval === undefined
    ? `${state.capabilities.get(task.task.capability)?.title ?? task.task.capability} asks before every call.`
    : "The plan asks for approval before this step.";

function questionOf(value: JsonValue): { text: string; answerSchema?: JsonObject; approval: Approval } {
  const read = (key: string) => (isJsonObject(value) ? getOwn(value, key) : undefined);
  const text = read("question");
  const role = read("role");
  const answerSchema = read("answerSchema");
  return {
    text: typeof text === "string" ? text : "",
    answerSchema: isJsonObject(answerSchema) ? answerSchema : undefined,
    approval: approvalSchema.parse(typeof role === "string" && role !== "" ? { role: role.slice(0, 64) } : {}),
  };
}

/** A gate that was refused, or a question that was answered. */
function settleGate(state: RunState, task: TaskState, now: number): Settlement {
  const gate = gateOf(state, task);
  if (gate?.status === "approved" && purposeOf(gate.request) === "question") {
    return record(answered(task.id, gate, now));
  }
  return gate?.status === "rejected" || gate?.status === "expired" ? refused(task, now) : NOTHING;
}

function answered(taskId: TaskId, gate: GateState, now: number): NewRunEvent {
  const answer = gate.decisions.at(-1)?.answer ?? null;
  const askedAt = gate.request.at;
  return {
    type: "task_succeeded",
    at: now,
    taskId,
    attempt: 1,
    startedAt: askedAt,
    observation: { status: "ok", output: { answer }, sideEffect: "none", latencyMs: Math.max(0, now - askedAt) },
  };
}

const refused = (task: TaskState, now: number): Settlement =>
  record({
    type: "task_cancelled",
    at: now,
    taskId: task.id,
    cause: task.cause ?? { code: "approval_rejected", message: "Its approval was refused." },
  });

/** Asks a person whether the task may run although a prerequisite failed. */
function settleBlocked(
  state: RunState,
  task: TaskState,
  { now, options }: { now: number; options: DecideOptions },
): Settlement {
  const gate = gateOf(state, task);
  if (gate !== undefined && purposeOf(gate.request) === "release" && gate.request.revision === state.revision) {
    return gate.status === "rejected" || gate.status === "expired" ? refused(task, now) : NOTHING;
  }
  const resolution = resolveTaskArguments(state, task, options.load);
  if (resolution.type === "missing") return load(resolution.outputRefs);
  const given = resolution.type === "resolved" ? resolution.value : task.task.arguments;
  const why = task.cause?.message ?? "A prerequisite failed.";
  return {
    commands: [
      requestGate(state, now, options, {
        purpose: "release",
        task,
        approval: approvalFor(state, task) ?? approvalSchema.parse({}),
        arguments: given,
        origins: resolution.type === "resolved" ? resolution.origins : [],
        reason: `${why} Approve to run this step all the same; reject to cancel it.`,
      }),
    ],
  };
}

const RECONCILE_ANSWERS = ["succeeded", "failed", "retry"] as const;

/** Asks a person whether a call with a lost answer took effect. It is never repeated without being told so. */
function settleUnknown(
  state: RunState,
  task: TaskState,
  { now, options }: { now: number; options: DecideOptions },
): Settlement {
  const gate = gateOf(state, task);
  if (gate !== undefined && purposeOf(gate.request) === "reconcile") {
    return reconciled(task, gate, now);
  }
  const sent = task.attempts.at(-1);
  const resolution = resolveTaskArguments(state, task, options.load);
  return {
    commands: [
      requestGate(state, now, options, {
        purpose: "reconcile",
        task,
        approval: approvalSchema.parse({ role: approvalFor(state, task)?.role, decideWithinSeconds: 604_800 }),
        arguments: resolution.type === "resolved" ? resolution.value : task.task.arguments,
        origins: resolution.type === "resolved" ? resolution.origins : [],
        reason: sent?.observation?.message ?? "The call may have taken effect; its answer was lost.",
        question: {
          text: `Did “${task.task.title ?? task.id}” take effect? Say “succeeded”, “failed”, or “retry” to call it again.`,
          answerSchema: { enum: RECONCILE_ANSWERS },
        },
      }),
    ],
  };
}

function reconciled(task: TaskState, gate: GateState, now: number): Settlement {
  const decision = gate.decisions.at(-1);
  if (gate.status === "expired") {
    const message = "Nobody said in time whether the call took effect.";
    const attempt = task.attempts.at(-1)?.attempt ?? 0;
    const cause = { code: "approval_expired", message };
    return record({ type: "task_failed", at: now, taskId: task.id, attempt, cause });
  }
  if (decision === undefined || gate.status === "open") return NOTHING;
  const said = RECONCILE_ANSWERS.find((answer) => answer === decision.answer);
  const resolution = decision.decision === "approve" ? (said ?? "failed") : "failed";
  const { by, reason } = decision;
  return record({ type: "outcome_reconciled", at: now, taskId: task.id, resolution, by, reason });
}

function removeRunning(state: RunState, task: TaskState, now: number): Settlement {
  const cause: Cause = {
    code: "removed_by_revision",
    message: `Revision ${state.revision} took it out of the plan while it ran.`,
    seq: state.revisions.at(-1)?.seq,
  };
  return {
    commands: [
      { type: "abort", taskId: task.id, cause },
      { type: "record", event: { type: "task_cancelled", at: now, taskId: task.id, cause } },
    ],
  };
}

export const expire = (
  gateId: GateId,
  which: "decide_by" | "execute_by" | "superseded" | "run_ended",
  now: number,
): Command => ({ type: "record", event: { type: "approval_expired", at: now, gateId, which } });
