import { setTimeout as delay } from "node:timers/promises";

/** Waits until `condition` gives something, and gives that back; fails with `what` after `timeoutMs`. */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value | undefined | false> | Value | undefined | false,
  timeoutMs = 30_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}`);
    await delay(10);
  }
}
