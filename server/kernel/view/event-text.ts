import { assertNever } from "../result";
import type { ReplanReason, RunEvent, RunOutcome } from "../run/event";
import type { TaskStatus } from "../run/status";
import { formatDuration } from "./format";

/** The colour of an event: the status it leads to, or none. */
export type EventTone = TaskStatus | "held" | "changed" | "neutral";

export type EventIcon =
  | "created"
  | "plan"
  | "added"
  | "gate"
  | "signed"
  | "refused"
  | "sent_back"
  | "expired"
  | "started"
  | "succeeded"
  | "failed"
  | "retry"
  | "cancelled"
  | "skipped"
  | "blocked"
  | "unknown"
  | "budget"
  | "repeat"
  | "note"
  | "replan"
  | "revised"
  | "check"
  | "paused"
  | "resumed"
  | "finished";

/** One event in words, for a list row; `taskId` is what a click selects. */
export interface EventText {
  readonly text: string;
  readonly icon: EventIcon;
  readonly tone: EventTone;
  readonly taskId?: string;
  /** Turning points of a run, set in bold: revisions and ends. */
  readonly strong?: boolean;
}

export const REPLAN_REASON_WORDS: Readonly<Record<ReplanReason, string>> = {
  dependency_failed_alternative_exists: "A dependency failed, another way exists",
  new_information: "New information",
  expected_result_missing: "An expected result is missing",
  step_unnecessary: "A step is no longer needed",
  path_blocked: "The path is blocked",
};

export const OUTCOME_WORDS: Readonly<Record<RunOutcome, string>> = {
  completed: "completed",
  stop_budget: "stopped by budget",
  stop_terminal_failure: "failed",
  stop_stalled: "stalled",
  stop_no_valid_plan: "no valid plan",
  evidence_gap: "evidence missing",
  rejected: "rejected",
  cancelled: "cancelled",
};

/** The task status whose colour and icon stand for a run's outcome. */
export const OUTCOME_TONE: Readonly<Record<RunOutcome, TaskStatus>> = {
  completed: "succeeded",
  stop_budget: "stopped_budget",
  stop_terminal_failure: "failed",
  stop_stalled: "blocked",
  stop_no_valid_plan: "failed",
  evidence_gap: "unknown_outcome",
  rejected: "failed",
  cancelled: "cancelled",
};

/**
 * An event in words.
 *
 * @param gateTask the task a gate stands before, by gate id; undefined for a gate before the plan.
 */
export function describeEvent(event: RunEvent, gateTask: (gateId: string) => string | undefined): EventText {
  const task = "taskId" in event && event.taskId !== undefined ? { taskId: event.taskId } : {};
  const gate = "gateId" in event && event.gateId !== undefined ? gateTask(event.gateId) : undefined;
  const gated = gate === undefined ? {} : { taskId: gate };
  const subject = gate ?? "plan";
  switch (event.type) {
    case "run_created":
      return { text: `run created by ${event.startedBy.name}`, icon: "created", tone: "neutral" };
    case "plan_proposed":
      if (event.plan !== undefined) {
        const text = `revision ${event.revision} proposed by ${event.proposedBy}, awaits approval`;
        return { text, icon: "gate", tone: "awaiting_approval", strong: true };
      }
      return { text: `plan proposed by ${event.proposedBy}`, icon: "plan", tone: "neutral" };
    case "plan_accepted":
      return { text: `plan accepted, ${count(event.plan.tasks.length, "task")}`, icon: "plan", tone: "neutral" };
    case "plan_rejected":
      return { text: `plan rejected: ${event.messages[0] ?? "no reason given"}`, icon: "failed", tone: "failed" };
    case "task_added":
      return { text: `${event.task.id} added`, icon: "added", tone: "succeeded", taskId: event.task.id };
    case "approval_requested":
      return {
        text:
          event.question === undefined
            ? `${event.taskId ?? "plan"}: approval asked`
            : `${event.taskId ?? "plan"}: question asked`,
        icon: "gate",
        tone: "awaiting_approval",
        ...task,
      };
    case "approval_decided":
      return decided(event, subject, gated);
    case "approval_revoked":
      return {
        text: `${subject}: ${event.by.name} took the approval back`,
        icon: "sent_back",
        tone: "changed",
        ...gated,
      };
    case "approval_reminded":
      return { text: `${subject}: signers reminded`, icon: "note", tone: "awaiting_approval", ...gated };
    case "approval_escalated":
      return { text: `${subject}: approval escalated`, icon: "gate", tone: "awaiting_approval", ...gated };
    case "approval_expired":
      return { text: `${subject}: ${EXPIRY_WORDS[event.which]}`, icon: "expired", tone: "cancelled", ...gated };
    case "task_expanded":
      return { text: `${event.taskId}: ${count(event.items.length, "item")}`, icon: "added", tone: "neutral", ...task };
    case "task_dispatched":
      return {
        text: `${event.taskId} started${attemptText(event.attempt)}`,
        icon: "started",
        tone: "running",
        ...task,
      };
    case "task_started":
      return {
        text: `${event.taskId} running${attemptText(event.attempt)}`,
        icon: "started",
        tone: "running",
        ...task,
      };
    case "task_observed": {
      const { observation } = event;
      if (observation.status === "ok") {
        return {
          text: `${event.taskId}: answer${event.late === true ? " came late" : ""}`,
          icon: "note",
          tone: "neutral",
          ...task,
        };
      }
      return {
        text: `${event.taskId} attempt ${event.attempt} failed: ${observation.errorCategory ?? observation.errorCode ?? observation.status}`,
        icon: "failed",
        tone: "failed",
        ...task,
      };
    }
    case "task_retry_scheduled":
      return {
        text: `${event.taskId}: ${event.poll === true ? "not done, asks again" : `attempt ${event.attempt}`} in ${formatDuration(Math.max(0, event.notBefore - event.at))}`,
        icon: "retry",
        tone: "held",
        ...task,
      };
    case "task_succeeded":
      return { text: `${event.taskId} succeeded`, icon: "succeeded", tone: "succeeded", ...task };
    case "task_failed":
      return { text: `${event.taskId} failed`, icon: "failed", tone: "failed", ...task };
    case "task_retried": {
      const others = event.reopened.length - 1;
      const behind = others === 0 ? "" : `, with ${count(others, "task")} behind it`;
      return {
        text: `${event.taskId}: tried again by ${event.by.name}${behind}`,
        icon: "retry",
        tone: "ready",
        ...task,
      };
    }
    case "task_cancelled":
      return { text: `${event.taskId} cancelled`, icon: "cancelled", tone: "cancelled", ...task };
    case "task_skipped":
      return { text: `${event.taskId} skipped`, icon: "skipped", tone: "skipped", ...task };
    case "task_blocked":
      return { text: `${event.taskId} blocked`, icon: "blocked", tone: "blocked", ...task };
    case "task_stopped":
      return { text: `${event.taskId} stopped by budget`, icon: "budget", tone: "stopped_budget", ...task };
    case "outcome_unknown":
      return { text: `${event.taskId}: outcome unknown`, icon: "unknown", tone: "unknown_outcome", ...task };
    case "outcome_reconciled":
      return {
        text: `${event.taskId} settled by ${event.by.name}: ${event.resolution}`,
        icon: "check",
        tone: "neutral",
        ...task,
      };
    case "outcome_looked_up":
      return {
        text: `${event.taskId} looked up: ${LOOK_UP_WORDS[event.verdict]}`,
        icon: "unknown",
        tone: event.verdict === "committed" ? "succeeded" : "unknown_outcome",
        ...task,
      };
    case "look_up_requested":
      return { text: `${event.taskId}: look-up asked by ${event.by.name}`, icon: "unknown", tone: "neutral", ...task };
    case "budget_charged":
      return { text: `${event.budget} charged ${event.amount}`, icon: "budget", tone: "neutral", ...task };
    case "repetition_detected":
      return {
        text: `${event.taskId} repeated ${event.times}×${event.verdict === "stall" ? ", stalled" : ""}`,
        icon: "repeat",
        tone: event.verdict === "stall" ? "blocked" : "neutral",
        ...task,
      };
    case "reflection_recorded":
      return { text: "reflection recorded", icon: "note", tone: "neutral", ...task };
    case "replan_requested":
      return { text: "replan requested", icon: "replan", tone: "neutral" };
    case "plan_revised":
      return {
        text: `plan revised to r${event.revision}${event.author === undefined ? "" : ` by ${event.author.name}`}`,
        icon: "revised",
        tone: "changed",
        strong: true,
      };
    case "replan_refused":
      return { text: `replan refused: ${event.message}`, icon: "refused", tone: "failed" };
    case "completion_checked":
      return {
        text: `completion check ${event.passed ? "passed" : "did not pass"}`,
        icon: event.passed ? "check" : "failed",
        tone: event.passed ? "succeeded" : "failed",
      };
    case "run_paused":
      return { text: `paused by ${event.by.name}`, icon: "paused", tone: "held", strong: true };
    case "run_resumed":
      return { text: `resumed by ${event.by.name}`, icon: "resumed", tone: "ready", strong: true };
    case "run_cancelled":
      return {
        text: `cancelled by ${event.by.name}${event.reason === undefined ? "" : `: ${event.reason}`}`,
        icon: "cancelled",
        tone: "cancelled",
        strong: true,
      };
    case "run_finished":
      return {
        text: `run ${OUTCOME_WORDS[event.outcome]}`,
        icon: "finished",
        tone: OUTCOME_TONE[event.outcome],
        strong: true,
      };
    default:
      return assertNever(event);
  }
}

function decided(
  event: Extract<RunEvent, { type: "approval_decided" }>,
  subject: string,
  gated: { readonly taskId?: string },
): EventText {
  const by = event.onBehalfOf === undefined ? event.by.name : `${event.by.name} for ${event.onBehalfOf.name}`;
  switch (event.decision) {
    case "approve":
      return event.answer === undefined
        ? { text: `${subject}: approved by ${by}`, icon: "signed", tone: "succeeded", ...gated }
        : { text: `${subject}: answered by ${by}`, icon: "signed", tone: "succeeded", ...gated };
    case "reject":
      return { text: `${subject}: rejected by ${by}`, icon: "refused", tone: "failed", ...gated };
    case "send_back":
      return { text: `${subject}: sent back by ${by}`, icon: "sent_back", tone: "changed", ...gated };
  }
}

const LOOK_UP_WORDS: Readonly<Record<Extract<RunEvent, { type: "outcome_looked_up" }>["verdict"], string>> = {
  committed: "it took effect",
  not_committed: "it took no effect",
  undecided: "still not known",
};

const EXPIRY_WORDS: Readonly<Record<Extract<RunEvent, { type: "approval_expired" }>["which"], string>> = {
  decide_by: "nobody decided in time",
  execute_by: "approval ran out before it was used",
  superseded: "gate superseded by a revision",
  run_ended: "gate closed, the run ended",
};

const attemptText = (attempt: number): string => (attempt === 1 ? "" : `, attempt ${attempt}`);
export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;
