import { shortestCycles } from "./cycle";
import type { Fix } from "./diagnostic";
import { placeOfEdge } from "./edge-place";
import type { Task } from "./plan";
import type { ValidationContext } from "./validation-context";

/** Tasks of a cycle that its message names one by one; `related` always has all of them. */
const NAMED_TASKS_MAX = 12;

/**
 * One diagnostic for each group of tasks that block one another, naming one shortest cycle. It stands at the edge
 * that leads back to the earliest task of the cycle in plan order, which is the one that was drawn the wrong way
 * round where a plan is written from first to last.
 */
export function validateCycles(context: ValidationContext): void {
  if (context.order !== undefined) return;
  const { plan, graph } = context;
  for (const cycle of shortestCycles(graph)) {
    const tasks = cycle.map((index) => plan.tasks[index] as Task);
    const edges = cycle.map((index, position) => {
      const from = tasks[(position + cycle.length - 1) % cycle.length] as Task;
      const task = tasks[position] as Task;
      return { from, task, ...placeOfEdge(task, index, from.id) };
    });
    const closing = edges[0] as (typeof edges)[number];
    context.report({
      code: "cycle",
      place: closing.pointer,
      message: `${nameCycle(tasks)} is a cycle: each of these tasks waits for the one before it, so none can start.`,
      related: edges.map(({ from, task, pointer }) => ({
        pointer,
        taskId: task.id,
        message: `“${task.id}” waits for “${from.id}”.`,
      })),
      ...(closing.declared ? { fix: removal(closing.task, closing.from) } : {}),
    });
  }
}

function nameCycle(tasks: readonly Task[]): string {
  const ids = tasks.map(({ id }) => `“${id}”`);
  const shown = ids.length > NAMED_TASKS_MAX ? [...ids.slice(0, NAMED_TASKS_MAX), `… (${ids.length} tasks)`] : ids;
  return [...shown, ids[0]].join(" → ");
}

const removal = (task: Task, from: Task): Fix => ({
  label: `Remove the dependency of “${task.id}” on “${from.id}”`,
  edits: [{ type: "remove_dependency", taskId: task.id, dependsOn: from.id }],
});
