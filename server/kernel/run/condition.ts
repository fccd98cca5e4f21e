import { canonicalJson, type JsonValue } from "../json";
import type { Condition } from "../plan/plan";
import { type OutputLookup, resolveValue } from "../plan/reference";

/** What a condition may look at: outputs, and how upstream tasks ended. */
export interface ConditionView {
  output(taskId: string): OutputLookup;
  /** Undefined for a task the run does not know. */
  status(taskId: string): string | undefined;
}

/**
 * True when the condition holds. It never fails: a value that cannot be resolved (the task was skipped, the pointer
 * leads nowhere) does not exist, equals nothing and is neither greater nor less than anything.
 *
 * Several comparisons in one condition must all hold; a value without any comparison holds unless it is null, false,
 * 0 or empty text. Values are equal when their canonical JSON is; only numbers are greater or less.
 */
export function evaluateCondition(condition: Condition, view: ConditionView): boolean {
  if (typeof condition === "boolean") return condition;
  if ("all" in condition) return condition.all.every((part) => evaluateCondition(part, view));
  if ("any" in condition) return condition.any.some((part) => evaluateCondition(part, view));
  if ("not" in condition) return !evaluateCondition(condition.not, view);
  if ("status" in condition) return view.status(condition.status) === condition.is;
  return compare(condition, view);
}

type Comparison = Extract<Condition, { value: unknown }>;

function compare(condition: Comparison, view: ConditionView): boolean {
  const value = resolved(condition.value, view);
  const tests: boolean[] = [];
  if (condition.exists !== undefined) tests.push((value !== undefined) === condition.exists);
  if (condition.equals !== undefined) tests.push(equal(value, resolved(condition.equals, view)));
  if (condition.notEquals !== undefined) tests.push(!equal(value, resolved(condition.notEquals, view)));
  if (condition.greaterThan !== undefined) tests.push(typeof value === "number" && value > condition.greaterThan);
  if (condition.lessThan !== undefined) tests.push(typeof value === "number" && value < condition.lessThan);
  return tests.length === 0 ? Boolean(value) : tests.every(Boolean);
}

function resolved(value: unknown, view: ConditionView): JsonValue | undefined {
  const result = resolveValue(value as JsonValue, (taskId) => view.output(taskId));
  return result.ok ? result.value.value : undefined;
}

const equal = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b);
