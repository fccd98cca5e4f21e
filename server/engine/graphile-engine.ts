import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type { Pool } from "pg";
import type { Engine } from "../runtime/ports";
import { type DriveRun, DriverPool } from "./driver-pool";
import type { EngineLog } from "./engine-log";

/** The queue's only job: "drive run R". Its payload is `{ runId }`. */
export const DRIVE_RUN = "drive_run";

export interface GraphileEngineOptions {
  readonly pool: Pool;
  readonly drive: DriveRun;
  /** Gives runs that nobody drives a new job; called often, so it must be cheap when all is well. */
  readonly sweep: () => Promise<{ readonly [kind: string]: readonly string[] }>;
  readonly log: EngineLog;
  /** Runs driven at once in this process. Default 500. */
  readonly driversMax?: number;
  /** Default 400: with the lease it makes up how long a dead worker's runs stand still. */
  readonly sweepIntervalMs?: number;
}

/** Jobs fetched at once, and handed to drivers at once. */
const FETCH_MAX = 100;
/** How late a timer may be noticed: jobs with a time of their own announce nothing when it comes. */
const POLL_MS = 500;

/**
 * Graphile Worker behind the Engine port.
 *
 * A job only hands its run to a driver of this process and is done: from then on the run's lease says who drives it,
 * and the sweep finds it if that owner dies, so no job stays locked for as long as a run lasts and the queue never
 * limits how many runs are driven. Jobs are fetched and completed in batches.
 */
export class GraphileEngine implements Engine {
  readonly #options: GraphileEngineOptions;
  readonly #drivers: DriverPool;
  #runner: Runner | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #sweepTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: GraphileEngineOptions) {
    this.#options = options;
    this.#drivers = new DriverPool({
      drive: options.drive,
      driversMax: options.driversMax ?? 500,
      onFailure: (runId, error) => options.log.error({ runId, err: error }, "the driver of a run failed"),
    });
  }

  /** Runs driven here now. */
  get driven(): number {
    return this.#drivers.size;
  }

  async start(): Promise<void> {
    this.#runner = await this.#run();
    void this.#keepRunning();
    this.#sweepLater(0);
  }

  /** The runner ends by itself when the database is away for long; a worker without one would only look alive. */
  async #keepRunning(): Promise<void> {
    while (!this.#stopped) {
      await this.#runner?.promise.catch((error: unknown) => {
        this.#options.log.warn({ err: error }, "the queue's runner ended");
      });
      if (this.#stopped) return;
      await delay(1_000);
      if (!this.#stopped) this.#runner = await this.#run().catch(() => this.#runner);
    }
  }

  #run(): Promise<Runner> {
    // A connection may break while it is lent out; unheard, that would end the process.
    const { pool } = this.#options;
    if (pool.listenerCount("connect") === 0) pool.on("connect", (client) => client.on("error", () => {}));
    const taskList: TaskList = {
      [DRIVE_RUN]: async (payload) => {
        const runId = runIdOf(payload);
        if (runId !== undefined) await this.#drivers.start(runId);
      },
    };
    return run({
      pgPool: pool,
      taskList,
      noHandleSignals: true,
      logger: bridge(this.#options.log),
      events: new EventEmitter() as WorkerEvents,
      preset: {
        worker: {
          concurrentJobs: FETCH_MAX,
          pollInterval: POLL_MS,
          localQueue: { size: FETCH_MAX, ttl: 2_000 },
          completeJobBatchDelay: 5,
          failJobBatchDelay: 5,
        },
      },
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#sweepTimer);
    // Drivers first: what they release is queued for another worker at once.
    await Promise.all([this.#drivers.stop(), this.#runner?.stop(), this.#sweeping]);
  }

  #sweepLater(delayMs: number): void {
    if (this.#stopped) return;
    this.#sweepTimer = setTimeout(() => {
      this.#sweeping = this.#sweep().finally(() => this.#sweepLater(this.#options.sweepIntervalMs ?? 400));
    }, delayMs);
  }

  /** One bad sweep is one line in the log: the next comes all the same. */
  async #sweep(): Promise<void> {
    const { sweep, log } = this.#options;
    try {
      const report = await sweep();
      if (Object.values(report).some((found) => found.length > 0)) log.warn({ ...report }, "runs were left behind");
    } catch (error) {
      log.warn({ err: error }, "a sweep failed");
    }
  }
}

function runIdOf(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null || !("runId" in payload)) return undefined;
  return typeof payload.runId === "string" ? payload.runId : undefined;
}

/** The queue's own lines, a level lower than it thinks: ours say what matters. */
const bridge = (log: EngineLog): Logger =>
  new Logger(() => (level, message, meta) => {
    if (level === "error") log.warn({ ...meta, source: "queue" }, message);
    else log.debug({ source: "queue" }, message);
  });
