import type { CapabilitySnapshot, ErrorCategory } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import type { JsonObject, JsonValue } from "#kernel/json";
import type { CallContext } from "../runtime/ports";

/** What an implementation answers; the executor adds the latency and checks the output. */
export type CallResult = Omit<Observation, "latencyMs">;

/** A capability with the code that carries it out. The arguments already fit its input schema. */
export interface Implementation {
  readonly capability: CapabilitySnapshot;
  call(callArguments: JsonObject, context: CallContext): Promise<CallResult> | CallResult;
}

/** Carries out every registered capability of one provider, by the settings of each. */
export type CapabilityProvider = (capability: CapabilitySnapshot) => Implementation;

/** A call that worked and changed nothing. */
export const succeeded = (output: JsonValue): CallResult => ({ status: "ok", output, sideEffect: "none" });

/** A call that worked and took effect. */
export const committed = (output: JsonValue, stateChanged = true): CallResult => ({
  status: "ok",
  output,
  sideEffect: "committed",
  stateChanged,
});

interface Failure {
  readonly errorCategory: ErrorCategory;
  readonly message: string;
  readonly errorCode?: string;
  readonly sideEffect?: Observation["sideEffect"];
  readonly retryAfterSeconds?: number;
  readonly usage?: Observation["usage"];
}

/** Of a call that never left us. */
export const NOTHING_USED = { tokens: 0, costUsd: 0 } as const;

/** A failure that another attempt may not meet again. */
export const retryable = (failure: Failure): CallResult => ({ status: "retryable", sideEffect: "none", ...failure });

/** A failure that another attempt would meet again. */
export const terminal = (failure: Failure): CallResult => ({ status: "terminal", sideEffect: "none", ...failure });
