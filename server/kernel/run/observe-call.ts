import type { CapabilitySnapshot } from "../capability/capability";
import type { Observation } from "../capability/observation";
import { changesSomething } from "../capability/side-effect";
import type { TaskId } from "../ids";
import { allowsRetry } from "./budget";
import type { Cause, NewRunEvent } from "./event";
import { isPending, nextPollAt, pollingOf, pollsOf } from "./polling";
import { judgeRepeat } from "./repetition";
import { backoffMs, isRetryable } from "./retry";
import type { Repeat, RunState, TaskState } from "./state";
import { isTerminal } from "./status";

/** One call that came back. */
export interface CallResult {
  readonly taskId: TaskId;
  readonly attempt: number;
  /** When the call began, epoch milliseconds on the database clock. */
  readonly startedAt: number;
  readonly observation: Observation;
  /** The earlier call that it repeats, as its dispatch said. */
  readonly repeats?: Repeat;
  /** It answered that it is not done yet; said by whoever saw an output that is put away by now. */
  readonly pending?: boolean;
}

/**
 * The events that a call's result makes.
 *
 * A result for a task that has ended otherwise, for an attempt that is not its last, or after the run was cancelled is
 * kept as a late observation and changes nothing. A call that may have taken effect and cannot be repeated safely
 * becomes `outcome_unknown`. A retryable failure is tried again after its backoff while attempts and the retries budget
 * last; what is retryable is for `isRetryable` to say.
 */
export function eventsOfResult(state: RunState, result: CallResult, now: number): NewRunEvent[] {
  const { taskId, attempt, startedAt, observation } = result;
  const task = state.tasks.get(taskId);
  const head = { at: now, taskId, attempt, startedAt, observation };
  if (task === undefined || state.cancelledBy !== undefined || !awaits(task, attempt)) {
    return [{ type: "task_observed", ...head, late: true }];
  }
  const capability = state.capabilities.get(task.task.capability);
  if (observation.status === "ok") {
    if (result.pending ?? isPending(capability, observation)) return pollAgain(state, task, result, now);
    return [{ type: "task_succeeded", ...head }, ...repetition(state, task, result, now)];
  }
  if (isUncertain(observation, capability)) return [{ type: "outcome_unknown", ...head }];
  const repeated = repetition(state, task, result, now);
  if (!isRetryable(observation, capability)) return [failed(head), ...repeated];
  const most = task.task.retry?.maxAttempts ?? 1;
  const tries = attempt - pollsOf(task);
  if (tries >= most) return [failed(head, most > 1 ? ` It was tried ${tries} times.` : ""), ...repeated];
  if (!allowsRetry(state)) {
    const limit = state.plan?.budgets?.retries ?? 0;
    const cause = { code: "budget.retries", message: `The budget retries allows ${limit}, and all are used.` };
    return [
      { type: "task_observed", ...head },
      { type: "task_stopped", at: now, taskId, cause },
    ];
  }
  return [
    { type: "task_observed", ...head },
    {
      type: "task_retry_scheduled",
      at: now,
      taskId,
      attempt: attempt + 1,
      notBefore: now + backoffMs(state.runId, task, tries, observation),
      cause: causeOf(observation),
    },
  ];
}

/** What is to be said of a call that repeats an earlier one, now that it is settled. */
function repetition(state: RunState, task: TaskState, result: CallResult, now: number): NewRunEvent[] {
  const { taskId, attempt, observation, repeats } = result;
  if (repeats === undefined) return [];
  const { signature, times, of } = repeats;
  const verdict = judgeRepeat(state, task, { repeats, observation, now });
  return [{ type: "repetition_detected", at: now, taskId, attempt, signature, times, verdict, of }];
}

/** The call answered that it is not done: it is asked again while its polling policy lasts, and fails after that. */
function pollAgain(state: RunState, task: TaskState, result: CallResult, now: number): NewRunEvent[] {
  const { taskId, attempt, startedAt, observation } = result;
  const head = { at: now, taskId, attempt, startedAt, observation };
  const policy = pollingOf(state.capabilities.get(task.task.capability));
  const made = pollsOf(task) + 1;
  const since = task.attempts[0]?.startedAt ?? startedAt;
  const notBefore = policy && nextPollAt(policy, { made, since, now });
  const repeated = repetition(state, task, result, now);
  if (notBefore === undefined) {
    const seconds = Math.round((now - since) / 1_000);
    const message = `It was not done after ${made} ${made === 1 ? "call" : "calls"} in ${seconds} s, and may not be asked again.`;
    return [{ type: "task_failed", ...head, cause: { code: "polling_exhausted", message } }, ...repeated];
  }
  const cause = { code: "polling", message: `It is not done yet, after ${made} of ${policy?.maxPolls} calls.` };
  return [
    { type: "task_observed", ...head },
    ...repeated,
    { type: "task_retry_scheduled", at: now, taskId, attempt: attempt + 1, notBefore, cause, poll: true },
  ];
}

/** The task still waits for this attempt. A short call leaves no start in the log, so it may read `ready`. */
function awaits(task: TaskState, attempt: number): boolean {
  if (isTerminal(task.status) || task.status === "unknown_outcome" || task.status === "blocked") return false;
  const last = task.attempts.at(-1);
  return last === undefined || last.attempt < attempt || (last.attempt === attempt && last.endedAt === undefined);
}

/** True where a repeat could do the thing twice: it may have happened, and the callee cannot tell a repeat. */
function isUncertain(observation: Observation, capability: CapabilitySnapshot | undefined): boolean {
  if (observation.sideEffect !== "unknown" || !changesSomething(capability)) return false;
  return capability?.idempotency !== "natural" && capability?.idempotency !== "key";
}

function failed(head: CallResult & { readonly at: number }, note = ""): NewRunEvent {
  const cause = causeOf(head.observation);
  return { type: "task_failed", ...head, cause: { ...cause, message: cause.message + note } };
}

function causeOf({ errorCode, errorCategory, message }: Observation): Cause {
  const code = errorCode ?? errorCategory ?? "internal";
  return { code, message: message ?? `The call failed: ${code.replaceAll("_", " ")}.` };
}
