import { tasksDueAt } from "./budget";
import { type Command, record } from "./command";
import type { Asking } from "./decide-options";
import type { NewRunEvent, RevisionAuthor } from "./event";
import { stallOf } from "./evidence";
import { stallMessage } from "./finish";
import { ruleRevision } from "./replan-rules";
import { planRevised, replanRefused, revisionsExhausted } from "./revision-event";
import { settleProposal } from "./revision-gate";
import type { RunState, TaskState } from "./state";

/** How often a planner is asked about one trigger before what it has not found is taken not to be there. */
export const PLANNER_TRIES_MAX = 3;

/** True for a task that starts nothing, since a revision that would change or remove it waits for an approval. */
export const isHeldByProposal = (state: RunState, task: TaskState): boolean =>
  state.proposal?.held.has(task.instance?.groupId ?? task.id) === true;

/** True for a task that hears of its parents' ends later: the plan may be about to change under it. */
export const awaitsReplan = (state: RunState, task: TaskState): boolean =>
  (task.status === "pending" && (state.replanRequestedSeq !== undefined || state.unanswered.size > 0)) ||
  isHeldByProposal(state, task);

/**
 * What a run does about its plan: the approval of a revision that waits for one, the rules that a failed task
 * declares, and the question to its planner. It comes before anything else that follows from a failure, so that the
 * tasks behind it are not cancelled for what can still be mended. Nothing: the plan stays as it is.
 */
export function replan(state: RunState, asking: Asking): Command[] {
  const { proposal, replanRequest } = state;
  const over = tooLate(state, asking.now);
  if (proposal !== undefined) return settleProposal(state, asking, proposal, over);
  if (replanRequest !== undefined) {
    if (over === undefined) return [];
    const { reason, triggerSeq } = replanRequest;
    return [record(replanRefused({ reason, triggerSeq, author: RUNTIME, ...over }, asking.now))];
  }
  if (over !== undefined) return [];
  for (const id of state.unanswered) {
    const task = state.tasks.get(id);
    if (task?.endedSeq !== undefined) return [record(answerFailure(state, task, task.endedSeq, asking.now))];
  }
  return askPlannerAgain(state, asking.now);
}

const RUNTIME: RevisionAuthor = { kind: "rule", name: "runtime" };

/** A revision that could not run any more is not waited for. */
function tooLate(state: RunState, now: number): { readonly code: string; readonly message: string } | undefined {
  const due = tasksDueAt(state);
  if (due !== undefined && now >= due) {
    return { code: "budget.deadlineSeconds", message: "The deadline has passed." };
  }
  if (state.firstStop === undefined || state.openTasks > 0) return undefined;
  return { code: state.firstStop.code, message: state.firstStop.message };
}

/** A rule of the plan revises it; without one its planner is asked. */
function answerFailure(state: RunState, task: TaskState, triggerSeq: number, now: number): NewRunEvent {
  const rule = ruleRevision(state, task);
  if (rule === undefined) {
    const message = `“${task.id}” failed${task.cause === undefined ? "." : `: ${task.cause.message}`}`;
    return askPlanner(state, { reason: "path_blocked", triggerSeq, message }, now);
  }
  const { plan, reason, name, message } = rule;
  const author: RevisionAuthor = { kind: "rule", name };
  const exhausted = revisionsExhausted(state, "rule");
  if (exhausted !== undefined) {
    return replanRefused({ reason, triggerSeq, author, code: "revisions_exhausted", message: exhausted }, now);
  }
  return planRevised(state, { plan, reason, triggerSeq, author, message }, now);
}

type Question = Pick<NonNullable<RunState["replanRequest"]>, "reason" | "triggerSeq" | "message">;

function askPlanner(state: RunState, question: Question, now: number): NewRunEvent {
  const stall = stallOf(state);
  if (stall !== undefined && stall.stalls > 1) {
    const message = stallMessage(state, stall);
    return replanRefused({ ...question, author: RUNTIME, code: "stalled", message, verdict: "stop_stalled" }, now);
  }
  const exhausted = revisionsExhausted(state, "planner");
  if (exhausted === undefined) return { type: "replan_requested", at: now, by: RUNTIME.name, ...question };
  return replanRefused({ ...question, author: RUNTIME, code: "revisions_exhausted", message: exhausted }, now);
}

/** A repeat told nothing new: the planner is asked for another way, once; the next such repeat ends the run. */
export function askAboutStall(state: RunState, now: number): Command | undefined {
  const stall = stallOf(state);
  if (stall === undefined || stall.stalls > 1 || state.plan?.replanning?.planner === undefined) return undefined;
  const asked = state.replanRefusals?.triggerSeq === stall.seq || state.noValidPlan !== undefined;
  if (asked || state.revisions.some(({ triggerSeq }) => triggerSeq === stall.seq)) return undefined;
  const question = { reason: "path_blocked", triggerSeq: stall.seq, message: stallMessage(state, stall) } as const;
  return record(askPlanner(state, question, now));
}

/** After an answer that was refused, while tries are left; and when a check did not pass although all was done. */
function askPlannerAgain(state: RunState, now: number): Command[] {
  if (state.plan?.replanning?.planner === undefined) return [];
  const refused = state.replanRefusals;
  if (refused !== undefined && !refused.final && refused.count < PLANNER_TRIES_MAX && refused.retry !== undefined) {
    return [record(askPlanner(state, refused.retry, now))];
  }
  // Where something has failed, the planner has been asked about that.
  const asks = state.openTasks === 0 && state.firstFailure === undefined && state.noValidPlan === undefined;
  const failed = asks ? state.completion.find(({ passed }) => !passed) : undefined;
  if (failed === undefined || refused?.triggerSeq === failed.seq) return [];
  const question = { reason: "expected_result_missing", triggerSeq: failed.seq, message: failed.message } as const;
  return [record(askPlanner(state, question, now))];
}
