import type { Observation } from "../capability/observation";
import { getOwn, isJsonObject } from "../json";
import type { CompletionCheck } from "../plan/plan";
import { approvalSchema } from "../plan/plan";
import { resolveArguments } from "../plan/reference";
import { changesSomething } from "./attempt";
import { type Command, loadOutputs, record } from "./command";
import { evaluateCondition } from "./condition";
import type { Asking } from "./decide-options";
import type { NewRunEvent, RunEventOf, RunOutcome } from "./event";
import { purposeOf } from "./gate";
import { requestGate } from "./gate-request";
import { viewOf } from "./outputs";
import type { GateState, RunState } from "./state";
import { closeGates } from "./stop";

/**
 * What follows once every task has ended: the completion checks one after another, then the end of the run.
 *
 * Precedence: verified completion (unless `budgetBeforeCompletion`), budget exhausted, rejected, terminal failure,
 * a failed check. A run without checks is complete when nothing stopped, rejected or failed it.
 */
export function finishRun(state: RunState, asking: Asking): Command[] {
  const checks = state.plan?.completion ?? [];
  const failedCheck = state.completion.find((result) => !result.passed);
  const next = failedCheck === undefined ? checks[state.completion.length] : undefined;
  if (next !== undefined && worthChecking(state, next)) {
    return check(state, { ...asking, check: next, index: state.completion.length });
  }
  const { now } = asking;
  return [...closeGates(state, now), record({ type: "run_finished", at: now, ...verdict(state) })];
}

/** A check that costs a call or a person is left out where the run has failed anyway. */
function worthChecking(state: RunState, check: CompletionCheck): boolean {
  if (check.check === "json_schema" || check.check === "predicate") return true;
  return state.firstFailure === undefined && state.firstStop === undefined && state.firstRejection === undefined;
}

function verdict(state: RunState): { outcome: RunOutcome; reason: string; causeSeq: number } {
  const checks = state.plan?.completion ?? [];
  const verified = checks.length > 0 && passedAll(state);
  const stop = state.firstStop;
  if (stop !== undefined && (!verified || state.policy.budgetBeforeCompletion)) {
    return { outcome: "stop_budget", reason: stop.message, causeSeq: stop.seq };
  }
  if (verified) {
    const last = state.completion.at(-1);
    const reason = `${checks.length === 1 ? "The completion check" : `All ${checks.length} completion checks`} passed.`;
    return { outcome: "completed", reason: reason + failureNote(state), causeSeq: last?.seq ?? state.lastSeq };
  }
  if (state.plan?.tasks.length === 0) {
    const causeSeq = state.revisions.at(-1)?.seq ?? state.lastSeq;
    return { outcome: "stop_no_valid_plan", reason: "The plan in force has no tasks.", causeSeq };
  }
  const { firstRejection: rejection, firstFailure: failure, noValidPlan } = state;
  const lacking = rejection ?? failure ?? state.completion.find((result) => !result.passed);
  if (noValidPlan !== undefined && lacking !== undefined) {
    return { outcome: noValidPlan.verdict, reason: noValidPlan.message, causeSeq: noValidPlan.seq };
  }
  if (rejection !== undefined) return { outcome: "rejected", reason: rejection.message, causeSeq: rejection.seq };
  if (failure !== undefined) {
    const reason = `“${failure.taskId ?? "A task"}” failed: ${failure.message}`;
    return { outcome: "stop_terminal_failure", reason, causeSeq: failure.seq };
  }
  const failed = state.completion.find((result) => !result.passed);
  if (failed !== undefined) return { outcome: "evidence_gap", reason: failed.message, causeSeq: failed.seq };
  return { outcome: "completed", reason: "Every task has ended.", causeSeq: state.lastSeq };
}

const passedAll = (state: RunState): boolean =>
  state.completion.length === (state.plan?.completion.length ?? 0) && state.completion.every((each) => each.passed);

const failureNote = (state: RunState): string =>
  state.firstFailure === undefined ? "" : ` “${state.firstFailure.taskId ?? "A task"}” had failed.`;

interface CheckRequest extends Asking {
  readonly check: CompletionCheck;
  readonly index: number;
}

function check(state: RunState, request: CheckRequest): Command[] {
  switch (request.check.check) {
    case "json_schema":
      return checkSchema(state, request, request.check);
    case "predicate":
      return checkPredicate(state, request, request.check);
    case "capability":
      return callCheck(state, request, request.check);
    case "human":
      return askPerson(state, request, request.check);
  }
}

const checked = ({ now, check }: CheckRequest, passed: boolean, message: string): Command[] => [
  record({ type: "completion_checked", at: now, check, passed, message }),
];

function checkSchema(
  state: RunState,
  request: CheckRequest,
  { task: taskId, schema }: Extract<CompletionCheck, { check: "json_schema" }>,
): Command[] {
  const task = state.tasks.get(taskId);
  if (task?.status !== "succeeded") {
    return checked(
      request,
      false,
      `“${taskId}” has no output to check: it ${task ? `ended as ${task.status}` : "is not there"}.`,
    );
  }
  const output = task.outputRef === undefined ? (task.output ?? null) : request.options.load?.(task.outputRef);
  if (output === undefined) return loadOutputs([task.outputRef ?? ""]);
  if (request.options.checkSchema === undefined) return checked(request, false, "No schema checker is at hand.");
  const issue = request.options.checkSchema(schema, output)[0];
  if (issue === undefined) return checked(request, true, `The output of “${taskId}” fits its schema.`);
  return checked(request, false, `The output of “${taskId}” at “${issue.pointer}”: ${issue.message}`);
}

function checkPredicate(
  state: RunState,
  request: CheckRequest,
  { when }: Extract<CompletionCheck, { check: "predicate" }>,
): Command[] {
  const view = viewOf(state, request.options.load);
  const passed = evaluateCondition(when, view);
  if (view.missing.size > 0) return loadOutputs(view.missing);
  return checked(request, passed, passed ? "The predicate holds." : "The predicate does not hold.");
}

/** A call that checks the result. It may read, never change: a check is no step of the plan. */
function callCheck(
  state: RunState,
  request: CheckRequest,
  check: Extract<CompletionCheck, { check: "capability" }>,
): Command[] {
  const capability = state.capabilities.get(check.capability);
  if (capability === undefined) return checked(request, false, `This run has no capability “${check.capability}”.`);
  if (changesSomething(capability)) {
    return checked(request, false, `“${check.capability}” changes something, so it cannot check the result.`);
  }
  const view = viewOf(state, request.options.load);
  const resolved = resolveArguments(check.arguments, view.output);
  if (view.missing.size > 0) return loadOutputs(view.missing);
  if (!resolved.ok) return checked(request, false, resolved.error.map((failure) => failure.message).join(" "));
  const timeoutMs = capability.timeoutSeconds * 1000;
  const { index } = request;
  return [
    { type: "check_completion", index, capability: check.capability, arguments: resolved.value.value, timeoutMs },
  ];
}

/**
 * What a checking call says of the result: it passes when the call succeeds, unless its output is false or holds
 * `"passed": false`.
 */
export function completionOfCall(state: RunState, index: number, observation: Observation, now: number): NewRunEvent[] {
  const check = state.plan?.completion[index];
  if (check === undefined || state.completion.length !== index || state.status === "finished") return [];
  const { output } = observation;
  const denied = output === false || (isJsonObject(output) && getOwn(output, "passed") === false);
  const passed = observation.status === "ok" && !denied;
  const said = isJsonObject(output) ? getOwn(output, "message") : undefined;
  const message =
    observation.message ?? (typeof said === "string" ? said : passed ? "The check passed." : "The check failed.");
  return [{ type: "completion_checked", at: now, check, passed, message }];
}

/** A person checks the result: a gate whose approval is the check. */
function askPerson(
  state: RunState,
  request: CheckRequest,
  { question, role }: Extract<CompletionCheck, { check: "human" }>,
): Command[] {
  const gate = completionGate(state, request.index);
  if (gate === undefined) {
    return [
      requestGate(state, request, {
        purpose: "completion",
        approval: approvalSchema.parse({ role }),
        arguments: { check: request.index, question },
        reason: question,
      }),
    ];
  }
  const last: RunEventOf<"approval_decided"> | undefined = gate.decisions.at(-1);
  switch (gate.status) {
    case "approved":
      return checked(request, true, `${last?.by.name ?? "A person"} confirmed: ${question}`);
    case "rejected":
      return checked(request, false, `${last?.by.name ?? "A person"} denied: ${question}`);
    case "open":
      return [];
    default:
      return checked(request, false, `Nobody answered in time: ${question}`);
  }
}

/** The gate of the check at `index` in this revision, if it was opened. */
function completionGate(state: RunState, index: number): GateState | undefined {
  for (const gate of state.gates.values()) {
    const { request } = gate;
    if (purposeOf(request) !== "completion" || request.revision !== state.revision) continue;
    if (gate.status === "revoked") continue;
    if (isJsonObject(request.arguments) && getOwn(request.arguments, "check") === index) return gate;
  }
  return undefined;
}
