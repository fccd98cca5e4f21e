import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { changesSomething } from "#kernel/capability/side-effect";
import type { CallResult } from "./definition";

/**
 * A call cut short: by its own time limit, which another attempt may keep, or because the run no longer wants it.
 *
 * @param effect what is known of a call that changes something: `not_committed` where nothing was sent.
 */
export function interrupted(
  capability: CapabilitySnapshot,
  signal: AbortSignal,
  effect: "unknown" | "not_committed",
): CallResult {
  const timedOut = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
  return {
    status: timedOut ? "retryable" : "terminal",
    errorCategory: timedOut ? "timeout" : "cancelled",
    message: timedOut ? "The call took longer than its time limit." : "The call was cancelled.",
    sideEffect: changesSomething(capability) ? effect : "none",
  };
}
