import { PLAN_FORMAT, type Plan } from "../plan/plan";
import type { RunEventOf } from "./event";
import { gainEvidence } from "./evidence";
import { answerTrigger, taskOfTrigger } from "./failures";
import { installCapabilities, installPlan } from "./install-plan";
import type { RunState } from "./state";

/** The first plan in force: from here on the run may act. */
export function acceptPlan(state: RunState, event: RunEventOf<"plan_accepted">): void {
  state.revision = event.revision;
  if (state.status === "created") state.status = "running";
  state.revisions.push({ revision: event.revision, seq: event.seq, at: event.at, plan: event.plan });
  installCapabilities(state, event.capabilities);
  installPlan(state, event.plan, event);
}

/** A streamed plan grows by one task; before `plan_accepted` nothing of it may run. */
export function addTask(state: RunState, event: RunEventOf<"task_added">): void {
  const plan: Plan = state.plan ?? { format: PLAN_FORMAT, name: state.name || "plan", tasks: [], completion: [] };
  if (plan.tasks.some((task) => task.id === event.task.id)) return;
  installPlan(state, { ...plan, tasks: [...plan.tasks, event.task] }, event);
  const added = state.tasks.get(event.task.id);
  if (added !== undefined && state.revision > 0) added.streamedSeq = event.seq;
}

/** The next revision in force. Its completion checks start anew, and the failure that set it off is answered. */
export function revisePlan(state: RunState, event: RunEventOf<"plan_revised">): void {
  const { revision, seq, at, plan, reason, triggerSeq, by, diff, author } = event;
  state.revision = revision;
  state.revisions.push({ revision, seq, at, plan, reason, triggerSeq, by, diff, ...(author && { author }) });
  state.budgetUse.planRevisions += 1;
  if (author?.kind === "person") gainEvidence(state);
  state.budgetUse.iterations += 1;
  state.completion = [];
  state.proposal = undefined;
  state.noValidPlan = undefined;
  state.replanRefusals = undefined;
  closeRequest(state, triggerSeq);
  installCapabilities(state, event.capabilities);
  installPlan(state, plan, event);
  answerTrigger(state, triggerSeq);
}

/** A revision that waits for an approval. What it changes or takes out starts nothing meanwhile. */
export function proposePlan(state: RunState, event: RunEventOf<"plan_proposed">): void {
  const { plan, capabilities, diff, reason, triggerSeq } = event;
  if (plan === undefined || diff === undefined || reason === undefined || triggerSeq === undefined) return;
  const held = new Set<string>([...diff.removed, ...diff.changed.map(({ taskId }) => taskId)]);
  const proposed = { plan, capabilities: capabilities ?? [], diff, reason, triggerSeq };
  state.proposal = { event: { ...event, ...proposed }, held };
  closeRequest(state, triggerSeq);
}

export function requestReplan(state: RunState, event: RunEventOf<"replan_requested">): void {
  const { seq, at, reason, triggerSeq, message } = event;
  state.replanRequestedSeq = seq;
  state.replanRequest = { seq, at, reason, triggerSeq, message };
  forgetTrigger(state, triggerSeq);
}

/** Nothing changes by it but that the question is answered, and that a planner is not asked about it for ever. */
export function refuseReplan(state: RunState, event: RunEventOf<"replan_refused">): void {
  const { triggerSeq, verdict, seq, message, reason } = event;
  const before = state.replanRefusals?.triggerSeq === triggerSeq ? state.replanRefusals.count : 0;
  const asked = state.replanRequest?.triggerSeq === triggerSeq && event.author?.kind === "planner";
  const open = asked && verdict === undefined && event.code !== "revisions_exhausted";
  const problems = (event.problems ?? []).map((problem) => `${problem.pointer}: ${problem.message}`);
  const retry = { reason, triggerSeq, message: [message, ...problems].join("\n") };
  state.replanRefusals = {
    triggerSeq,
    count: before + 1,
    final: verdict !== undefined,
    ...(open ? { retry } : {}),
  };
  state.proposal = undefined;
  closeRequest(state, triggerSeq);
  if (verdict !== undefined) state.noValidPlan = { verdict, seq, code: event.code ?? "replan_refused", message };
}

function closeRequest(state: RunState, triggerSeq: number): void {
  state.replanRequestedSeq = undefined;
  state.replanRequest = undefined;
  forgetTrigger(state, triggerSeq);
}

function forgetTrigger(state: RunState, triggerSeq: number): void {
  const task = taskOfTrigger(state, triggerSeq);
  if (task !== undefined) state.unanswered.delete(task.id);
}
