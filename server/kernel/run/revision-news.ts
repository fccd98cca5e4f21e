import { diffPlans, isEmptyDiff } from "../plan/diff";
import type { Plan, Task } from "../plan/plan";
import { renameTask } from "../plan/rename";
import type { RunState } from "./state";
import { actionOf } from "./widening";

/**
 * True for a revision whose only news is a failure said again: steps that do what has failed already, under another
 * name, and other words for what was planned. A removed step, another step, other arguments or another order are news.
 */
export function isOldNews(state: RunState, before: Plan, after: Plan): boolean {
  const failed = new Map<string, Task>();
  for (const { status, task, instance } of state.tasks.values()) {
    if (status === "failed" && instance === undefined) failed.set(actionOf(task), task);
  }
  const known = new Set<string>(before.tasks.map(({ id }) => id));
  let plan = after;
  for (const task of after.tasks) {
    const repeated = known.has(task.id) ? undefined : failed.get(actionOf(task));
    if (repeated === undefined) continue;
    plan = renameTask({ ...plan, tasks: plan.tasks.filter(({ id }) => id !== task.id) }, task.id, repeated.id);
  }
  return isEmptyDiff(diffPlans(withoutWords(before), withoutWords(plan)));
}

/** The plan without what only people read. */
const withoutWords = (plan: Plan): Plan => ({
  ...plan,
  tasks: plan.tasks.map(
    ({ title: _title, notes: _notes, expectedOutcome: _outcome, estimate: _estimate, ...task }) => task,
  ),
});
