import type { JsonObject } from "#kernel/json";
import { SECONDS_MAX } from "./durations";

interface ForeignRetry {
  /** Calls after the first. */
  readonly retries: number;
  readonly backoffSeconds?: number | undefined;
  readonly backoffFactor?: number | undefined;
  readonly maxBackoffSeconds?: number | undefined;
}

/** A retry policy within the bounds of a plan; empty where nothing is retried. */
export function carryRetry(retry: ForeignRetry): { readonly retry?: JsonObject } {
  const retries = Math.floor(retry.retries);
  if (!(retries >= 1)) return {};
  const { backoffSeconds = 0, backoffFactor = 1, maxBackoffSeconds } = retry;
  return {
    retry: {
      maxAttempts: Math.min(retries + 1, 100),
      backoffSeconds,
      backoffFactor: Math.min(Math.max(backoffFactor, 1), 10),
      maxBackoffSeconds: maxBackoffSeconds ?? Math.max(3_600, backoffSeconds),
    },
  };
}

/** A time limit of a call, a year at most; empty where there is none. */
export const carryTimeout = (seconds: number | undefined): { readonly timeoutSeconds?: number } =>
  seconds !== undefined && seconds > 0 ? { timeoutSeconds: Math.min(seconds, SECONDS_MAX) } : {};
