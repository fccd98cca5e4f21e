import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Pool } from "pg";
import type { PermitBook } from "../runtime/permits/permit-book";
import type { Artifacts, Clock, EventLog, Leases, Wakeups } from "../runtime/ports";
import { DatabaseClock } from "./database-clock";
import { HeldLeases } from "./held-leases";
import { PostgresPermitBook } from "./permit-book";
import { RunArtifacts } from "./run-artifacts";
import { RunLeases } from "./run-leases";
import { RunReader } from "./run-reader";
import { RunWakeups } from "./run-wakeups";
import { RunWriter, type StoreMeter } from "./run-writer";

/** A lease outlives its owner by this long at most. */
export const LEASE_MS = 2_500;

export interface DriverStoreOptions {
  readonly pool: Pool;
  readonly connectionString: string;
  readonly leaseMs?: number;
  readonly onError: (error: unknown) => void;
  readonly meter?: StoreMeter;
}

/** Everything a process needs to drive runs kept in Postgres. */
export interface DriverStore {
  /** Names this process in leases. */
  readonly owner: string;
  readonly log: EventLog;
  readonly leases: Leases;
  readonly wakeups: Wakeups;
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  readonly permits: PermitBook;
  /** Writes what is still waiting, then lets the connections go. */
  close(): Promise<void>;
}

/** Opens the store: measures the database's clock and listens for wake-ups. */
export async function openDriverStore(options: DriverStoreOptions): Promise<DriverStore> {
  const { pool, connectionString, onError, leaseMs = LEASE_MS, meter } = options;
  const owner = `${hostname()}/${process.pid}/${randomUUID()}`;
  const closing = new AbortController();
  const { signal } = closing;
  const held = new HeldLeases(leaseMs);
  const writer = new RunWriter({ pool, owner, leaseMs, held, signal, meter });
  const reader = new RunReader(pool, signal);
  const clock = new DatabaseClock(pool);
  const wakeups = new RunWakeups({ connectionString, owner, onError });
  await Promise.all([clock.start(onError), wakeups.start()]);
  return {
    owner,
    log: {
      append: (lease, expectedSeq, events) => writer.append(lease, expectedSeq, events),
      read: (runId, afterSeq) => reader.read(runId, afterSeq),
    },
    leases: new RunLeases({
      pool,
      owner,
      leaseMs,
      held,
      writer,
      signal,
      onError,
      onNews: (runId) => wakeups.wake(runId),
    }),
    wakeups,
    artifacts: new RunArtifacts(pool, signal),
    permits: new PostgresPermitBook({ pool, owner, wakeups, signal }),
    clock,
    async close() {
      closing.abort();
      clock.stop();
      await writer.drain();
      await wakeups.close();
    },
  };
}
