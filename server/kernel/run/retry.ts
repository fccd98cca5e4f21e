import type { CapabilitySnapshot, ErrorCategory } from "../capability/capability";
import type { Observation } from "../capability/observation";
import { sha256 } from "../sha256";
import type { TaskState } from "./state";

/** No policy makes these worth another attempt: the answer would be the same, or was meant. */
const NEVER: ReadonlySet<ErrorCategory> = new Set<ErrorCategory>([
  "forbidden",
  "policy_denied",
  "invalid_arguments",
  "not_found",
  "capability_gone",
  "output_too_large",
  "output_invalid",
  "cancelled",
]);

/** What a callee asks for is believed up to an hour; a longer wait is a person's matter. */
export const RETRY_AFTER_SECONDS_MAX = 3_600;

/** Waits are up to a tenth longer than they have to be, so that tasks that failed together do not return together. */
const JITTER = 0.1;

/**
 * True where another attempt may help: the provider says so, the capability counts this kind of failure among those
 * worth one (`retryOn`), nothing took effect, and the kind is not one that no policy can make retryable.
 */
export function isRetryable(observation: Observation, capability: CapabilitySnapshot | undefined): boolean {
  const { status, sideEffect, errorCategory } = observation;
  if (status !== "retryable" || sideEffect === "committed") return false;
  if (errorCategory === undefined) return true;
  return !NEVER.has(errorCategory) && (capability === undefined || capability.retryOn.includes(errorCategory));
}

/**
 * How long the next attempt waits, milliseconds: exponential and capped, or what the callee asks for where that is
 * longer, plus a jitter that follows from run, task and attempt, so that a replay is exact.
 */
export function backoffMs(runId: string, task: TaskState, attempt: number, observation: Observation): number {
  const retry = task.task.retry;
  if (retry === undefined) return 0;
  const own = Math.min(retry.backoffSeconds * retry.backoffFactor ** (attempt - 1), retry.maxBackoffSeconds);
  const asked = Math.min(observation.retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX);
  const seconds = Math.max(own, asked);
  return Math.round(seconds * 1_000 * (1 + JITTER * chanceOf(`${runId}:${task.id}:${attempt}`)));
}

/** A number in [0, 1) that is always the same for one text. */
const chanceOf = (text: string): number => Number.parseInt(sha256(text).slice(0, 8), 16) / 0x1_0000_0000;
