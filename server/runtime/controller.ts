import { randomBytes } from "node:crypto";
import { CallSlots } from "./driver/call-slots";
import type { DriverPorts, DriverTuning } from "./driver/driver-ports";
import { type DriveEnd, RunDriver } from "./driver/run-driver";
import { CallPermits } from "./permits/call-permits";
import type { Timers } from "./ports";

const TUNING: DriverTuning = {
  inFlightLimit: 256,
  dispatchFlushMs: 25,
  holdMs: 2_000,
  timerMsMax: 2_000_000_000,
  letGoMs: 3_000,
  plannerTimeoutMs: 120_000,
  nonce: () => randomBytes(24).toString("base64url"),
};

/** Node's timers, behind the port. */
export const systemTimers: Timers = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Drives runs: one driver a run, call slots shared by all of them. */
export class Controller {
  readonly #ports: DriverPorts;
  readonly #tuning: DriverTuning;
  readonly #slots: CallSlots;
  readonly #permits: CallPermits | undefined;

  constructor(ports: DriverPorts, tuning: Partial<DriverTuning> = {}) {
    this.#ports = ports;
    this.#tuning = { ...TUNING, ...tuning };
    const { clock, timers, permits: book } = ports;
    this.#slots = new CallSlots(clock, timers);
    const onError = tuning.onError ?? (() => {});
    this.#permits = book && new CallPermits({ book, clock, timers, onError });
  }

  /**
   * Takes the run's lease and drives it until it ends, only waits, is lost to another owner, or `stop` asks to let go.
   * `busy`: another owner's lease is live, or the run has finished. Rejects when the log or the artifacts fail; the
   * lease is then still ours, so whoever called tries again.
   */
  async drive(runId: string, stop: AbortSignal = new AbortController().signal): Promise<DriveEnd | "busy"> {
    const lease = await this.#ports.leases.acquire(runId);
    if (lease === undefined) return "busy";
    await this.#permits?.prepare(lease.workspaceId);
    const shared = { ports: this.#ports, tuning: this.#tuning, slots: this.#slots, permits: this.#permits };
    return new RunDriver({ ...shared, lease, stop }).drive();
  }

  /** Gives back what limits over all runs were asked for; once no run is driven any more. */
  async close(): Promise<void> {
    await this.#permits?.close();
  }
}
