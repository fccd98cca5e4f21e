import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json";
import { type Approval, approvalSchema } from "../plan/plan";
import { resolveTaskArguments, unresolvedFailure } from "./action";
import { type Command, loadOutputs, record } from "./command";
import type { Asking } from "./decide-options";
import { approvalFor, gateOf, isQuestion, purposeOf } from "./gate";
import { requestGate } from "./gate-request";
import type { GateState, RunState, TaskState } from "./state";

/** Opens the gate before a call, or asks the question of a `human.ask`. */
export function askBeforeCall(state: RunState, task: TaskState, asking: Asking): Command[] {
  const resolution = resolveTaskArguments(state, task, asking.options.load);
  if (resolution.type === "missing") return loadOutputs(resolution.outputRefs);
  if (resolution.type === "unresolved") return [unresolvedFailure(task, asking.now, resolution.message)];
  const { value, origins } = resolution;
  const approval = approvalFor(state, task);
  const draft = { task, arguments: value, origins };
  if (isQuestion(task)) {
    const { text, answerSchema, approval: asked } = questionOf(value);
    const reason = approval?.reason ?? task.task.expectedOutcome ?? text;
    const question = { text, answerSchema };
    return [
      requestGate(state, asking, { ...draft, purpose: "question", approval: approval ?? asked, reason, question }),
    ];
  }
  if (approval === undefined) return [];
  const reason = approval.reason ?? whyAsked(state, task);
  return [requestGate(state, asking, { ...draft, purpose: "action", approval, reason })];
}

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

/** What follows from the gate of a waiting task: it was refused, or its question was answered. */
export function settleGate(state: RunState, task: TaskState, now: number): Command[] {
  const gate = gateOf(state, task);
  if (gate === undefined) return [];
  if (gate.status === "approved" && purposeOf(gate.request) === "question") return [answered(task, gate, now)];
  return isRefused(gate) ? [cancelRefused(task, now)] : [];
}

export const isRefused = (gate: GateState): boolean => gate.status === "rejected" || gate.status === "expired";

/** Fails closed: what nobody signed does not happen. */
export const cancelRefused = (task: TaskState, now: number): Command =>
  record({
    type: "task_cancelled",
    at: now,
    taskId: task.id,
    cause: task.cause ?? { code: "approval_rejected", message: "Its approval was refused." },
  });

function answered(task: TaskState, gate: GateState, now: number): Command {
  const answer = gate.decisions.at(-1)?.answer ?? null;
  const askedAt = gate.request.at;
  const latencyMs = Math.max(0, now - askedAt);
  return record({
    type: "task_succeeded",
    at: now,
    taskId: task.id,
    attempt: 1,
    startedAt: askedAt,
    observation: { status: "ok", output: { answer }, sideEffect: "none", latencyMs },
  });
}
