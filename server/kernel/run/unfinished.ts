import type { Plan } from "../plan/plan";
import type { RunState, TaskState } from "./state";
import { isTerminal } from "./status";

/** The tasks of the plan in force that have not ended, in its order; what a revision is taking out is not among them. */
export const unfinishedTasks = (state: RunState): TaskState[] =>
  state.nodes.filter((task) => !isTerminal(task.status) && task.removedInRevision === undefined);

/** The plan in force without what has ended: the part that a revision may change. */
export function unfinishedPlan(state: RunState): Plan | undefined {
  if (state.plan === undefined) return undefined;
  return { ...state.plan, tasks: unfinishedTasks(state).map((task) => task.task) };
}
