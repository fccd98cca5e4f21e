import type { CapabilityRegistry } from "#kernel/capability/capability";
import type { SchemaChecker } from "#kernel/capability/schema-checker";
import type { PermitBook } from "../permits/permit-book";
import type { Artifacts, CapabilityExecutor, Clock, EventLog, Leases, Replanner, Timers, Wakeups } from "../ports";

/** What a driver needs of the world. */
export interface DriverPorts {
  readonly log: EventLog;
  readonly leases: Leases;
  readonly wakeups: Wakeups;
  readonly artifacts: Artifacts;
  readonly executor: CapabilityExecutor;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Limits over all runs and workers. Absent: those of capabilities are kept in this process alone. */
  readonly permits?: PermitBook;
  readonly meter?: DriverMeter;
  /** Absent: questions to a planner are refused. */
  readonly replanner?: Replanner;
  /** What a workspace may call now, for revisions; absent: what the executor knows. */
  readonly registryOf?: (workspaceId: string) => Promise<CapabilityRegistry>;
}

/** Hears how long tasks waited that nothing held. */
export interface DriverMeter {
  dispatched(waitedMs: number): void;
}

export interface DriverTuning {
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
  /** How long a planner may take to answer. */
  readonly plannerTimeoutMs: number;
  /** A secret for each gate. */
  readonly nonce: (gateId: string) => string;
  readonly checkSchema?: SchemaChecker;
  readonly onError?: (error: unknown) => void;
}
