import type { CapabilitySnapshot } from "../capability/capability";
import type { Observation } from "../capability/observation";
import type { TaskId } from "../ids";
import { changesSomething } from "./attempt";
import { allowsRetry } from "./budget";
import type { Cause, NewRunEvent } from "./event";
import { backoffMs, isRetryable } from "./retry";
import type { RunState, TaskState } from "./state";
import { isTerminal } from "./status";

/** One call that came back. */
export interface CallResult {
  readonly taskId: TaskId;
  readonly attempt: number;
  /** When the call began, epoch milliseconds on the database clock. */
  readonly startedAt: number;
  readonly observation: Observation;
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
  if (observation.status === "ok") return [{ type: "task_succeeded", ...head }];
  const capability = state.capabilities.get(task.task.capability);
  if (isUncertain(observation, capability)) return [{ type: "outcome_unknown", ...head }];
  if (!isRetryable(observation, capability)) return [failed(head)];
  const most = task.task.retry?.maxAttempts ?? 1;
  if (attempt >= most) return [failed(head, most > 1 ? ` It was tried ${attempt} times.` : "")];
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
      notBefore: now + backoffMs(state.runId, task, attempt, observation),
      cause: causeOf(observation),
    },
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
