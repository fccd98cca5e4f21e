import type { SideEffect } from "#kernel/capability/capability";
import type { RunOutcome } from "#kernel/run/event";
import type { HoldType, RunStatus, TaskStatus } from "#kernel/run/status";
import type { IconName } from "../ui/icon";
import type { Tone } from "../ui/pill";

/**
 * The one table of what a status looks like: tone (colour of the left bar and the word), icon and word.
 * Three signs for each, so that nothing is told by colour alone. Every screen reads from here.
 */
export interface StatusEncoding {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
  /** One line for a tooltip or a legend. */
  readonly meaning: string;
  readonly pattern?: "hatched";
  readonly strike?: boolean;
}

/** What a card shows: a task's status, with `held` for a ready task that something stops. */
export type DisplayStatus = Exclude<TaskStatus, "dispatched"> | "held";

export const STATUS_ENCODING: Readonly<Record<DisplayStatus, StatusEncoding>> = {
  pending: { tone: "pending", icon: "circle", word: "pending", meaning: "Waits for its parents" },
  ready: { tone: "ready", icon: "play", word: "ready", meaning: "Parents done, about to start" },
  held: { tone: "held", icon: "hourglass", word: "held", meaning: "Ready, but a hold stops it" },
  running: { tone: "running", icon: "running", word: "running", meaning: "A call is in flight" },
  succeeded: { tone: "succeeded", icon: "check", word: "succeeded", meaning: "Ended well" },
  failed: { tone: "failed", icon: "cross", word: "failed", meaning: "Ended badly" },
  awaiting_approval: {
    tone: "awaiting",
    icon: "hand",
    word: "awaiting approval",
    meaning: "A person must decide",
  },
  skipped: { tone: "skipped", icon: "skip", word: "skipped", meaning: "Its condition was false", pattern: "hatched" },
  cancelled: { tone: "cancelled", icon: "struck", word: "cancelled", meaning: "Stopped for good", strike: true },
  blocked: { tone: "blocked", icon: "octagon", word: "blocked", meaning: "A person or a replan decides" },
  unknown_outcome: { tone: "unknown", icon: "question", word: "unknown outcome", meaning: "May have taken effect" },
  stopped_budget: { tone: "budget", icon: "gauge", word: "stopped by budget", meaning: "The budget ran out" },
};

/** The status a task shows: a dispatched call counts as running, a ready task with a hold as held. */
export function displayStatusOf(status: TaskStatus, hold?: HoldType): DisplayStatus {
  if (status === "dispatched") return "running";
  if (status === "ready" && hold !== undefined) return hold === "approval" ? "awaiting_approval" : "held";
  return status;
}

export interface HoldEncoding {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

export const HOLD_ENCODING: Readonly<Record<HoldType, HoldEncoding>> = {
  approval: { tone: "awaiting", icon: "hand", word: "approval" },
  authorization: { tone: "failed", icon: "lock", word: "not authorized" },
  rate_limit: { tone: "held", icon: "hourglass", word: "rate limit" },
  concurrency: { tone: "held", icon: "pool", word: "concurrency" },
  resource_lock: { tone: "held", icon: "lock", word: "lock" },
  pool: { tone: "held", icon: "pool", word: "pool" },
  backoff: { tone: "held", icon: "back", word: "backoff" },
  budget: { tone: "budget", icon: "gauge", word: "budget" },
  paused: { tone: "pending", icon: "pause", word: "paused" },
  capability_unavailable: { tone: "blocked", icon: "cloudOff", word: "capability unavailable" },
};

export interface SideEffectEncoding {
  readonly icon: IconName;
  readonly word: string;
  readonly meaning: string;
  readonly tone?: Tone;
}

export const SIDE_EFFECT_ENCODING: Readonly<Record<SideEffect, SideEffectEncoding>> = {
  none: { icon: "diamond", word: "none", meaning: "Changes and reads nothing outside the run" },
  read: { icon: "eye", word: "read", meaning: "Reads, changes nothing" },
  write: { icon: "pen", word: "write", meaning: "Changes something that can be changed back" },
  destructive: { icon: "warning", word: "destructive", meaning: "Cannot be undone", tone: "failed" },
};

/** A run as lists and headers show it: its status while it goes on, its outcome when it has ended. */
export type RunDisplay = Exclude<RunStatus, "finished"> | "waiting" | RunOutcome;

export const RUN_ENCODING: Readonly<Record<RunDisplay, StatusEncoding>> = {
  created: { tone: "pending", icon: "circle", word: "created", meaning: "About to start" },
  running: { tone: "running", icon: "running", word: "running", meaning: "Calls are in flight" },
  waiting: { tone: "awaiting", icon: "hand", word: "awaiting approval", meaning: "A person must decide" },
  paused: { tone: "pending", icon: "pause", word: "paused", meaning: "Nothing new starts until it is resumed" },
  completed: { tone: "succeeded", icon: "check", word: "completed", meaning: "Every check passed" },
  stop_budget: { tone: "budget", icon: "gauge", word: "stopped by budget", meaning: "A budget ran out" },
  stop_terminal_failure: { tone: "failed", icon: "cross", word: "failed", meaning: "A task failed for good" },
  stop_stalled: { tone: "blocked", icon: "octagon", word: "stalled", meaning: "Nothing could move any more" },
  stop_no_valid_plan: { tone: "failed", icon: "warning", word: "no valid plan", meaning: "No plan could be accepted" },
  evidence_gap: { tone: "unknown", icon: "question", word: "evidence gap", meaning: "Ended, but a check did not pass" },
  rejected: { tone: "failed", icon: "hand", word: "rejected", meaning: "A person said no" },
  cancelled: { tone: "cancelled", icon: "struck", word: "cancelled", meaning: "Stopped by a person", strike: true },
};

/** How a task differs between two plans, or two revisions of one. */
export type DiffMark = "added" | "removed" | "changed";

export const DIFF_ENCODING: Readonly<
  Record<DiffMark, { readonly tone: Tone; readonly sign: string; readonly word: string }>
> = {
  added: { tone: "added", sign: "+", word: "added" },
  removed: { tone: "removed", sign: "−", word: "removed" },
  changed: { tone: "changed", sign: "Δ", word: "changed" },
};
