import { setTimeout as delay } from "node:timers/promises";

/** SQLSTATE classes and codes that say "not now", not "not like this". */
const TRANSIENT_CODE =
  /^(08...|40001|40P01|53300|55P03|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
const TRANSIENT_MESSAGE = /connection terminated|connection ended|connection timeout|timeout exceeded when trying/i;

/** True for an error that goes away by itself: a restart of the database, a lost connection, a deadlock's victim. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return TRANSIENT_CODE.test(code) || TRANSIENT_MESSAGE.test(error.message);
}

/**
 * Repeats `attempt` while it fails transiently, 20 ms apart at first and 1 s at most, until `signal` is aborted. The
 * caller's statement must bear repetition: after a lost reply nobody knows whether it committed.
 */
export async function retryTransient<Value>(attempt: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error) || signal?.aborted) throw error;
      await delay(waitMs);
    }
  }
}
