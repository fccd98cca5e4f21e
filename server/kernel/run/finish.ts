import { type Command, record } from "./command";
import type { Decision } from "./decision";
import type { RunOutcome } from "./event";
import { stallOf } from "./evidence";
import type { RunState, Stall } from "./state";
import { closeGates } from "./stop";

/** The decisions that end a run whose tasks have all ended. */
export type FinalDecision = Exclude<Decision, "continue" | "retry_or_replan" | "cancelled">;

/** The end of a run: its outcome, the reason in words, and the event that caused it. */
export const finishRun = (state: RunState, now: number, decision: FinalDecision): Command[] => [
  ...closeGates(state, now),
  record({ type: "run_finished", at: now, ...verdict(state, decision) }),
];

interface Verdict {
  readonly outcome: RunOutcome;
  readonly reason: string;
  readonly causeSeq: number;
}

function verdict(state: RunState, decision: FinalDecision): Verdict {
  const { firstRejection: rejection, firstFailure: failure, firstStop: stop, noValidPlan } = state;
  switch (decision) {
    case "complete":
      return completed(state);
    case "stop_budget": {
      const seconds = state.plan?.budgets?.deadlineSeconds ?? 0;
      const late = `The deadline of ${seconds} s has passed before every completion check was decided.`;
      return { outcome: decision, reason: stop?.message ?? late, causeSeq: stop?.seq ?? state.lastSeq };
    }
    case "stop_no_valid_plan": {
      const seq = state.revisions.at(-1)?.seq ?? state.lastSeq;
      const { message, seq: causeSeq } = noValidPlan ?? { message: "The plan in force has no tasks.", seq };
      return { outcome: decision, reason: message, causeSeq };
    }
    case "rejected":
      return { outcome: decision, reason: rejection?.message ?? "", causeSeq: rejection?.seq ?? state.lastSeq };
    case "stop_terminal_failure": {
      const reason = `“${failure?.taskId ?? "A task"}” failed: ${failure?.message ?? ""}`;
      return { outcome: decision, reason, causeSeq: failure?.seq ?? state.lastSeq };
    }
    case "stop_stalled": {
      const stall = stallOf(state);
      if (noValidPlan === undefined && stall !== undefined) {
        return { outcome: decision, reason: stallMessage(state, stall), causeSeq: stall.seq };
      }
      return { outcome: decision, reason: noValidPlan?.message ?? "", causeSeq: noValidPlan?.seq ?? state.lastSeq };
    }
    case "evidence_gap": {
      const gap = state.completion.find((result) => !result.passed);
      const note = gap?.undecided === true ? "It could not be decided whether the objective was met. " : "";
      return { outcome: decision, reason: note + (gap?.message ?? ""), causeSeq: gap?.seq ?? state.lastSeq };
    }
  }
}

function completed(state: RunState): Verdict {
  const checks = state.completion.length;
  if (checks === 0) return { outcome: "completed", reason: "Every task has ended.", causeSeq: state.lastSeq };
  const passed = `${checks === 1 ? "The completion check" : `All ${checks} completion checks`} passed.`;
  const failure = state.firstFailure;
  const note = failure === undefined ? "" : ` “${failure.taskId ?? "A task"}” had failed.`;
  const causeSeq = state.completion.at(-1)?.seq ?? state.lastSeq;
  return { outcome: "completed", reason: passed + note, causeSeq };
}

/** Why a repeat holds the run up, in words. */
export function stallMessage(state: RunState, { taskId, times }: Stall): string {
  const task = state.tasks.get(taskId);
  const how = task?.status === "failed" ? "failed the same way" : "got the same answer";
  return `“${taskId}” made a call for the ${ordinal(times)} time and ${how}, and nothing else has become known since.`;
}

function ordinal(count: number): string {
  const last = count % 100 > 10 && count % 100 < 14 ? 0 : count % 10;
  return `${count}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}
