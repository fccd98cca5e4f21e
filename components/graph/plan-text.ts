import { parse, stringify } from "yaml";
import { parsePlan } from "#kernel/plan/parse";
import { PLAN_KEYS, type Plan, TASK_KEYS } from "#kernel/plan/plan";

export type PlanTextFormat = "yaml" | "json";

const DEFAULTS: Readonly<Record<string, string>> = {
  arguments: "{}",
  dependsOn: "[]",
  reads: "[]",
  writes: "[]",
  join: '"all_succeeded"',
  onFailure: '"cancel_dependents"',
  completion: "[]",
};

/** Keys in the format's order, defaults left out: what a person would have written. */
export function writePlan(plan: Plan, format: PlanTextFormat): string {
  const tidy = { ...pick(plan, PLAN_KEYS), tasks: plan.tasks.map((task) => pick(task, TASK_KEYS)) };
  return format === "json" ? JSON.stringify(tidy, undefined, 2) : stringify(tidy, { lineWidth: 110 });
}

function pick(source: object, keys: readonly string[]): Record<string, unknown> {
  const values = new Map(Object.entries(source));
  const picked: Record<string, unknown> = {};
  for (const key of keys) {
    const value = values.get(key);
    if (value === undefined || (Object.hasOwn(DEFAULTS, key) && JSON.stringify(value) === DEFAULTS[key])) continue;
    picked[key] = value;
  }
  return picked;
}

/** The plan in a text, or every problem in words. */
export function readPlan(
  text: string,
  format: PlanTextFormat,
): { readonly plan: Plan } | { readonly problems: readonly string[] } {
  let value: unknown;
  try {
    value = format === "json" ? JSON.parse(text) : parse(text);
  } catch (error) {
    return { problems: [error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)] };
  }
  const parsed = parsePlan(value);
  if (parsed.ok) return { plan: parsed.value };
  return {
    problems: parsed.error.map(({ pointer, message }) => (pointer === "" ? message : `${pointer}: ${message}`)),
  };
}
