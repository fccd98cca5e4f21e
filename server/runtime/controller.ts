import { randomBytes } from "node:crypto";
import type { SchemaChecker } from "#kernel/capability/schema-checker";
import { CallSlots } from "./driver/call-slots";
import { type DriveEnd, RunDriver } from "./driver/run-driver";
import type { Artifacts, CapabilityExecutor, Clock, EventLog, Leases, Timers, Wakeups } from "./ports";

/** What the controller needs of the world. */
export interface ControllerPorts {
  readonly log: EventLog;
  readonly leases: Leases;
  readonly wakeups: Wakeups;
  readonly artifacts: Artifacts;
  readonly executor: CapabilityExecutor;
  readonly clock: Clock;
  readonly timers: Timers;
}

export interface ControllerTuning {
  /** Calls of one run in flight at once, where its plan sets no lower limit. */
  readonly inFlightLimit: number;
  /** A call that runs longer than this has its start recorded; a shorter one leaves only its result. */
  readonly dispatchFlushMs: number;
  /** A run that waits for a timer nearer than this keeps its driver: letting go and coming back would take longer. */
  readonly holdMs: number;
  /** Timers further away than this are left to the engine. */
  readonly timerMsMax: number;
  /** When asked to stop: how long calls that change something may take to come back. */
  readonly letGoMs: number;
  /** A secret for each gate. */
  readonly nonce: (gateId: string) => string;
  readonly checkSchema?: SchemaChecker;
}

const TUNING: ControllerTuning = {
  inFlightLimit: 256,
  dispatchFlushMs: 25,
  holdMs: 2_000,
  timerMsMax: 2_000_000_000,
  letGoMs: 3_000,
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
  readonly #ports: ControllerPorts;
  readonly #tuning: ControllerTuning;
  readonly #slots: CallSlots;

  constructor(ports: ControllerPorts, tuning: Partial<ControllerTuning> = {}) {
    this.#ports = ports;
    this.#tuning = { ...TUNING, ...tuning };
    this.#slots = new CallSlots(ports.clock, ports.timers);
  }

  /**
   * Takes the run's lease and drives it until it ends, only waits, is lost to another owner, or `stop` asks to let go.
   * `busy`: another owner's lease is live, or the run has finished. Rejects when the log or the artifacts fail; the
   * lease is then still ours, so whoever called tries again.
   */
  async drive(runId: string, stop: AbortSignal = new AbortController().signal): Promise<DriveEnd | "busy"> {
    const lease = await this.#ports.leases.acquire(runId);
    if (lease === undefined) return "busy";
    return new RunDriver({ ports: this.#ports, tuning: this.#tuning, slots: this.#slots, lease, stop }).drive();
  }
}
