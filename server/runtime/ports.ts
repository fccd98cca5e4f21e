import type { CapabilityRegistry } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import type { JsonObject, JsonValue } from "#kernel/json";
import type { Plan } from "#kernel/plan/plan";
import type { NewRunEvent, RunEvent } from "#kernel/run/event";
import type { ReplanRequest, RunState } from "#kernel/run/state";
import type { TaskStatus } from "#kernel/run/status";

/** Time on the database clock, epoch milliseconds. A worker measures its offset, so that skew never decides. */
export interface Clock {
  now(): number;
}

/** Something that happens later, so that tests can drive time. */
export interface Timers {
  /** Calls `callback` once, after `delayMs`; returns how to call it off. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Proof of ownership of a run. A higher epoch fences out every earlier owner. */
export interface Lease {
  readonly runId: string;
  readonly workspaceId: string;
  readonly epoch: number;
  /** Aborted once the store knows that the lease is gone: stop the calls, write nothing. The store renews by itself. */
  readonly lost?: AbortSignal;
  /**
   * False once it may have run out although the store has not heard: a process that stood still, or is cut off. Begin
   * no call on it; the store renews it, or says that it is lost.
   */
  readonly isLive?: () => boolean;
}

export type AppendOutcome =
  /** Durable; `lastSeq` is the last of them. */
  | { readonly status: "appended"; readonly lastSeq: number }
  /** Somebody else appended first: read on from the expected `seq`, fold, decide again. */
  | { readonly status: "conflict"; readonly lastSeq: number }
  /** The lease is no longer ours: stop driving, write nothing. */
  | { readonly status: "fenced" };

/** The append-only log of runs. */
export interface EventLog {
  /**
   * Appends `events` after `expectedSeq`, atomically and fenced by the lease. Appends of all runs in the process
   * share one flush (group commit); the promise settles once the events are durable. The owner may append late
   * observations for a short while after `run_finished`, under the same lease.
   */
  append(lease: Lease, expectedSeq: number, events: readonly NewRunEvent[]): Promise<AppendOutcome>;
  /** Events with `seq` > `afterSeq`, in order. */
  read(runId: string, afterSeq?: number): Promise<readonly RunEvent[]>;
}

/** Ownership of runs. */
export interface Leases {
  /** The lease, or undefined while another owner's is live or the run has finished. */
  acquire(runId: string): Promise<Lease | undefined>;
  /**
   * Lets go, if `seq` is still the last this owner saw; false: something arrived, keep driving.
   * `wakeAt` leaves a durable timer behind.
   */
  release(lease: Lease, seenSeq: number, wakeAt?: number): Promise<boolean>;
}

/** News for the owner of a run: somebody else (a person, through the API) appended to its log. */
export interface Wakeups {
  /** Calls `listener` after each such append; read on from the last `seq` seen. Returns how to stop listening. */
  onNews(runId: string, listener: () => void): () => void;
}

/** Outputs up to this many bytes of JSON stand in the event; larger ones become artifacts. */
export const OUTPUT_BYTES_INLINE_MAX = 64 * 1024;
/** Above this an attempt ends terminal, `output_too_large`, and is not retried. */
export const OUTPUT_BYTES_MAX = 10 * 1024 * 1024;

/** Outputs too large for the log. */
export interface Artifacts {
  /** Durable once settled; the key is what an observation carries as `outputRef`. */
  put(artifact: {
    readonly runId: string;
    readonly taskId: string;
    readonly attempt: number;
    readonly output: JsonValue;
  }): Promise<string>;
  /** The output, or undefined where this run has no such artifact. */
  get(runId: string, key: string): Promise<JsonValue | undefined>;
}

/** In whose name a run acts. What they may do is asked anew at every call that needs it. */
export interface Actor {
  readonly personId: string;
  /** The key they started the run with: its scopes narrow theirs. */
  readonly apiKeyId?: string;
}

export interface CallContext {
  readonly runId: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly actor?: Actor;
  readonly idempotencyKey: string;
  readonly workspaceId: string;
  /** Of the version that the run is pinned to; another one under the same name is not called. Absent: not pinned. */
  readonly fingerprint?: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** False while the run may be somebody else's by now: asked at the last moment before anything leaves us. */
  readonly isHeld?: () => boolean;
  /**
   * Why the actor may not make the same call with other arguments, or undefined: for a call that is sent on elsewhere.
   * Given by the boundary; absent outside it.
   */
  readonly mayCallWith?: (callArguments: JsonObject) => Promise<string | undefined>;
}

/** Executes one call of one capability and classifies what came back. Never throws for a fault of the callee. */
export interface CapabilityExecutor {
  readonly registry: CapabilityRegistry;
  call(capability: string, callArguments: JsonValue, context: CallContext): Promise<Observation>;
}

/** What a planner is given: everything that has happened, what is left, and what may be called. All of it is data. */
export interface ReplanQuestion {
  readonly runId: string;
  readonly workspaceId: string;
  /** The planner that the run's plan names. */
  readonly planner: string;
  /** Why it is asked, at which event, and what an earlier answer lacked. */
  readonly request: ReplanRequest;
  /** A copy: the run goes on meanwhile. The objective is its plan's. */
  readonly state: RunState;
  /** The unfinished part of the plan in force. */
  readonly plan: Plan | undefined;
  readonly observations: readonly {
    readonly taskId: string;
    readonly status: TaskStatus;
    readonly attempt: number;
    readonly observation: Observation;
  }[];
  readonly registry: CapabilityRegistry;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What a planner answers with. Untrusted: it is parsed, validated and judged like a plan from anywhere else. */
export interface ReplanReply {
  /** The rest of the plan; what frames the steps may be left out. Null: it has nothing to offer. */
  readonly plan: unknown;
  /** Running tasks to stop; every other running task has to be in the plan as it is. */
  readonly cancelRunning?: readonly string[];
  /** Why, for the ledger. */
  readonly message?: string;
  readonly usage?: { readonly tokens?: number; readonly costUsd?: number };
}

/** Proposes the rest of a run's plan. It only proposes: it calls no capability and decides nothing. */
export interface Replanner {
  /** True for the name of a planner that this process can ask. */
  knows(planner: string): boolean;
  /** May be asked the same question twice, since the process that asked first may have died. */
  propose(question: ReplanQuestion): Promise<ReplanReply>;
}

/** Delivers "drive run R" to some worker process. */
export interface Engine {
  start(): Promise<void>;
  /** Stops taking runs and returns once the driven ones have let go. */
  stop(): Promise<void>;
}
