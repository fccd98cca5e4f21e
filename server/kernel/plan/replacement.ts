import type { TaskId } from "../ids";
import type { Alternative, Plan, Task } from "./plan";
import { renameTask } from "./rename";

/** True for a task whose plan says what takes its place when it has failed. */
export const hasRule = (task: Task): boolean => (task.alternatives?.length ?? 0) + (task.fallback?.length ?? 0) > 0;

/** A task as one of its alternatives has it; the plan's validation asks this too. */
export function replaced(
  task: Task,
  id: TaskId,
  { capability, arguments: others, rest = [] }: Alternative & { readonly rest?: readonly Alternative[] },
): Task {
  const { alternatives: _tried, position: _position, ...same } = task;
  return {
    ...same,
    id,
    capability,
    arguments: others ?? task.arguments,
    ...(rest.length === 0 ? {} : { alternatives: [...rest] }),
  };
}

/** The last of the tasks stands in for the failed one: whoever used its output, or waited for it, is told so. */
export function withReplacement(plan: Plan, failed: TaskId, tasks: readonly Task[]): Plan {
  const standIn = tasks.at(-1);
  const renamed = standIn === undefined ? plan : renameTask(plan, failed, standIn.id);
  return { ...renamed, tasks: [...tasks, ...renamed.tasks] };
}
