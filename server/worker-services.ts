import type { Pool } from "pg";
import { checkSchema } from "./capabilities/schema-check";
import type { EngineLog } from "./engine/engine-log";
import { GraphileEngine } from "./engine/graphile-engine";
import { startHeartbeat } from "./heartbeat";
import { EventLoopLag } from "./metrics/event-loop-lag";
import { WorkerMeter } from "./metrics/worker-counts";
import type { AddressPolicy } from "./network/address-policy";
import { Notifier } from "./notifications/notifier";
import { startRetention } from "./retention-clock";
import { Controller, systemTimers } from "./runtime/controller";
import type { DriverPorts, DriverTuning } from "./runtime/driver/driver-ports";
import type { Sealer } from "./runtime/notifications";
import type { CapabilityExecutor, Replanner } from "./runtime/ports";
import { openDriverStore } from "./store/driver-store";
import { startHistoryCounter } from "./store/history-counter";
import { createNotificationOutbox } from "./store/notification-outbox";
import { redactDueRuns } from "./store/run-redaction";
import { sweepRuns } from "./store/run-sweep";
import { RunTracer, type SpanSink } from "./tracing/run-tracer";

export interface WorkerOptions {
  readonly database: { readonly pool: Pool; readonly url: string };
  readonly executor: CapabilityExecutor;
  readonly log: EngineLog;
  readonly leaseMs?: number;
  readonly sweepIntervalMs?: number;
  readonly driversMax?: number;
  readonly tuning?: Partial<DriverTuning>;
  /** Where finished runs are told as traces; absent: nowhere. */
  readonly traces?: { readonly sink: SpanSink; readonly captureContent: boolean };
  /** Tells people of gates and runs; absent: this worker tells nobody. */
  readonly notifications?: WorkerNotifications;
  /** Absent: questions to a planner are refused. */
  readonly replanner?: Replanner;
  /** What a workspace may call now, for what a planner proposes. */
  readonly registryOf?: NonNullable<DriverPorts["registryOf"]>;
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
  const meter = new WorkerMeter();
  const lag = new EventLoopLag();
  const store = await openDriverStore({
    pool,
    meter,
    connectionString: database.url,
    onError,
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
  });
  const { leases, wakeups, artifacts, clock, permits } = store;
  const { replanner, registryOf } = options;
  const planning = { ...(replanner && { replanner }), ...(registryOf && { registryOf }) };
  const ports = { log: store.log, leases, wakeups, artifacts, clock, permits, executor, timers: systemTimers, meter };
  const controller = new Controller({ ...ports, ...planning }, { checkSchema, onError, ...options.tuning });
  const tracer =
    options.traces && new RunTracer({ ...options.traces, read: (runId) => store.log.read(runId), onError });
  const engine = new GraphileEngine({
    pool,
    log,
    drive: async (runId, signal) => {
      const end = await controller.drive(runId, signal).catch((problem: unknown) => {
        meter.failed();
        throw problem;
      });
      if (end === "finished") tracer?.finished(runId);
      log.debug({ runId, end }, "a driver let go");
    },
    sweep: async () => {
      const report = await sweepRuns(pool, store.owner);
      meter.foundLeftBehind(report.expired.length + report.unattended.length);
      return { ...report };
    },
    ...(options.sweepIntervalMs === undefined ? {} : { sweepIntervalMs: options.sweepIntervalMs }),
    ...(options.driversMax === undefined ? {} : { driversMax: options.driversMax }),
  });
  const heartbeat = startHeartbeat(pool, store.owner, {
    counts: () => meter.counts({ runsDriven: engine.driven, eventLoopLagMs: lag.worstMs() }),
    onError,
  });
  const notifier = startNotifier(pool, options.notifications, onError);
  const retention = startRetention({
    redact: () =>
      redactDueRuns(pool, (problem, runId) =>
        log.error({ err: problem, runId }, "a run could not be redacted; it is tried again in an hour"),
      ),
    onRedacted: (runs) => log.info({ runs }, "runs whose time was over are redacted"),
    onError,
  });
  const historyCounter = startHistoryCounter(pool, onError);
  await engine.start();
  return {
    id: store.owner,
    async stop() {
      await engine.stop();
      await controller.close();
      await Promise.all([heartbeat.stop(), notifier?.stop(), retention.stop(), historyCounter.stop()]);
      lag.stop();
      await tracer?.close().catch(onError);
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
