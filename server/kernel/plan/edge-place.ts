import type { TaskId } from "../ids";
import type { JsonValue } from "../json";
import { type Reference, referencesIn } from "./find-references";
import type { Condition, Task } from "./plan";

type Path = readonly (string | number)[];

/**
 * Every reference of a task with its place in the plan: `arguments`, then `when`, `precondition` and
 * `forEach`. The name `item`
 * of a `forEach` is among them where it means the item.
 */
export function referencesOfTask(task: Task, index: number): readonly Reference[] {
  const base = ["tasks", index];
  const references = [...referencesIn(task.arguments, [...base, "arguments"])];
  if (task.when !== undefined) references.push(...referencesInCondition(task.when, [...base, "when"]));
  if (task.precondition !== undefined) {
    references.push(...referencesInCondition(task.precondition, [...base, "precondition"]));
  }
  if (task.forEach !== undefined && task.forEach !== null) {
    references.push(...referencesIn(task.forEach, [...base, "forEach"]));
  }
  return references;
}

export function referencesInCondition(condition: Condition, path: Path): readonly Reference[] {
  return valuesOf(condition, path).flatMap(({ value, path: at }) => referencesIn(value, at));
}

/** The values a condition compares, each with its place. */
export function valuesOf(condition: Condition, path: Path): readonly { value: JsonValue; path: Path }[] {
  if (typeof condition === "boolean" || "status" in condition) return [];
  if ("all" in condition) return condition.all.flatMap((part, index) => valuesOf(part, [...path, "all", index]));
  if ("any" in condition) return condition.any.flatMap((part, index) => valuesOf(part, [...path, "any", index]));
  if ("not" in condition) return valuesOf(condition.not, [...path, "not"]);
  return (["value", "equals", "notEquals"] as const)
    .filter((key) => condition[key] !== undefined)
    .map((key) => ({ value: condition[key] as JsonValue, path: [...path, key] }));
}

/** The `{"status": task}` parts of a condition, each with its place. */
export function statusesOf(condition: Condition, path: Path): readonly { task: string; is: string; path: Path }[] {
  if (typeof condition === "boolean") return [];
  if ("all" in condition) return condition.all.flatMap((part, index) => statusesOf(part, [...path, "all", index]));
  if ("any" in condition) return condition.any.flatMap((part, index) => statusesOf(part, [...path, "any", index]));
  if ("not" in condition) return statusesOf(condition.not, [...path, "not"]);
  return "status" in condition ? [{ task: condition.status, is: condition.is, path: [...path, "status"] }] : [];
}

/** Where the edge `from → task` stands in the plan: its entry in `dependsOn`, else the first reference that makes it. */
export function placeOfEdge(task: Task, index: number, from: TaskId): { pointer: string; declared: boolean } {
  const at = task.dependsOn.indexOf(from);
  if (at !== -1) return { pointer: `/tasks/${index}/dependsOn/${at}`, declared: true };
  const reference = referencesOfTask(task, index).find(({ taskId }) => taskId === from);
  return { pointer: reference?.at ?? `/tasks/${index}`, declared: false };
}
