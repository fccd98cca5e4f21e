import { withDefaults } from "../capability/defaults";
import type { Observation } from "../capability/observation";
import { changesSomething } from "../capability/side-effect";
import { getOwn, isJsonObject } from "../json";
import { approvalSchema, type CompletionCheck } from "../plan/plan";
import { resolveArguments } from "../plan/reference";
import { runDueAt } from "./budget";
import { type Command, loadOutputs, record } from "./command";
import { evaluateCondition } from "./condition";
import type { Asking } from "./decide-options";
import type { NewRunEvent, RunEventOf } from "./event";
import { purposeOf } from "./gate";
import { requestGate } from "./gate-request";
import { viewOf } from "./outputs";
import type { GateState, RunState } from "./state";

interface CheckRequest extends Asking {
  readonly check: CompletionCheck;
  readonly index: number;
}

/** The next completion check that has no result; undefined once one has not passed, or where none is left. */
export function nextCheck(state: RunState): CompletionCheck | undefined {
  const next = state.plan?.completion[state.completion.length];
  if (next === undefined || state.completion.some((result) => !result.passed)) return undefined;
  return isWorthMaking(state, next) ? next : undefined;
}

/**
 * A check that costs a call or a person is left out where the run has failed anyway. A deadline is no such end: the
 * verification reserve was kept so that what was done by then can be checked.
 */
function isWorthMaking(state: RunState, check: CompletionCheck): boolean {
  if (check.check === "json_schema" || check.check === "predicate") return true;
  if (state.firstFailure !== undefined || state.firstRejection !== undefined) return false;
  const reserve = state.plan?.budgets?.verificationReserveSeconds ?? 0;
  return state.firstStop === undefined || (state.firstStop.code === "budget.deadlineSeconds" && reserve > 0);
}

/** Makes the next completion check: its result, the call or the gate that decides it, or nothing while one is awaited. */
export function checkCompletion(state: RunState, asking: Asking): Command[] {
  const check = nextCheck(state);
  if (check === undefined) return [];
  const request: CheckRequest = { ...asking, check, index: state.completion.length };
  switch (check.check) {
    case "json_schema":
      return checkSchema(state, request, check);
    case "predicate":
      return checkPredicate(state, request, check);
    case "capability":
      return state.status === "paused" ? [] : callCheck(state, request, check);
    case "human":
      return askPerson(state, request, check);
  }
}

const checked = ({ now, check }: CheckRequest, passed: boolean, message: string): Command[] => [
  record({ type: "completion_checked", at: now, check, passed, message }),
];

/** Nobody could tell. That is no proof, and it is not the same as being found wrong. */
const undecided = ({ now, check }: CheckRequest, message: string): Command[] => [
  record({ type: "completion_checked", at: now, check, passed: false, undecided: true, message }),
];

function checkSchema(
  state: RunState,
  request: CheckRequest,
  { task: taskId, schema }: Extract<CompletionCheck, { check: "json_schema" }>,
): Command[] {
  const task = state.tasks.get(taskId);
  if (task?.status !== "succeeded") {
    const how = task ? `ended as ${task.status}` : "is not there";
    return undecided(request, `“${taskId}” has no output to check: it ${how}.`);
  }
  const output = task.outputRef === undefined ? (task.output ?? null) : request.options.load?.(task.outputRef);
  if (output === undefined) return loadOutputs([task.outputRef ?? ""]);
  if (request.options.checkSchema === undefined) return undecided(request, "No schema checker is at hand.");
  const issue = request.options.checkSchema(schema, output)[0];
  if (issue === undefined) return checked(request, true, `The output of “${taskId}” fits its schema.`);
  if (issue.keyword === "$schema") return undecided(request, issue.message);
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

/** A call that checks the result. It may read, never change, and never passes a gate by: a check is no step of the plan. */
function callCheck(
  state: RunState,
  request: CheckRequest,
  check: Extract<CompletionCheck, { check: "capability" }>,
): Command[] {
  const name = check.capability;
  const capability = state.capabilities.get(name);
  if (capability === undefined) return undecided(request, `This run has no capability “${name}”.`);
  if (changesSomething(capability)) {
    return undecided(request, `“${name}” changes something, so it cannot check the result.`);
  }
  if (capability.approval === "always") {
    return undecided(request, `“${name}” asks for a signature before every call, so it cannot check the result.`);
  }
  const view = viewOf(state, request.options.load);
  const resolved = resolveArguments(check.arguments, view.output);
  if (view.missing.size > 0) return loadOutputs(view.missing);
  if (!resolved.ok) return undecided(request, resolved.error.map((failure) => failure.message).join(" "));
  const { value } = withDefaults(capability.inputSchema, resolved.value.value);
  const leftMs = (runDueAt(state) ?? Number.POSITIVE_INFINITY) - request.now;
  const timeoutMs = Math.min(capability.timeoutSeconds * 1000, Math.max(1, leftMs));
  return [{ type: "check_completion", index: request.index, capability: name, arguments: value, timeoutMs }];
}

/**
 * What a checking call says of the result: it passes when the call succeeds, unless its output is false or holds
 * `"passed": false`. A call that failed says nothing, so the check is undecided.
 */
export function completionOfCall(state: RunState, index: number, observation: Observation, now: number): NewRunEvent[] {
  const check = state.plan?.completion[index];
  if (check === undefined || state.completion.length !== index || state.status === "finished") return [];
  const head = { type: "completion_checked", at: now, check } as const;
  if (observation.status !== "ok") {
    const why = observation.message ?? observation.errorCategory ?? "it failed";
    return [{ ...head, passed: false, undecided: true, message: `The call that checks the result failed: ${why}` }];
  }
  const { output } = observation;
  const passed = output !== false && !(isJsonObject(output) && getOwn(output, "passed") === false);
  const said = isJsonObject(output) ? getOwn(output, "message") : undefined;
  const message = typeof said === "string" ? said : passed ? "The check passed." : "The check did not pass.";
  return [{ ...head, passed, message: message.slice(0, MESSAGE_LENGTH_MAX) }];
}

/** A reason is read by a person; an output of any size is not one. */
const MESSAGE_LENGTH_MAX = 2_000;

/** A person checks the result: a gate whose approval is the check. It closes with the run's deadline. */
function askPerson(
  state: RunState,
  request: CheckRequest,
  { question, role }: Extract<CompletionCheck, { check: "human" }>,
): Command[] {
  const gate = completionGate(state, request.index);
  if (gate === undefined) {
    if (state.status === "paused") return [];
    const approval = approvalSchema.parse({ role });
    const leftSeconds = Math.max(0, (runDueAt(state) ?? Number.POSITIVE_INFINITY) - request.now) / 1_000;
    const decideWithinSeconds = Math.min(approval.decideWithinSeconds, leftSeconds);
    return [
      requestGate(state, request, {
        purpose: "completion",
        approval: { ...approval, decideWithinSeconds },
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
      return undecided(request, `Nobody answered in time: ${question}`);
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
