import { runDueAt, tasksDueAt } from "./budget";
import { checkCompletion } from "./check-completion";
import { type Command, record } from "./command";
import type { Asking, DecideOptions } from "./decide-options";
import { type Decision, decisionOf, type Facts } from "./decision";
import { factsOf } from "./facts";
import { finishRun } from "./finish";
import { planRefused } from "./plan-gate";
import { askAboutStall, replan } from "./replan";
import { Round } from "./round";
import type { RunState } from "./state";
import { cancelRun, endOpenTasks, endRun } from "./stop";

/**
 * What should happen next. Pure and deterministic: the same state, time and options give the same commands.
 *
 * The shell applies each `record` and each `dispatch` to its state and asks again until nothing but `wake` comes
 * back; a cascade of skips therefore takes as many rounds as it is deep, and they can all go into one append. It
 * never dispatches a task that is not ready, nor one twice, and it dispatches the longest remaining path first.
 *
 * It costs what changed, not what there is: the reducer keeps the tasks that owe an event and the dispatch queue in
 * order, and the walk over the queue stops at the first task for which there is no slot.
 *
 * @param now epoch milliseconds on the database clock; deadlines and expiries are judged by it.
 * @returns nothing for a run that has finished or whose plan is not accepted yet.
 */
export function decide(state: RunState, now: number, options: DecideOptions = {}): Command[] {
  if (state.status === "finished" || state.runId === "") return [];
  if (state.revision === 0 && state.planRejection === undefined && state.cancelledBy === undefined) return [];
  const asking = { now, options };
  const facts = factsOf(state, now);
  const replanned = facts.cancelled || facts.unplanned ? [] : replan(state, asking);
  if (replanned.length > 0) return replanned;
  const decision = decisionOf(facts);
  return facts.open ? goOn(state, asking, facts, decision) : comeToAnEnd(state, asking, decision);
}

/** Tasks are open: they are stopped, or as many of them go on as may. */
function goOn(state: RunState, asking: Asking, facts: Facts, decision: Decision): Command[] {
  const { now } = asking;
  switch (decision) {
    case "cancelled":
      return cancelRun(state, now);
    case "stop_budget":
      return stopAtDeadline(state, now);
    case "rejected": {
      const cause = planRefused(state) ?? { code: "approval_rejected", message: "The plan was not signed." };
      return endRun(state, now, { type: "task_cancelled", cause }, "rejected", cause.seq ?? state.lastSeq);
    }
    case "stop_no_valid_plan":
      return [endWithoutPlan(state, now)];
    default: {
      const round = roundOf(state, asking);
      if (!round.isStuck || decisionOf({ ...facts, stuck: true }) !== "stop_stalled") return round.result();
      const cause = { code: "stalled", message: "Nothing runs, nothing waits, and no task can go on." };
      return endRun(state, now, { type: "task_cancelled", cause }, "stop_stalled", state.lastSeq);
    }
  }
}

function roundOf(state: RunState, asking: Asking): Round {
  const round = new Round(state, asking);
  round.closeGates();
  round.settle();
  // What follows from these records may be ready for a slot too, and the longest path has the first claim on it.
  if (!round.recorded) round.dispatch();
  const due = tasksDueAt(state);
  if (due !== undefined) round.wakeAt(due);
  return round;
}

/** Every task has ended: the completion checks are made one after another, and then the run ends. */
function comeToAnEnd(state: RunState, asking: Asking, decision: Decision): Command[] {
  const { now } = asking;
  switch (decision) {
    case "cancelled":
      return cancelRun(state, now);
    case "retry_or_replan":
    case "continue": {
      const round = new Round(state, asking);
      round.closeGates();
      if (round.acted) return round.result();
      const due = runDueAt(state);
      if (due !== undefined) round.wakeAt(due);
      return decision === "continue" ? [...checkCompletion(state, asking), ...round.result()] : round.result();
    }
    case "stop_stalled": {
      const question = askAboutStall(state, now);
      return question === undefined ? finishRun(state, now, decision) : [question];
    }
    case "stop_no_valid_plan":
      return state.tasks.size === 0 ? [endWithoutPlan(state, now)] : finishRun(state, now, decision);
    default:
      return finishRun(state, now, decision);
  }
}

/** An empty plan is never success. */
function endWithoutPlan(state: RunState, now: number): Command {
  const rejection = state.planRejection;
  const reason = rejection === undefined ? "The plan has no tasks." : rejection.messages.join(" ");
  const causeSeq = rejection?.seq ?? state.lastSeq;
  return record({
    type: "run_finished",
    at: now,
    outcome: "stop_no_valid_plan",
    reason: reason || "The plan is not valid.",
    causeSeq,
  });
}

function stopAtDeadline(state: RunState, now: number): Command[] {
  const seconds = state.plan?.budgets?.deadlineSeconds ?? 0;
  const cause = { code: "budget.deadlineSeconds", message: `The deadline of ${seconds} s has passed.` };
  return endOpenTasks(state, now, { type: "task_stopped", cause }, { inFlightToo: true });
}
