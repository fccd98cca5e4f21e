import { referencesOfTask } from "./edge-place";
import { holdsReference } from "./find-references";
import type { Condition, Join, Task } from "./plan";
import { isEndStatus, meansItem } from "./validate-references";
import type { ValidationContext } from "./validation-context";

/** Joins that let a task start although a parent of it did not succeed. */
const LENIENT: ReadonlySet<Join> = new Set(["all_done", "any_succeeded", "none_failed"]);

/** Joins: a join needs parents to decide by, and must not contradict what the task asks of them. */
export function validateJoins(context: ValidationContext): void {
  const { plan, graph } = context;
  plan.tasks.forEach((task, index) => {
    const parents = (graph.predecessorOffsets[index + 1] as number) - (graph.predecessorOffsets[index] as number);
    if (LENIENT.has(task.join)) {
      if (parents === 0) reportNoParents(context, task, index);
      else validateLenient(context, task, index);
    } else if (task.when !== undefined) {
      validateStrict(context, task, index, task.when);
    }
  });
}

function reportNoParents(context: ValidationContext, task: Task, index: number): void {
  const message =
    task.join === "any_succeeded"
      ? `“${task.id}” waits for a first parent to succeed and has none.`
      : `“${task.id}” has no parents for “${task.join}” to decide by; it starts at once.`;
  context.report({
    code: "join_invalid",
    severity: task.join === "any_succeeded" ? "error" : "warning",
    place: ["tasks", index, "join"],
    message,
    fix: { label: "Use the default join", edits: [withJoin(task, "all_succeeded")] },
  });
}

/** A lenient join with a reference that has no default: where that parent did not succeed, the task fails. */
function validateLenient(context: ValidationContext, task: Task, index: number): void {
  if (!holdsReference(task.arguments)) return;
  const said = new Set<string>();
  for (const reference of referencesOfTask(task, index)) {
    const { taskId, at, hasDefault } = reference;
    if (hasDefault || said.has(taskId) || !at.startsWith(`/tasks/${index}/arguments`)) continue;
    if (meansItem(task, index, reference) || !context.graph.indexOf.has(taskId)) continue;
    said.add(taskId);
    context.report({
      code: "join_invalid",
      severity: "warning",
      place: at,
      message: `“${task.join}” lets “${task.id}” start without the output of “${taskId}”, and then it fails: give the reference a default.`,
      related: [{ pointer: `/tasks/${index}/join`, taskId: task.id }],
    });
  }
}

/** The default join with a condition that asks for a parent not to have succeeded: the task never runs. */
function validateStrict(context: ValidationContext, task: Task, index: number, when: Condition): void {
  for (const { status, is } of requiredStatuses(when)) {
    if (is === "succeeded" || !isEndStatus(is) || !isParent(context, index, status)) continue;
    context.report({
      code: "join_invalid",
      severity: "warning",
      place: ["tasks", index, "when"],
      message: `“${task.id}” asks for “${status}” to be ${is.slice(0, 60)}, but starts only where all parents succeeded: it never runs.`,
      related: [{ pointer: `/tasks/${context.graph.indexOf.get(status)}`, taskId: status }],
      fix: { label: "Start once all parents are done", edits: [withJoin(task, "all_done")] },
    });
  }
}

/** The statuses that must all hold for a condition to hold. */
function requiredStatuses(condition: Condition): readonly { status: string; is: string }[] {
  if (typeof condition === "boolean") return [];
  if ("all" in condition) return condition.all.flatMap(requiredStatuses);
  return "status" in condition ? [condition] : [];
}

function isParent({ graph }: ValidationContext, task: number, name: string): boolean {
  const parent = graph.indexOf.get(name);
  if (parent === undefined) return false;
  const row = graph.predecessors.subarray(graph.predecessorOffsets[task], graph.predecessorOffsets[task + 1]);
  return row.includes(parent);
}

const withJoin = (task: Task, join: Join) =>
  ({ type: "replace_task", taskId: task.id, task: { ...task, join } }) as const;
