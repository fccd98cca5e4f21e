import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** Drives a run until it has ended, only waits, was lost to another owner, or `signal` asks to let go. */
export type DriveRun = (runId: string, signal: AbortSignal) => Promise<void>;

export interface DriverPoolOptions {
  readonly drive: DriveRun;
  /** Runs driven at once. */
  readonly driversMax: number;
  readonly onFailure: (runId: string, error: unknown) => void;
}

/** A run whose driver failed is tried again after 1 s, then 2 s, and so on up to this. */
const RETRY_MS_MAX = 60_000;

/** The runs this process drives now, one driver each. */
export class DriverPool {
  readonly #options: DriverPoolOptions;
  readonly #stopping = new AbortController();
  readonly #drivers = new Map<string, Promise<void>>();
  /** Runs that were queued again while driven: their driver may just have let go, so they are driven once more. */
  readonly #again = new Set<string>();
  readonly #waiting: (() => void)[] = [];

  constructor(options: DriverPoolOptions) {
    this.#options = options;
    // Every driver listens, so any number of listeners is in order.
    setMaxListeners(0, this.#stopping.signal);
  }

  get size(): number {
    return this.#drivers.size;
  }

  /**
   * Settles once the run has a driver here, which may have to wait for another run's to finish. While stopping it
   * settles without one: the job is gone then, which the sweep of whoever is left sees at once.
   */
  async start(runId: string): Promise<void> {
    const { signal } = this.#stopping;
    while (!this.#drivers.has(runId) && this.#drivers.size >= this.#options.driversMax && !signal.aborted) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (signal.aborted) return;
    if (this.#drivers.has(runId)) {
      this.#again.add(runId);
      return;
    }
    this.#drivers.set(runId, this.#driveUntilDone(runId));
  }

  /** Asks every driver to let go and settles when all have. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const resolve of this.#waiting.splice(0)) resolve();
    await Promise.all([...this.#drivers.values()]);
  }

  async #driveUntilDone(runId: string): Promise<void> {
    do {
      this.#again.delete(runId);
      await this.#drive(runId);
    } while (this.#again.has(runId) && !this.#stopping.signal.aborted);
    this.#again.delete(runId);
    this.#drivers.delete(runId);
    this.#waiting.shift()?.();
  }

  async #drive(runId: string): Promise<void> {
    const { drive, onFailure } = this.#options;
    const { signal } = this.#stopping;
    for (let waitMs = 1_000; !signal.aborted; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
      try {
        await drive(runId, signal);
        return;
      } catch (error) {
        // Its lease is still ours and renewed, so nobody else meets the same failure meanwhile.
        onFailure(runId, error);
        await delay(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }
}
