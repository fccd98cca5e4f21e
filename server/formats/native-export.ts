import { stringify } from "yaml";
import { type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import {
  approvalSchema,
  budgetsSchema,
  PLAN_KEYS,
  type Plan,
  retrySchema,
  TASK_KEYS,
  type Task,
} from "#kernel/plan/plan";

/** Task keys that say nothing when they hold their default. `arguments` and `dependsOn` always stand: readers look for them. */
const SILENT_DEFAULTS: ReadonlyMap<string, string> = new Map([
  ["reads", "[]"],
  ["writes", "[]"],
  ["join", '"all_succeeded"'],
  ["onFailure", '"cancel_dependents"'],
  ["forEach", "null"],
]);

/** The plan as a native JSON document: keys in the order of the format, so that two exports are the same bytes. */
export const exportJson = (plan: Plan): string => `${JSON.stringify(orderPlan(plan), null, 2)}\n`;

/** The plan as a native YAML document. */
export const exportYaml = (plan: Plan): string =>
  stringify(orderPlan(plan), { lineWidth: 100, aliasDuplicateObjects: false, version: "1.2" });

function orderPlan(plan: Plan): JsonObject {
  const ordered = pick(plan, PLAN_KEYS);
  if (plan.completion.length === 0) delete ordered.completion;
  if (plan.approval !== undefined) ordered.approval = pick(plan.approval, Object.keys(approvalSchema.shape));
  if (plan.budgets !== undefined) ordered.budgets = pick(plan.budgets, Object.keys(budgetsSchema.shape));
  ordered.tasks = plan.tasks.map(orderTask);
  return ordered;
}

function orderTask(task: Task): JsonObject {
  const ordered = pick(task, TASK_KEYS);
  for (const [key, silent] of SILENT_DEFAULTS) {
    if (Object.hasOwn(ordered, key) && JSON.stringify(ordered[key]) === silent) delete ordered[key];
  }
  if (task.approval !== undefined) ordered.approval = pick(task.approval, Object.keys(approvalSchema.shape));
  if (task.retry !== undefined) ordered.retry = pick(task.retry, Object.keys(retrySchema.shape));
  return ordered;
}

/** The present keys of a parsed object, in the given order. */
function pick(value: object, keys: readonly string[]): Record<string, JsonValue> {
  const members = new Map<string, JsonValue | undefined>(Object.entries(value));
  const picked: Record<string, JsonValue> = {};
  for (const key of keys) {
    const member = members.get(key);
    if (member !== undefined) setOwn(picked, key, member);
  }
  return picked;
}
