import type { Observation } from "#kernel/capability/observation";
import type { JsonValue } from "#kernel/json";
import type { CallContext, CapabilityExecutor, Timers } from "../ports";
import { normaliseObservation } from "./normalise-observation";

/** How long a call may take to come back once it was aborted; after that it is given up on. */
export const ABORT_GRACE_MS = 1_000;

export interface CallRequest {
  readonly capability: string;
  readonly arguments: JsonValue;
  readonly timeoutMs: number;
  readonly context: Omit<CallContext, "signal" | "timeoutMs">;
  /** True for a capability that changes something: a call that never came back may have taken effect. */
  readonly changes: boolean;
}

/**
 * Makes one call under its time limit. Always settles with an observation: an executor that throws, or that does not
 * come back after its signal was aborted, is a fault of ours and is told as one.
 *
 * @param abort aborting it cuts the call short; the time limit aborts it with a `TimeoutError`.
 */
export async function makeCall(
  executor: CapabilityExecutor,
  timers: Timers,
  { request, abort }: { request: CallRequest; abort: AbortController },
): Promise<Observation> {
  const { timeoutMs, changes } = request;
  const callOff = timers.after(timeoutMs, () => abort.abort(timeoutError(timeoutMs)));
  try {
    const { capability, context } = request;
    const call = executor.call(capability, request.arguments, { ...context, signal: abort.signal, timeoutMs });
    return normaliseObservation(await Promise.race([call, givenUp(abort.signal, timers, changes)]));
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : String(problem);
    return normaliseObservation({ ...fault(changes), errorCategory: "internal", message });
  } finally {
    callOff();
  }
}

const fault = (changes: boolean): Pick<Observation, "status" | "sideEffect" | "latencyMs"> => ({
  status: "terminal",
  sideEffect: changes ? "unknown" : "none",
  latencyMs: 0,
});

function timeoutError(timeoutMs: number): Error {
  const error = new Error(`The call took longer than ${timeoutMs / 1000} s.`);
  error.name = "TimeoutError";
  return error;
}

function givenUp(signal: AbortSignal, timers: Timers, changes: boolean): Promise<Observation> {
  return new Promise((resolve) => {
    const giveUp = (): void => {
      const timedOut = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
      timers.after(ABORT_GRACE_MS, () =>
        resolve({
          ...fault(changes),
          status: timedOut ? "retryable" : "terminal",
          errorCategory: timedOut ? "timeout" : "cancelled",
          message: timedOut ? "The call did not come back in time." : "The call was cut short and did not come back.",
        }),
      );
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}
