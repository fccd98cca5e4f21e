import type { TaskId } from "../ids";
import type { JsonObject, JsonValue } from "../json";
import { statusesOf, valuesOf } from "./edge-place";
import { forEachReferencedTask } from "./find-references";
import type { CompletionCheck, Condition, Plan, Task } from "./plan";
import { ITEM } from "./reference-grammar";
import { renameReferences } from "./rename-references";

type Rename = (name: string) => string;

/**
 * The plan with one task renamed, and with it every reference to it: dependencies, arguments, conditions, lists and
 * completion checks, nested and in text. A name that merely looks alike is left as it is.
 */
export function renameTask(plan: Plan, from: TaskId, to: TaskId): Plan {
  const rename: Rename = (name) => (name === from ? to : name);
  return {
    ...plan,
    tasks: plan.tasks.map((task) => renameInTask(task, rename)),
    completion: plan.completion.map((check) => renameInCheck(check, rename)),
  };
}

function renameInTask(task: Task, rename: Rename): Task {
  const inner: Rename = hasItems(task) ? (name) => (name === ITEM ? name : rename(name)) : rename;
  const renamed: Task = {
    ...task,
    id: rename(task.id) as TaskId,
    arguments: renameReferences(task.arguments, inner) as JsonObject,
    dependsOn: task.dependsOn.map((name) => rename(name) as TaskId),
  };
  if (task.when !== undefined) renamed.when = renameInCondition(task.when, inner, rename);
  if (task.precondition !== undefined) renamed.precondition = renameInCondition(task.precondition, inner, rename);
  if (hasItems(task)) renamed.forEach = renameReferences(task.forEach ?? null, rename);
  if (task.alternatives !== undefined) {
    renamed.alternatives = task.alternatives.map((each) =>
      each.arguments === undefined
        ? each
        : { ...each, arguments: renameReferences(each.arguments, inner) as JsonObject },
    );
  }
  if (task.fallback !== undefined) renamed.fallback = task.fallback.map((each) => renameInTask(each, rename));
  return renamed;
}

const hasItems = (task: Task): boolean => task.forEach !== undefined && task.forEach !== null;

/** `status` names a task even where `item` means the item, since an item has no status. */
function renameInCondition(condition: Condition, inValues: Rename, inStatus: Rename): Condition {
  if (typeof condition === "boolean") return condition;
  const deeper = (part: Condition): Condition => renameInCondition(part, inValues, inStatus);
  if ("all" in condition) return { all: condition.all.map(deeper) };
  if ("any" in condition) return { any: condition.any.map(deeper) };
  if ("not" in condition) return { not: deeper(condition.not) };
  if ("status" in condition) return { ...condition, status: inStatus(condition.status) };
  const renamed: Record<string, unknown> = { ...condition };
  for (const key of ["value", "equals", "notEquals"] as const) {
    if (condition[key] !== undefined) renamed[key] = renameReferences(condition[key] as JsonValue, inValues);
  }
  return renamed as Condition;
}

function renameInCheck(check: CompletionCheck, rename: Rename): CompletionCheck {
  switch (check.check) {
    case "json_schema":
      return { ...check, task: rename(check.task) as TaskId };
    case "predicate":
      return { ...check, when: renameInCondition(check.when, rename, rename) };
    case "capability":
      return { ...check, arguments: renameReferences(check.arguments, rename) as JsonObject };
    case "human":
      return check;
  }
}

/** True where anything but its own id names the task, be it in the plan or not; `item` counts as a name. */
export function isMentioned(plan: Plan, taskId: string): boolean {
  let found = false;
  const look = (name: string): void => {
    if (name === taskId) found = true;
  };
  const lookIn = (condition: Condition): void => {
    for (const { value } of valuesOf(condition, [])) forEachReferencedTask(value, look);
    for (const { task } of statusesOf(condition, [])) look(task);
  };
  for (const task of plan.tasks.flatMap((each) => [each, ...(each.fallback ?? [])])) {
    task.dependsOn.forEach(look);
    forEachReferencedTask(task.arguments, look);
    forEachReferencedTask(task.forEach ?? null, look);
    if (task.when !== undefined) lookIn(task.when);
    if (task.precondition !== undefined) lookIn(task.precondition);
    for (const alternative of task.alternatives ?? []) forEachReferencedTask(alternative.arguments ?? {}, look);
  }
  for (const task of plan.tasks) for (const { id } of task.fallback ?? []) look(id);
  for (const check of plan.completion) {
    if (check.check === "json_schema") look(check.task);
    if (check.check === "capability") forEachReferencedTask(check.arguments, look);
    if (check.check === "predicate") lookIn(check.when);
  }
  return found;
}
