import type { Pool } from "pg";
import { checkSchema } from "./capabilities/schema-check";
import type { EngineLog } from "./engine/engine-log";
import { GraphileEngine } from "./engine/graphile-engine";
import { startHeartbeat } from "./heartbeat";
import type { AddressPolicy } from "./network/address-policy";
import { Notifier } from "./notifications/notifier";
import { Controller, systemTimers } from "./runtime/controller";
import type { DriverTuning } from "./runtime/driver/driver-ports";
import type { Sealer } from "./runtime/notifications";
import type { CapabilityExecutor } from "./runtime/ports";
import { openDriverStore } from "./store/driver-store";
import { createNotificationOutbox } from "./store/notification-outbox";
import { sweepRuns } from "./store/run-sweep";

export interface WorkerOptions {
  readonly database: { readonly pool: Pool; readonly url: string };
  readonly executor: CapabilityExecutor;
  readonly log: EngineLog;
  readonly leaseMs?: number;
  readonly sweepIntervalMs?: number;
  readonly driversMax?: number;
  readonly tuning?: Partial<DriverTuning>;
  /** Tells people of gates and runs; absent: this worker tells nobody. */
  readonly notifications?: WorkerNotifications;
}

export interface WorkerNotifications {
  readonly sealer: Sealer;
  readonly policy: AddressPolicy;
  /** The server's address, as people type it. */
  readonly baseUrl: string;
  readonly everyMs?: number;
  readonly timeoutMs?: number;
}

/** A worker: drives runs until it is stopped. */
export interface Worker {
  /** Names this worker in leases and heartbeats. */
  readonly id: string;
  /** Lets go of every run, each left due for another worker, and settles when nothing of it is left. */
  stop(): Promise<void>;
}

/** Joins store, controller and engine. Any number of workers may share a database, in one process or in many. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { database, executor, log } = options;
  const { pool } = database;
  const onError = (error: unknown): void => log.warn({ err: error }, "the worker's store met a fault");
  const store = await openDriverStore({
    pool,
    connectionString: database.url,
    onError,
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
  });
  const { leases, wakeups, artifacts, clock } = store;
  const controller = new Controller(
    { log: store.log, leases, wakeups, artifacts, clock, executor, timers: systemTimers },
    { checkSchema, ...options.tuning },
  );
  const engine = new GraphileEngine({
    pool,
    log,
    drive: async (runId, signal) => {
      const end = await controller.drive(runId, signal);
      log.debug({ runId, end }, "a driver let go");
    },
    sweep: async () => ({ ...(await sweepRuns(pool, store.owner)) }),
    ...(options.sweepIntervalMs === undefined ? {} : { sweepIntervalMs: options.sweepIntervalMs }),
    ...(options.driversMax === undefined ? {} : { driversMax: options.driversMax }),
  });
  const heartbeat = startHeartbeat(pool, store.owner, onError);
  const notifier = startNotifier(pool, options.notifications, onError);
  await engine.start();
  return {
    id: store.owner,
    async stop() {
      await engine.stop();
      await Promise.all([heartbeat.stop(), notifier?.stop()]);
      await store.close();
    },
  };
}

function startNotifier(
  pool: Pool,
  given: WorkerNotifications | undefined,
  onError: (error: unknown) => void,
): Notifier | undefined {
  if (given === undefined) return undefined;
  const { sealer, ...rest } = given;
  const notifier = new Notifier({ outbox: createNotificationOutbox(pool, sealer), onError, ...rest });
  notifier.start();
  return notifier;
}
