import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { RunId, TaskId } from "#kernel/ids";
import type { Result } from "#kernel/result";
import type { NewRunEvent, PersonRef, RunEvent, RunOutcome, RunPolicy } from "#kernel/run/event";
import type { CarriedResult } from "#kernel/run/rerun";
import type { RunState } from "#kernel/run/state";
import type { RunStatus } from "#kernel/run/status";
import type { NewAuditEntry } from "./audit-log";
import type { GateSigners } from "./gate-signers";
import type { PlanVersion } from "./plan-records";
import type { GateRecord, OpenGate, RunSummary } from "./run-records";

export interface RunFilter {
  readonly planId?: string;
  readonly status?: RunStatus;
  readonly outcome?: RunOutcome;
  readonly search?: string;
  readonly limit: number;
  /** Runs older than this one, for the next page. */
  readonly beforeRunId?: string;
}

/** Which gates to read in full: open ones by id, in that order, or the newest closed ones. */
export type GateFilter =
  | { readonly open: true; readonly ids: readonly string[] }
  | { readonly open: false; readonly limit: number };

/** A run about to start. The plan is valid; capabilities are the registry's snapshot at this moment. */
export interface RunRequest {
  readonly planId: string;
  readonly version: PlanVersion;
  readonly capabilities: readonly CapabilitySnapshot[];
  readonly startedBy: PersonRef;
  /** The key it is started with, where it is. */
  readonly apiKeyId?: string;
  readonly policy: RunPolicy;
  /** The run whose results it takes over, and which. */
  readonly rerun?: {
    readonly of: { readonly runId: RunId; readonly fromTaskIds: TaskId[] };
    readonly carried: readonly CarriedResult[];
  };
  /** The same id of the same person is the same start: sent again, since its answer was lost, it starts nothing. */
  readonly requestId?: string;
}

/**
 * What a submission comes to, once its run's row is locked.
 *
 * @param now epoch milliseconds on the database clock, read after the lock was granted.
 * @param signers reads on the connection that holds the lock.
 */
export type SubmittedDecision<Refusal> = (
  state: RunState,
  now: number,
  signers: GateSigners,
) => Result<readonly NewRunEvent[], Refusal> | Promise<Result<readonly NewRunEvent[], Refusal>>;

/** The audit entries of a submission, given its events and the `seq` of the last. */
export type SubmissionAudit = (events: readonly NewRunEvent[], lastSeq: number) => readonly NewAuditEntry[];

export interface ArtifactSliceRequest {
  readonly outputRef: string;
  /** In characters of the output's JSON text. */
  readonly offset: number;
  readonly limit: number;
}

/** A part of a large output, with how large the whole is: nobody takes a part for all of it. */
export interface ArtifactSlice {
  readonly text: string;
  readonly offset: number;
  readonly characters: number;
  readonly bytes: number;
  /** Where the next part begins; null at the end. */
  readonly nextOffset: number | null;
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
  /** A part of an output that is kept apart; undefined where this workspace has no such run or the run no such output. */
  artifact(workspaceId: string, runId: string, request: ArtifactSliceRequest): Promise<ArtifactSlice | undefined>;
  /**
   * Adds what a person decided, under the lock of the run's row: `decide` sees the state as it then is, and can ask
   * who may sign at that moment. The run's owner is woken in the same transaction.
   *
   * @param submissionId the same in a run is the same submission: sent again, since its answer was lost, it is
   *   answered as the first time. It should hold who submits and what.
   * @param audit what of it is entered in the audit, in the same transaction.
   * @returns the last `seq`, or the refusal of `decide`; undefined where there is no such run.
   */
  submit<Refusal>(
    workspaceId: string,
    runId: string,
    decide: SubmittedDecision<Refusal>,
    submissionId?: string,
    audit?: SubmissionAudit,
  ): Promise<Result<number, Refusal> | undefined>;
  /**
   * Settles once whoever drives a cancelled run has seen that it is: it has ended, or its lease has. Until then a
   * driver may begin a call without side effects on what it knew before.
   */
  awaitOwner(workspaceId: string, runId: string): Promise<void>;
  /** The run as it is now; undefined where there is none. Shared: only to be read. */
  state(workspaceId: string, runId: string): Promise<RunState | undefined>;
  /**
   * Starts a run of a stored version: its first events, its job and its count against the ceilings are one transaction.
   *
   * @returns the ceiling that forbids it, in words, as the error; a start that was sent again is answered as before.
   */
  start(workspaceId: string, request: RunRequest): Promise<Result<{ readonly runId: RunId }, string>>;
  /** Every open gate by deadline, with who may sign it and no more. */
  openGates(workspaceId: string): Promise<readonly OpenGate[]>;
  /** In full; one that has been decided in the meantime is left out. */
  gates(workspaceId: string, filter: GateFilter): Promise<readonly GateRecord[]>;
  gate(workspaceId: string, gateId: string): Promise<GateRecord | undefined>;
}
