import type { CapabilitySnapshot } from "../capability/capability";
import type { Observation } from "../capability/observation";
import type { GateId, TaskId } from "../ids";
import type { JsonValue } from "../json";
import type { PlanDiff } from "../plan/diff-schema";
import type { PlanGraph } from "../plan/graph";
import type { Plan, Task } from "../plan/plan";
import type { Cause, PersonRef, ReplanReason, RevisionAuthor, RunEventOf, RunOutcome, RunPolicy } from "./event";
import type { RunStatus, TaskStatus } from "./status";

/** One call of a task. A missing end is open, not zero. Times are epoch milliseconds on the database clock. */
export interface AttemptState {
  readonly attempt: number;
  dispatchedAt?: number;
  startedAt?: number;
  endedAt?: number;
  observation?: Observation;
  /** The run's evidence once this result was known. */
  evidence?: number;
}

export interface TaskState {
  readonly id: TaskId;
  /** As the current revision has it; an instance of a `forEach` shares its group's. */
  task: Task;
  status: TaskStatus;
  /** Calls begun so far. */
  attempts: AttemptState[];
  /** When its own parents allowed it. */
  readyAt?: number;
  endedAt?: number;
  /** The event that ended it. */
  endedSeq?: number;
  /** A retry may not start before this. */
  notBefore?: number;
  /** The output, for a task that succeeded and whose output is inline. */
  output?: JsonValue;
  outputRef?: string;
  cause?: Cause;
  /** Look-ups of its last attempt of unknown outcome, made and asked for. */
  lookUp?: LookUpState;
  /** The gate that stands (or last stood) before it, of any purpose. */
  gateId?: GateId;
  /** Gates opened for it so far; makes the next one's id. */
  gateCount: number;
  /** Arguments a signer sent back; they are asked for again instead of the plan's. */
  editedArguments?: { readonly value: JsonValue; readonly by: PersonRef };
  /** A person let it run although its join said no. */
  released?: boolean;
  /** `when` has been looked at and is false. */
  conditionFalse?: boolean;
  /** Of a `forEach` task whose list is known: its instances in the order of the list. */
  instanceIds?: TaskId[];
  /** Of a `forEach` task: instances not yet terminal. */
  openInstances?: number;
  /** Of an instance: its group, its place in the list and its item. */
  instance?: { readonly groupId: TaskId; readonly index: number; readonly item: JsonValue };
  /** The revision that added it, and the one that took it out of the plan, if any. */
  addedInRevision: number;
  removedInRevision?: number;
  /** The revision that last gave it a definition of its own: gates asked for before do not speak for it. */
  definedInRevision: number;
  /** How it had ended before a person had it tried again, oldest first. */
  earlierEnds?: readonly { readonly status: TaskStatus; readonly at?: number; readonly seq?: number }[];
  /** A revision answered its failure: the run does not fail for it any more. */
  answeredInRevision?: number;
  /** Its result is another run's. */
  carriedFrom?: { readonly runId: string; readonly seq: number };
  /** The event that added it to a plan in force, where it came alone. */
  streamedSeq?: number;
  /** Parents not yet terminal; 0 lets the join decide. */
  openParents: number;
  /** Longest expected path from its start to the end of the plan, seconds: what is dispatched first. */
  rank: number;
  /** Place in the plan; breaks ties of rank. */
  order: number;
}

export interface LookUpState {
  readonly attempt: number;
  /** Made so far without a person asking. */
  readonly made: number;
  readonly lastAt?: number;
  /** A person wants one now. */
  readonly requestedBy?: PersonRef;
}

export type GateStatus = "open" | "approved" | "rejected" | "sent_back" | "expired" | "superseded" | "used" | "revoked";

export interface GateState {
  readonly request: RunEventOf<"approval_requested">;
  status: GateStatus;
  decisions: RunEventOf<"approval_decided">[];
  /** When quorum was reached or the gate was closed otherwise. */
  closedAt?: number;
  /** Approved gates must be used before this. */
  executeBy?: number;
  /** Who took their approval back, where that closed it. */
  revoked?: RunEventOf<"approval_revoked">;
  remindedAt?: number;
  escalatedAt?: number;
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
  readonly author?: RevisionAuthor;
}

/** A revision that waits for the approval of its changed part. The tasks it changes or takes out start nothing. */
export interface RevisionProposal {
  readonly event: RunEventOf<"plan_proposed"> & ProposedRevision;
  readonly held: ReadonlySet<string>;
  /** The gate that asks for the approval, once it was opened. */
  gateId?: GateId;
}

export interface ProposedRevision {
  readonly plan: Plan;
  readonly capabilities: CapabilitySnapshot[];
  readonly diff: PlanDiff;
  readonly reason: ReplanReason;
  readonly triggerSeq: number;
}

/** A replan that was asked for and not answered yet. */
export interface ReplanRequest {
  readonly seq: number;
  readonly at: number;
  readonly reason: ReplanReason;
  readonly triggerSeq: number;
  readonly message: string;
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
  apiKeyId?: string;
  planAuthor?: PersonRef;
  /** The sign-off gate of the plan, once asked for. */
  planGateId?: GateId;
  planVersionId?: string;
  planVersionNumber?: number;
  importedFrom?: string;
  redactedAt?: number;
  /** The run whose results this one carries. */
  rerunOf?: { readonly runId: string; readonly fromTaskIds: readonly string[] };
  policy: RunPolicy;
  createdAt?: number;
  finishedAt?: number;
  plan?: Plan;
  revision: number;
  revisions: RevisionState[];
  /**
   * The graph of the current revision, the unfinished and the finished: tasks that had ended (or were running) and
   * are not in the new plan come first, then the plan's in its order. Not changed in place.
   */
  graph?: PlanGraph;
  /** The task of each node of `graph`. */
  nodes: TaskState[];
  /** The pinned registry, by `name` and by `name@version`. */
  capabilities: Map<string, CapabilitySnapshot>;
  /** Every task ever in the plan, those taken out by a revision included. */
  tasks: Map<string, TaskState>;
  /** Ids in status `ready`. */
  ready: Set<string>;
  /** The ready tasks that only wait for room, in the order in which they are dispatched. */
  queue: TaskState[];
  /** Ids of the ready tasks that wait for their next attempt, after a failure or a poll. */
  retrying: Set<string>;
  /** Tasks that need an event of their own next: a skip, a gate, an expansion, an answer. `decide` empties it. */
  settling: Set<string>;
  /** Ids in status `dispatched` or `running`; an expanded `forEach` runs by its instances and is not among them. */
  inFlight: Set<string>;
  /** Ids in status `blocked` or `unknown_outcome`: only a person or a revision brings them on. */
  stuck: Set<string>;
  /** Non-terminal tasks of the current revision. */
  openTasks: number;
  gates: Map<string, GateState>;
  /** Ids of gates that time can still close: open, or approved and not used yet. */
  liveGates: Set<string>;
  budgetUse: BudgetUse;
  /** How much the run has learnt; see evidence.ts. */
  evidence: number;
  /** Calls that were made again, by signature: the last verdict on each. */
  repetitions: Map<string, RepetitionState>;
  /** The last repeat that told nothing new, and what was known by then; it holds until something new is. */
  stall?: Stall;
  /** The first task failure that nothing absorbs. */
  firstFailure?: Ending;
  /** The first task that a budget stopped. */
  firstStop?: Ending;
  /** The first gate that was refused, or that nobody signed in time. */
  firstRejection?: Ending;
  /** Results of the completion checks of this revision, in the plan's order. */
  completion: RunEventOf<"completion_checked">[];
  planRejection?: RunEventOf<"plan_rejected">;
  /** A replan was asked for and not answered yet: the run does not end meanwhile. */
  replanRequestedSeq?: number;
  replanRequest?: ReplanRequest;
  /** Refusals of a planner's answers to the last trigger, so that it is not asked for ever. */
  replanRefusals?: {
    readonly triggerSeq: number;
    readonly count: number;
    readonly final: boolean;
    /** The question to ask again, where another answer may be better. */
    readonly retry?: Pick<ReplanRequest, "reason" | "triggerSeq" | "message">;
  };
  proposal?: RevisionProposal;
  /** Failed tasks for which a rule of the plan, or the planner, has not been asked yet. */
  unanswered: Set<string>;
  /** A planner had nothing more to offer: what the run ends as, unless its checks pass. */
  noValidPlan?: Ending & { readonly verdict: "stop_no_valid_plan" | "stop_stalled" };
  cancelledBy?: PersonRef;
  cancelledSeq?: number;
}

/**
 * A call that is made again. Its attempts by a retry policy are no repeats, nor are equal tasks that were planned
 * together: whoever wrote the plan meant them. A call repeats another where it was planned although the other had
 * already come back, or where its capability is polled.
 */
export interface Repeat {
  readonly signature: string;
  /** Calls with this signature that are compared, this one included. */
  readonly times: number;
  /** When the first of them began, epoch milliseconds. */
  readonly since: number;
  /** The last of the earlier ones. */
  readonly of: { readonly taskId: TaskId; readonly attempt: number };
}

export interface RepetitionState {
  readonly taskId: TaskId;
  readonly times: number;
  readonly verdict: RunEventOf<"repetition_detected">["verdict"];
  readonly seq: number;
  /** How often it was a stall. */
  readonly stalls: number;
}

export interface Stall extends RepetitionState {
  readonly signature: string;
  readonly evidence: number;
}

/** What a run's outcome is named after: the task it began with, the event, and the reason in words. */
export interface Ending {
  readonly taskId?: TaskId;
  readonly seq: number;
  readonly code: string;
  readonly message: string;
}
