import type { JsonValue } from "#kernel/json";
import type { Condition, Join } from "#kernel/plan/plan";

/** Conditions that one `all` or `any` may hold. */
const PARTS_MAX = 32;

export const allOf = (conditions: readonly Condition[]): Condition => combine(conditions, "all");
export const anyOf = (conditions: readonly Condition[]): Condition => combine(conditions, "any");

export const notOf = (condition: Condition): Condition =>
  typeof condition === "boolean" ? !condition : { not: condition };

/** `all` or `any` of conditions, constants taken out, nested where there are more than one list may hold. */
function combine(conditions: readonly Condition[], kind: "all" | "any"): Condition {
  const neutral = kind === "all";
  if (conditions.some((condition) => condition === !neutral)) return !neutral;
  let parts = conditions.filter((condition) => condition !== neutral);
  const group = (members: readonly Condition[]): Condition => (kind === "all" ? { all: members } : { any: members });
  while (parts.length > PARTS_MAX) {
    const groups: Condition[] = [];
    for (let at = 0; at < parts.length; at += PARTS_MAX) groups.push(group(parts.slice(at, at + PARTS_MAX)));
    parts = groups;
  }
  const [only] = parts;
  if (only === undefined) return neutral;
  return parts.length === 1 ? only : group(parts);
}

/** Equality with a literal of an engine that knows only texts: `"4"` equals the number 4 too. */
export function equalsText(value: JsonValue, literal: JsonValue): Condition {
  const asNumber =
    typeof literal === "string" && /^-?\d{1,15}(\.\d{1,10})?$/.test(literal) ? Number(literal) : undefined;
  const alternatives: JsonValue[] = [literal];
  if (asNumber !== undefined) alternatives.push(asNumber);
  if (literal === "true" || literal === "false") alternatives.push(literal === "true");
  if (typeof literal === "number" || typeof literal === "boolean") alternatives.push(String(literal));
  return anyOf(alternatives.map((alternative): Condition => ({ value, equals: alternative })));
}

export type End = "succeeded" | "failed" | "skipped" | "cancelled";

/** A parent, and the ends with which it lets the task behind it run. */
export interface Requirement {
  readonly taskId: string;
  readonly ends: readonly End[];
}

/** The task ended in one of these ways. */
export const endedAs = ({ taskId, ends }: Requirement): Condition =>
  anyOf(ends.map((is): Condition => ({ status: taskId, is })));

/** The join that lets a task run when each parent ended in one of its ways, with a condition where no join says it. */
export function joinOf(parents: readonly Requirement[]): { readonly join?: Join; readonly when?: Condition } {
  const keys = new Set(parents.map(({ ends }) => [...ends].sort().join(" ")));
  if (keys.size === 0 || (keys.size === 1 && keys.has("succeeded"))) return {};
  if (keys.size === 1 && keys.has("skipped succeeded")) return { join: "none_failed" };
  return { join: "all_done", when: allOf(parents.map(endedAs)) };
}

/** Two conditions of a task, either of which may be missing, as its `when`. */
export function whenOf(...conditions: readonly (Condition | undefined)[]): { readonly when?: Condition } {
  const all = allOf(conditions.filter((condition) => condition !== undefined));
  return all === true ? {} : { when: all };
}
