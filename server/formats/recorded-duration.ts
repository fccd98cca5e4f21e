import type { JsonValue } from "#kernel/json";

/**
 * Formats that describe durations but no calls we could make come in as waits: the plan can be analysed at once, and
 * run as a rehearsal in which every task takes as long as it is said to.
 */
export const WAIT_CAPABILITY = "wait.sleep";

/** The longest wait that `wait.sleep` takes; a longer duration stands in the estimate alone. */
export const WAIT_SECONDS_MAX = 604_800;

export const waitArguments = (seconds: number): JsonValue => ({ seconds: Math.min(seconds, WAIT_SECONDS_MAX) });
