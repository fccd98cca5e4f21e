import type { ClientBase, Pool } from "pg";
import type { Clock } from "../runtime/ports";

const SAMPLES = 5;
const REFRESH_MS = 60_000;

/** The database's clock, asked now. Text, then a number: what a driver makes of a timestamp depends on its settings. */
export async function databaseNow(client: Pool | ClientBase): Promise<number> {
  const result = await client.query<{ now: string }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS now",
  );
  const now = Number(result.rows[0]?.now);
  if (!Number.isFinite(now)) throw new Error("The database did not tell the time");
  return now;
}

/**
 * The database's clock, read through this process's own plus a measured offset: the middle of the quickest of five
 * round trips, taken again every minute. Between measurements the monotonic clock counts, so that a step of this
 * machine's wall clock moves nothing.
 */
export class DatabaseClock implements Clock {
  readonly #pool: Pool;
  #offsetMs = performance.timeOrigin;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  now(): number {
    // Microseconds: what lies below is noise of the measurement, and every event would carry its digits.
    return Math.round((performance.now() + this.#offsetMs) * 1_000) / 1_000;
  }

  /** Measures now and then every minute until {@link stop}. */
  async start(onError: (error: unknown) => void): Promise<void> {
    await this.#measure();
    this.#timer = setInterval(() => this.#measure().catch(onError), REFRESH_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #measure(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      let quickestMs = Number.POSITIVE_INFINITY;
      for (let sample = 0; sample < SAMPLES; sample++) {
        const sentAt = performance.now();
        const now = await databaseNow(client);
        const receivedAt = performance.now();
        if (receivedAt - sentAt < quickestMs) {
          quickestMs = receivedAt - sentAt;
          this.#offsetMs = now - (sentAt + receivedAt) / 2;
        }
      }
    } finally {
      client.release();
    }
  }
}
