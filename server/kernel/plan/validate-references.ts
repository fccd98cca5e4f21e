import type { JsonValue } from "../json";
import { referencesOfTask, statusesOf, valuesOf } from "./edge-place";
import { holdsReference, type Reference, referenceProblemsIn } from "./find-references";
import { MAX_ITEMS_DEFAULT } from "./limits";
import { listNames } from "./near-names";
import type { Task } from "./plan";
import { ITEM } from "./reference-grammar";
import type { ValidationContext } from "./validation-context";

/** How a task can have ended, as a `{"status": …}` condition may ask. */
export const END_STATUSES = ["succeeded", "failed", "skipped", "cancelled", "stopped_budget"] as const;

export const isEndStatus = (status: string): boolean => END_STATUSES.some((known) => known === status);

/**
 * References in tasks. A reference puts its task upstream by itself (it is an edge), so it can only be malformed,
 * name no task, or name its own task; that its edge may close a cycle is the cycle check's to say.
 * A `{"status": …}` condition is no edge: its task must already be upstream.
 */
export function validateReferences(context: ValidationContext): void {
  context.plan.tasks.forEach((task, index) => {
    validateForEach(context, task, index);
    validateStatuses(context, task, index);
    if (!mayRefer(task)) return;
    const base = ["tasks", index];
    const values: { value: JsonValue; path: readonly (string | number)[] }[] = [
      { value: task.arguments, path: [...base, "arguments"] },
      ...(task.when === undefined ? [] : valuesOf(task.when, [...base, "when"])),
      ...(task.precondition === undefined ? [] : valuesOf(task.precondition, [...base, "precondition"])),
      { value: task.forEach ?? null, path: [...base, "forEach"] },
    ];
    for (const { value, path } of values) {
      for (const { at, message } of referenceProblemsIn(value, path)) {
        context.report({ code: "syntax", place: at, message });
      }
    }
    for (const reference of referencesOfTask(task, index)) validateReference(context, task, index, reference);
  });
}

const mayRefer = (task: Task): boolean =>
  holdsReference(task.arguments) ||
  task.when !== undefined ||
  task.precondition !== undefined ||
  (task.forEach !== undefined && task.forEach !== null);

/** True where a reference means the item of the task's own `forEach`. */
export const meansItem = (task: Task, index: number, reference: Reference): boolean =>
  reference.taskId === ITEM &&
  task.forEach !== undefined &&
  task.forEach !== null &&
  !reference.at.startsWith(`/tasks/${index}/forEach`);

function validateReference(context: ValidationContext, task: Task, index: number, reference: Reference): void {
  if (meansItem(task, index, reference)) return;
  if (reference.taskId === task.id) {
    const message = `“${task.id}” uses its own output, so it can never start.`;
    context.report({ code: "self_dependency", place: reference.at, message });
  } else if (!context.graph.indexOf.has(reference.taskId)) {
    context.report({ code: "reference_missing_task", place: reference.at, message: missing(context, reference) });
  }
}

function missing(context: ValidationContext, { taskId, form }: Reference): string {
  if (taskId === ITEM) return "“item” has a meaning only in a task with “forEach”.";
  const literal = form === "output" ? "" : ` For a literal \${ write $\${.`;
  return `There is no task “${taskId}” to take an output from.${context.taskHint(taskId)}${literal}`;
}

function validateForEach(context: ValidationContext, task: Task, index: number): void {
  const { forEach } = task;
  const place = ["tasks", index, "forEach"];
  if (forEach === undefined || forEach === null) {
    if (task.maxItems !== undefined) {
      const message = "“maxItems” bounds a “forEach”, and this task has none.";
      context.report({ code: "schema", severity: "warning", place: ["tasks", index, "maxItems"], message });
    }
    return;
  }
  const isReference = typeof forEach === "object" && !Array.isArray(forEach) && Object.hasOwn(forEach, "$output");
  if (!Array.isArray(forEach) && !isReference) {
    const message = 'Runs once for each item of a list: a list, or {"$output": "task#/pointer"} that gives one.';
    context.report({ code: "schema", place, message });
    return;
  }
  const most = task.maxItems ?? MAX_ITEMS_DEFAULT;
  if (Array.isArray(forEach) && forEach.length > most) {
    const message = `The list has ${forEach.length} items; “maxItems” allows ${most}.`;
    context.report({ code: "limit_exceeded", place, message });
  }
}

function validateStatuses(context: ValidationContext, task: Task, index: number): void {
  const conditions = (["when", "precondition"] as const).flatMap((key) => {
    const condition = task[key];
    return condition === undefined ? [] : statusesOf(condition, ["tasks", index, key]);
  });
  for (const { task: name, is, path } of conditions) {
    if (!isEndStatus(is)) {
      const message = `No task ends “${is.slice(0, 60)}”: ask for ${listNames(END_STATUSES)}.`;
      context.report({ code: "schema", place: [...path.slice(0, -1), "is"], message });
    }
    validateStatusTask(context, task, index, name, path);
  }
}

function validateStatusTask(
  context: ValidationContext,
  task: Task,
  index: number,
  name: string,
  place: readonly (string | number)[],
): void {
  const upstream = context.graph.indexOf.get(name);
  if (name === task.id) {
    context.report({ code: "self_dependency", place, message: `“${task.id}” asks how it ended itself.` });
  } else if (upstream === undefined) {
    const message = `There is no task “${name}” to ask the status of.${context.taskHint(name)}`;
    context.report({ code: "reference_missing_task", place, message });
  } else if (context.paths !== undefined && context.paths.hasPath(upstream, index) === false) {
    const follows = context.paths.hasPath(index, upstream) !== false;
    context.report({
      code: "reference_not_upstream",
      place,
      message: follows
        ? `“${name}” comes after “${task.id}”, so its status cannot decide whether “${task.id}” runs.`
        : `“${name}” is not upstream of “${task.id}”, so its status may not be known yet.`,
      related: [{ pointer: `/tasks/${upstream}`, taskId: name }],
      ...(follows
        ? {}
        : {
            fix: {
              label: `Let “${task.id}” wait for “${name}”`,
              edits: [{ type: "add_dependency", taskId: task.id, dependsOn: name }],
            },
          }),
    });
  }
}
