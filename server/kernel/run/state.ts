import type { CapabilitySnapshot } from "../capability/capability";
import type { Observation } from "../capability/observation";
import type { JsonValue } from "../json";
import type { PlanDiff } from "../plan/diff-schema";
import type { PlanGraph } from "../plan/graph";
import type { Plan, Task } from "../plan/plan";
import type { Cause, PersonRef, ReplanReason, RunEventOf, RunOutcome, RunPolicy } from "./event";
import type { RunStatus, TaskStatus } from "./status";

/** One call of a task. A missing end is open, not zero. Times are epoch milliseconds on the database clock. */
export interface AttemptState {
  readonly attempt: number;
  dispatchedAt?: number;
  startedAt?: number;
  endedAt?: number;
  observation?: Observation;
}

export interface TaskState {
  readonly id: string;
  task: Task;
  status: TaskStatus;
  /** Calls begun so far. */
  attempts: AttemptState[];
  /** When its own parents allowed it. */
  readyAt?: number;
  endedAt?: number;
  /** A retry may not start before this. */
  notBefore?: number;
  /** The output, for a task that succeeded and whose output is inline. */
  output?: JsonValue;
  outputRef?: string;
  cause?: Cause;
  /** The gate that stands (or last stood) before it. */
  gateId?: string;
  /** The revision that added it, and the one that took it out of the plan, if any. */
  addedInRevision: number;
  removedInRevision?: number;
  /** Parents not yet terminal; 0 lets the join decide. */
  openParents: number;
}

export type GateStatus = "open" | "approved" | "rejected" | "sent_back" | "expired" | "superseded" | "used";

export interface GateState {
  readonly request: RunEventOf<"approval_requested">;
  status: GateStatus;
  decisions: RunEventOf<"approval_decided">[];
  /** When quorum was reached or the gate was closed otherwise. */
  closedAt?: number;
  /** Approved gates must be used before this. */
  executeBy?: number;
}

export interface RevisionState {
  readonly revision: number;
  readonly seq: number;
  readonly at: number;
  readonly plan: Plan;
  readonly reason?: ReplanReason;
  readonly triggerSeq?: number;
  readonly by?: string;
  readonly diff?: PlanDiff;
}

/** What a run has used so far. */
export interface BudgetUse {
  toolCalls: number;
  toolCallsPerCapability: Map<string, number>;
  retries: number;
  sideEffects: number;
  planRevisions: number;
  iterations: number;
  tokens: number;
  costUsd: number;
}

/**
 * The state of a run at one `seq`: fold(events). Owned by whoever folds: `applyEvent` changes it in place, since a
 * copy per event would make a thousand-task run quadratic; `cloneState` gives an independent copy (a keyframe).
 */
export interface RunState {
  runId: string;
  name: string;
  lastSeq: number;
  lastAt: number;
  status: RunStatus;
  outcome?: RunOutcome;
  /** In words, with the event that caused the end. */
  outcomeReason?: string;
  outcomeSeq?: number;
  startedBy?: PersonRef;
  planAuthor?: PersonRef;
  planVersionId?: string;
  planVersionNumber?: number;
  importedFrom?: string;
  policy: RunPolicy;
  createdAt?: number;
  finishedAt?: number;
  plan?: Plan;
  revision: number;
  revisions: RevisionState[];
  /** The graph of the current revision; task order is the plan's. Not changed in place. */
  graph?: PlanGraph;
  capabilities: Map<string, CapabilitySnapshot>;
  /** Every task ever in the plan, those taken out by a revision included. */
  tasks: Map<string, TaskState>;
  /** Ids in status `ready`. */
  ready: Set<string>;
  /** Ids in status `dispatched` or `running`. */
  inFlight: Set<string>;
  /** Non-terminal tasks of the current revision. */
  openTasks: number;
  gates: Map<string, GateState>;
  budgetUse: BudgetUse;
  /** Set by the first task failure that nothing absorbs. */
  failedTaskId?: string;
  completion: RunEventOf<"completion_checked">[];
  cancelledBy?: PersonRef;
}
