import type { TaskStatus } from "../run/status";

/** Why a task that was ready did not run. `queue` is what no other cause explains: no free worker, pool or slot. */
export type WaitKind = "queue" | "lock" | "rate_limit" | "pause";

/** How an attempt ended, for the colour of its bar. */
export type AttemptEnd = "ok" | "retryable" | "terminal" | "unknown" | "cancelled";

/**
 * A stretch of a task's time. `to` is absent while it lasts: a missing end is open, not zero.
 * `gate` covers every wait for a person, `pause` a paused run; the other waits have the hold's name.
 */
export interface TimelineSegment {
  readonly kind: "execute" | "gate" | "backoff" | WaitKind;
  readonly from: number;
  readonly to?: number;
  /** Execute: which call. */
  readonly attempt?: number;
  readonly end?: AttemptEnd;
  /** Execute: `seq` of the event that ended it. */
  readonly seq?: number;
  readonly gateId?: string;
  /** Lock: what is locked and who holds it. */
  readonly resource?: string;
  readonly byTaskId?: string;
}

export interface TimelineLane {
  readonly taskId: string;
  readonly title: string;
  readonly segments: readonly TimelineSegment[];
  readonly readyAt?: number;
  readonly endedAt?: number;
  readonly status: TaskStatus;
  /** True for a task a revision took out of the plan. */
  readonly removed: boolean;
}
