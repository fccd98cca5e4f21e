import { type TaskId, taskIdSchema } from "../ids";
import type { Plan, Task } from "../plan/plan";
import { hasRule, replaced, withReplacement } from "../plan/replacement";
import type { ReplanReason } from "./event";
import type { RunState, TaskState } from "./state";
import { unfinishedPlan } from "./unfinished";

/** True for a failure that something can answer before the tasks behind it hear of it: a rule of its plan, a planner. */
export function isAnswerable(state: RunState, { task, instance }: TaskState): boolean {
  if (instance !== undefined) return false;
  return hasRule(task) || (state.plan?.replanning?.planner !== undefined && task.onFailure !== "continue");
}

/** What a rule of the plan makes of a failure. */
export interface RuleRevision {
  readonly plan: Plan;
  readonly reason: ReplanReason;
  /** The rule, for the ledger. */
  readonly name: string;
  readonly message: string;
}

/**
 * The revision that a failed task's own plan declares: the next alternative in its place, or, when none is left, its
 * fallback. What stood behind the task stands behind its replacement. Undefined where it declares nothing.
 */
export function ruleRevision(state: RunState, { id, task, cause }: TaskState): RuleRevision | undefined {
  const plan = unfinishedPlan(state);
  if (plan === undefined || !hasRule(task)) return undefined;
  const why = `“${id}” failed${cause === undefined ? "." : `: ${cause.message}`}`;
  const [alternative, ...rest] = task.alternatives ?? [];
  if (alternative !== undefined) {
    const replacement = replaced(task, freshId(state, task), { ...alternative, rest });
    return {
      plan: withReplacement(plan, id, [replacement]),
      reason: "dependency_failed_alternative_exists",
      name: `alternative of ${id}`,
      message: `${why} “${alternative.capability}” takes its place as “${replacement.id}”.`,
    };
  }
  const tasks = (task.fallback ?? []).map((each): Task => ({ ...each }));
  return {
    plan: withReplacement(plan, id, tasks),
    reason: "path_blocked",
    name: `fallback of ${id}`,
    message: `${why} Its fallback takes over.`,
  };
}

/** `fetch` → `fetch.alt-1` → `fetch.alt-2`: names that say where a step came from, and that nobody has. */
function freshId(state: RunState, { id }: Task): TaskId {
  const [, stem = id, tried = "0"] = /^(.*)\.alt-([0-9]+)$/.exec(id) ?? [];
  for (let count = Number(tried) + 1; ; count++) {
    const candidate = `${stem.slice(0, 110)}.alt-${count}`;
    if (!state.tasks.has(candidate)) return taskIdSchema.parse(candidate);
  }
}
