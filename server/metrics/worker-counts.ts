import { z } from "zod";
import { Histogram, histogramSchema } from "./histogram";

/** What a worker process has counted since it began. It goes to the database with each heartbeat. */
export const workerCountsSchema = z.object({
  /** From the moment a task was ready and nothing held it until its call began. */
  dispatchSeconds: histogramSchema,
  /** From handing events to the database until they are durable. */
  appendSeconds: histogramSchema,
  eventsAppended: z.int().min(0),
  /** By outcome. */
  runsFinished: z.record(z.string(), z.int().min(0)),
  /** Drivers that failed and were started again. */
  driverFailures: z.int().min(0),
  /** Runs found without a driver, by kind. */
  runsLeftBehind: z.int().min(0),
  runsDriven: z.int().min(0),
  residentBytes: z.int().min(0),
  /** How late timers of this process ran at worst since the heartbeat before. */
  eventLoopLagSeconds: z.number().min(0),
});
export type WorkerCounts = z.infer<typeof workerCountsSchema>;

/** Counts what a worker does. Cheap enough for the hot path: additions, no allocation. */
export class WorkerMeter {
  readonly #dispatch = new Histogram();
  readonly #append = new Histogram();
  readonly #finished = new Map<string, number>();
  #events = 0;
  #failures = 0;
  #leftBehind = 0;

  dispatched(waitedMs: number): void {
    this.#dispatch.observe(Math.max(0, waitedMs) / 1_000);
  }

  appended(tookMs: number, events: number): void {
    this.#append.observe(tookMs / 1_000);
    this.#events += events;
  }

  finished(outcome: string): void {
    this.#finished.set(outcome, (this.#finished.get(outcome) ?? 0) + 1);
  }

  failed(): void {
    this.#failures += 1;
  }

  foundLeftBehind(runs: number): void {
    this.#leftBehind += runs;
  }

  counts(now: { readonly runsDriven: number; readonly eventLoopLagMs: number }): WorkerCounts {
    return {
      dispatchSeconds: this.#dispatch.counts(),
      appendSeconds: this.#append.counts(),
      eventsAppended: this.#events,
      runsFinished: Object.fromEntries(this.#finished),
      driverFailures: this.#failures,
      runsLeftBehind: this.#leftBehind,
      runsDriven: now.runsDriven,
      residentBytes: process.memoryUsage.rss(),
      eventLoopLagSeconds: Math.round(now.eventLoopLagMs) / 1_000,
    };
  }
}
