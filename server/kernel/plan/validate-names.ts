import type { Fix, PlanEdit } from "./diagnostic";
import type { Task } from "./plan";
import type { ValidationContext } from "./validation-context";

/** Limits, ids and `dependsOn`: every name must point at one other task. */
export function validateNames(context: ValidationContext): void {
  const { plan, graph, limits } = context;
  if (plan.tasks.length === 0) {
    context.report({ code: "schema", place: ["tasks"], message: "The plan has no task, so there is nothing to run." });
  }
  if (plan.tasks.length > limits.tasks) {
    const message = `${plan.tasks.length} tasks; the limit is ${limits.tasks}.`;
    context.report({ code: "limit_exceeded", place: ["tasks"], message });
  }
  if (graph.edgeCount > limits.edges) {
    const message = `${graph.edgeCount} edges; the limit is ${limits.edges}.`;
    context.report({ code: "limit_exceeded", place: ["tasks"], message });
  }
  plan.tasks.forEach((task, index) => {
    const first = graph.indexOf.get(task.id) as number;
    if (first !== index) {
      context.report({
        code: "duplicate_task_id",
        place: ["tasks", index, "id"],
        message: `There is already a task “${task.id}”.`,
        related: [{ pointer: `/tasks/${first}/id`, taskId: task.id, message: "The first task of that id." }],
      });
    }
    validateDependencies(context, index);
  });
}

function validateDependencies(context: ValidationContext, index: number): void {
  const { plan, graph } = context;
  const { id, dependsOn } = plan.tasks[index] as Task;
  const seen = new Set<string>();
  /** One edit mends all repeats of a task; making it for each would be quadratic. */
  let onceEach: Fix | undefined;
  for (let at = 0; at < dependsOn.length; at++) {
    const name = dependsOn[at] as string;
    const repeated = seen.size === seen.add(name).size;
    const place = ["tasks", index, "dependsOn", at];
    const removal = { type: "remove_dependency", taskId: id, dependsOn: name } as const;
    if (name === id) {
      context.report({
        code: "self_dependency",
        place,
        message: `“${id}” waits for itself, so it can never start.`,
        fix: { label: "Remove this dependency", edits: [removal] },
      });
    } else if (!graph.indexOf.has(name)) {
      context.report({
        code: "missing_dependency",
        place,
        message: `There is no task “${name}”.${context.taskHint(name)}`,
        fix: { label: "Remove this dependency", edits: [removal] },
      });
    } else if (repeated) {
      onceEach ??= { label: "Name each dependency once", edits: [withoutRepeats(context, index)] };
      context.report({
        code: "redundant_edge",
        severity: "info",
        place,
        message: `“${name}” is already named as a dependency of “${id}”.`,
        fix: onceEach,
      });
    }
  }
}

function withoutRepeats({ plan }: ValidationContext, index: number): PlanEdit {
  const task = plan.tasks[index] as Task;
  return { type: "replace_task", taskId: task.id, task: { ...task, dependsOn: [...new Set(task.dependsOn)] } };
}
