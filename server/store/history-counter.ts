import type { Pool } from "pg";
import { countHistory } from "./count-history";

const EVERY_MS = 15_000;

export interface HistoryCounter {
  stop(): Promise<void>;
}

/** Counts what finished runs say of capabilities, now and then, until stopped. A time that fails is made up by the next. */
export function startHistoryCounter(pool: Pool, onError: (error: unknown) => void): HistoryCounter {
  let counting: Promise<unknown> | undefined;
  const count = (): void => {
    counting ??= countHistory(pool)
      .catch(onError)
      .finally(() => {
        counting = undefined;
      });
  };
  const timer = setInterval(count, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await counting;
    },
  };
}
