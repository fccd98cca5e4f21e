import { fillTemplate, passes } from "../capability/call-template";
import type { LookUp } from "../capability/capability";
import type { Observation } from "../capability/observation";
import { changesSomething } from "../capability/side-effect";
import { getAtPointer, type JsonValue } from "../json";
import { resolveTaskArguments } from "./action";
import { idempotencyKey } from "./attempt";
import { allowsRetry, type BudgetedCall, nothingReserved, refusedByBudget } from "./budget";
import { type Command, type LookUpCommand, loadOutputs, record } from "./command";
import type { Asking } from "./decide-options";
import type { NewRunEvent } from "./event";
import { backoffMs } from "./retry";
import type { RunState, TaskState } from "./state";

/** Look-ups that the runtime makes by itself before it asks a person, and the wait between two of them. */
export const LOOK_UPS_MAX = 3;
const LOOK_UP_WAIT_MS = [0, 2_000, 10_000] as const;

/**
 * What asks whether a call of unknown outcome took effect: the next look-up, the wait before it, or undefined where
 * there is none to make and a person has to say. A person may ask for one at any time. Each needs room in the budgets:
 * it waits where calls in progress may still give some back, and is not made where none is left.
 */
export function nextLookUp(state: RunState, task: TaskState, { now, options }: Asking): Command[] | undefined {
  const attempt = task.attempts.at(-1)?.attempt ?? 1;
  const known = task.lookUp?.attempt === attempt ? task.lookUp : undefined;
  const requestedBy = known?.requestedBy;
  const lookUp = lookUpOf(state, task);
  if (lookUp === undefined) return undefined;
  const made = known?.made ?? 0;
  if (options.isLookingUp?.(task.id) === true) return [];
  const refusal = refusedByBudget(state, callOf(lookUp), nothingReserved());
  if (requestedBy === undefined) {
    if (made >= LOOK_UPS_MAX || refusal?.final === true) return undefined;
    const due = (known?.lastAt ?? now) + (LOOK_UP_WAIT_MS[made] ?? 0);
    if (known !== undefined && now < due) return [{ type: "wake", at: due }];
  }
  if (refusal !== undefined) {
    return refusal.final ? [record(notLookedUp({ taskId: task.id, attempt, by: requestedBy }, refusal, now))] : [];
  }
  const resolution = resolveTaskArguments(state, task, options.load);
  if (resolution.type === "missing") return loadOutputs(resolution.outputRefs);
  const callArguments = resolution.type === "resolved" ? resolution.value : task.task.arguments;
  const timeoutMs = (state.capabilities.get(lookUp.capability)?.timeoutSeconds ?? 60) * 1_000;
  const command: LookUpCommand = {
    type: "look_up",
    taskId: task.id,
    attempt,
    capability: lookUp.capability,
    arguments: fillTemplate(lookUp.arguments, callArguments, idempotencyKey(state, task)),
    timeoutMs,
    ...(requestedBy === undefined ? {} : { by: requestedBy }),
  };
  return [command];
}

/** A look-up as the budgets see it. */
export const callOf = ({ capability }: Pick<LookUp, "capability">): BudgetedCall => ({ task: { capability } });

/** A look-up that no limit leaves room for: it was not made, and nothing is known by it. */
export const notLookedUp = (
  { taskId, attempt, by }: Pick<LookUpCommand, "taskId" | "attempt" | "by">,
  refusal: { readonly message: string },
  now: number,
): NewRunEvent => ({
  type: "outcome_looked_up",
  at: now,
  taskId,
  attempt,
  verdict: "undecided",
  message: `It was not looked up: ${refusal.message}`,
  ...(by === undefined ? {} : { by }),
});

/** The look-up of a task's capability, where it declares one that the run has pinned and that changes nothing. */
export function lookUpOf(state: RunState, task: TaskState): LookUp | undefined {
  const lookUp = state.capabilities.get(task.task.capability)?.lookUp;
  if (lookUp === undefined) return undefined;
  return changesSomething(state.capabilities.get(lookUp.capability)) ? undefined : lookUp;
}

/**
 * The events that a look-up's answer makes. It took effect: the task has succeeded. It did not: the call failed for
 * certain, and is tried again while attempts and the retries budget last. Neither is certain: nothing changes.
 *
 * That it did not is believed of the last look-up, after its wait, or where a person asked: the callee may be at work on
 * the call still, and knows nothing of it until it commits.
 */
export function eventsOfLookUp(
  state: RunState,
  { taskId, attempt, by }: LookUpCommand,
  observation: Observation,
  now: number,
): NewRunEvent[] {
  const task = state.tasks.get(taskId);
  const lookUp = task && lookUpOf(state, task);
  if (task?.status !== "unknown_outcome" || lookUp === undefined || task.attempts.at(-1)?.attempt !== attempt)
    return [];
  const made = task.lookUp?.attempt === attempt ? task.lookUp.made : 0;
  const isEarly = by === undefined && made + 1 < LOOK_UPS_MAX;
  const { verdict, message, output } = believed(verdictOf(lookUp, observation), isEarly);
  const asked = by === undefined ? {} : { by };
  const events: NewRunEvent[] = [{ type: "outcome_looked_up", at: now, taskId, attempt, verdict, message, ...asked }];
  const startedAt = task.attempts.at(-1)?.startedAt ?? now;
  if (verdict === "committed") {
    const { latencyMs } = observation;
    const found: Observation = { status: "ok", output, sideEffect: "committed", latencyMs };
    events.push({ type: "task_succeeded", at: now, taskId, attempt, startedAt, observation: found });
  } else if (verdict === "not_committed") {
    events.push(tryAgain(state, task, attempt, message, now));
  }
  return events;
}

function tryAgain(state: RunState, task: TaskState, attempt: number, message: string, now: number): NewRunEvent {
  const cause = { code: "not_committed", message };
  if (attempt >= (task.task.retry?.maxAttempts ?? 1) || !allowsRetry(state)) {
    return { type: "task_failed", at: now, taskId: task.id, attempt, cause };
  }
  const last = task.attempts.at(-1)?.observation;
  const wait = backoffMs(state.runId, task, attempt, last ?? { status: "retryable", sideEffect: "none", latencyMs: 0 });
  return { type: "task_retry_scheduled", at: now, taskId: task.id, attempt: attempt + 1, notBefore: now + wait, cause };
}

interface Verdict {
  readonly verdict: "committed" | "not_committed" | "undecided";
  readonly message: string;
  readonly output: JsonValue;
}

const believed = (said: Verdict, isEarly: boolean): Verdict =>
  isEarly && said.verdict === "not_committed"
    ? { ...said, verdict: "undecided", message: `${said.message} It may be at work on it still, so it is asked again.` }
    : said;

function verdictOf(lookUp: LookUp, observation: Observation): Verdict {
  const answer = observation.output ?? null;
  if (observation.status === "ok") {
    if (passes(lookUp.committed, answer)) {
      const output = lookUp.output === undefined ? answer : (getAtPointer(answer, lookUp.output) ?? null);
      return { verdict: "committed", message: `${lookUp.capability} says that it took effect.`, output };
    }
    if (lookUp.notCommitted !== undefined && passes(lookUp.notCommitted, answer)) {
      return { verdict: "not_committed", message: `${lookUp.capability} says that it took no effect.`, output: null };
    }
    return { verdict: "undecided", message: `${lookUp.capability} does not say whether it took effect.`, output: null };
  }
  if (observation.errorCategory === "not_found") {
    return { verdict: "not_committed", message: `${lookUp.capability} knows nothing of the call.`, output: null };
  }
  const why = observation.message ?? observation.errorCategory ?? "it failed";
  return { verdict: "undecided", message: `${lookUp.capability} could not be asked: ${why}`, output: null };
}
