import { tasksDueAt } from "./budget";
import { type Command, record } from "./command";
import type { Asking, DecideOptions } from "./decide-options";
import { finishRun } from "./finish";
import { planRefused } from "./plan-gate";
import { replan } from "./replan";
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
  if (state.cancelledBy !== undefined) return cancelRun(state, now);
  if (state.revision === 0) return beforePlan(state, now);
  if (state.tasks.size === 0) return [endWithoutPlan(now, "The plan has no tasks.", state.lastSeq)];
  const replanned = replan(state, { now, options });
  if (replanned.length > 0) return replanned;
  if (state.openTasks === 0) return atTheEnd(state, { now, options });
  const due = tasksDueAt(state);
  if (due !== undefined && now >= due) return stopAtDeadline(state, now);
  const refusal = planRefused(state);
  if (refusal !== undefined) {
    return endRun(state, now, { type: "task_cancelled", cause: refusal }, "rejected", refusal.seq ?? state.lastSeq);
  }
  const round = new Round(state, { now, options });
  round.closeGates();
  round.settle();
  // What follows from these records may be ready for a slot too, and the longest path has the first claim on it.
  if (!round.recorded) round.dispatch();
  if (due !== undefined) round.wakeAt(due);
  return round.result();
}

function beforePlan(state: RunState, now: number): Command[] {
  const rejection = state.planRejection;
  if (rejection === undefined) return [];
  return [endWithoutPlan(now, rejection.messages.join(" ") || "The plan is not valid.", rejection.seq)];
}

/** An empty plan is never success. */
const endWithoutPlan = (now: number, reason: string, causeSeq: number): Command =>
  record({ type: "run_finished", at: now, outcome: "stop_no_valid_plan", reason, causeSeq });

function stopAtDeadline(state: RunState, now: number): Command[] {
  const seconds = state.plan?.budgets?.deadlineSeconds ?? 0;
  const cause = { code: "budget.deadlineSeconds", message: `The deadline of ${seconds} s has passed.` };
  return endOpenTasks(state, now, { type: "task_stopped", cause }, { inFlightToo: true });
}

/** Every task has ended. A replan that was asked for may still bring new ones. */
function atTheEnd(state: RunState, asking: Asking): Command[] {
  const round = new Round(state, asking);
  round.closeGates();
  if (round.acted || state.replanRequestedSeq !== undefined || state.proposal !== undefined) return round.result();
  const commands = finishRun(state, asking);
  return commands.length > 0 ? commands : round.result();
}
