import { referencesOfTask } from "./edge-place";
import { holdsReference } from "./find-references";
import type { Task } from "./plan";
import type { TaskGraph } from "./plan-graph";
import { CLOSURE_MAX_TASKS, type PathFinder } from "./reachability";
import type { ValidationContext } from "./validation-context";

/**
 * References to tasks on a parallel branch. They are no fault here, since a reference is an edge and the task waits;
 * but where a task declares its dependencies and leaves this one out, its author may not have meant it to wait. So
 * it is said, once for each such pair, and one click declares the edge. Looked for in plans of up to
 * {@link CLOSURE_MAX_TASKS} tasks.
 */
export function validateUpstream(context: ValidationContext): void {
  const { plan, graph, paths } = context;
  if (paths === undefined || graph.size > CLOSURE_MAX_TASKS) return;
  plan.tasks.forEach((task, index) => {
    if (task.dependsOn.length === 0 || !mayRefer(task)) return;
    const looked = new Set<string>();
    for (const { taskId, at } of referencesOfTask(task, index)) {
      const referenced = graph.indexOf.get(taskId);
      if (referenced === undefined || referenced === index || looked.has(taskId)) continue;
      looked.add(taskId);
      if (isDeclaredUpstream(graph, paths, task, referenced)) continue;
      context.report({
        code: "reference_not_upstream",
        severity: "info",
        place: at,
        message: `“${task.id}” waits for “${taskId}” because of this reference; its dependencies do not say so.`,
        related: [{ pointer: `/tasks/${referenced}`, taskId }],
        fix: {
          label: `Declare that “${task.id}” waits for “${taskId}”`,
          edits: [{ type: "add_dependency", taskId: task.id, dependsOn: taskId }],
        },
      });
    }
  });
}

/** True where the referenced task is a declared dependency or comes before one. */
function isDeclaredUpstream(graph: TaskGraph, paths: PathFinder, task: Task, referenced: number): boolean {
  return task.dependsOn.some((name) => {
    const dependency = graph.indexOf.get(name);
    return dependency !== undefined && (dependency === referenced || paths.hasPath(referenced, dependency) === true);
  });
}

const mayRefer = (task: Task): boolean =>
  holdsReference(task.arguments) || task.when !== undefined || task.precondition !== undefined;
