import { PLAN_FORMAT, type Plan } from "../plan/plan";
import type { RunEventOf } from "./event";
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
}

/** The next revision in force. Its completion checks start anew. */
export function revisePlan(state: RunState, event: RunEventOf<"plan_revised">): void {
  const { revision, seq, at, plan, reason, triggerSeq, by, diff } = event;
  state.revision = revision;
  state.revisions.push({ revision, seq, at, plan, reason, triggerSeq, by, diff });
  state.budgetUse.planRevisions += 1;
  state.budgetUse.iterations += 1;
  state.replanRequestedSeq = undefined;
  state.completion = [];
  installCapabilities(state, event.capabilities);
  installPlan(state, plan, event);
}
