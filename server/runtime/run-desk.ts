import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { RunId } from "#kernel/ids";
import type { Result } from "#kernel/result";
import type { NewRunEvent, PersonRef, RunEvent, RunOutcome, RunPolicy } from "#kernel/run/event";
import type { RunState } from "#kernel/run/state";
import type { RunStatus } from "#kernel/run/status";
import type { PlanVersion } from "./plan-records";
import type { GateRecord, RunSummary } from "./run-records";

export interface RunFilter {
  readonly planId?: string;
  readonly status?: RunStatus;
  readonly outcome?: RunOutcome;
  readonly search?: string;
  readonly limit: number;
  /** Runs older than this one, for the next page. */
  readonly beforeRunId?: string;
}

/** A run about to start. The plan is valid; capabilities are the registry's snapshot at this moment. */
export interface RunRequest {
  readonly planId: string;
  readonly version: PlanVersion;
  readonly capabilities: readonly CapabilitySnapshot[];
  readonly startedBy: PersonRef;
  readonly policy: RunPolicy;
}

/**
 * What the web process may do with runs: start them, read them, and add facts from outside. It never drives one.
 * Every method is bounded by the workspace, so that a foreign id finds nothing.
 */
export interface RunDesk {
  list(workspaceId: string, filter: RunFilter): Promise<readonly RunSummary[]>;
  get(workspaceId: string, runId: string): Promise<RunSummary | undefined>;
  /** Events after `afterSeq` in order; undefined where there is no such run. */
  events(
    workspaceId: string,
    runId: string,
    afterSeq: number,
    limit?: number,
  ): Promise<readonly RunEvent[] | undefined>;
  /**
   * Adds what a person decided, under the lock of the run's row: `decide` sees the state as it then is. The run's
   * owner is woken in the same transaction.
   *
   * @returns the last `seq`, or the refusal of `decide`; undefined where there is no such run.
   */
  submit<Refusal>(
    workspaceId: string,
    runId: string,
    decide: (state: RunState, now: number) => Result<readonly NewRunEvent[], Refusal>,
  ): Promise<Result<number, Refusal> | undefined>;
  /** Starts a run of a stored version: its first events and its job are one transaction. */
  start(workspaceId: string, request: RunRequest): Promise<{ readonly runId: RunId }>;
  /** Open gates by deadline, or closed ones newest first. */
  gates(
    workspaceId: string,
    filter: { readonly open: boolean; readonly limit: number },
  ): Promise<readonly GateRecord[]>;
  gate(workspaceId: string, gateId: string): Promise<GateRecord | undefined>;
}
