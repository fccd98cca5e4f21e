import { humanAsk } from "../capability/built-in/people";
import type { CapabilitySnapshot } from "../capability/capability";
import { compareIds } from "./order";
import type { Budgets, Plan, Task } from "./plan";
import { namedAmount } from "./plan";
import { scheduleOf } from "./schedule";
import type { ValidationContext } from "./validation-context";

/**
 * Budgets and pools that the plan cannot stay within however well it goes. An error where the tasks that certainly
 * run need more; a warning where only conditional tasks or expected durations of capabilities make the difference.
 */
export function validateBudgets(context: ValidationContext): void {
  validatePools(context);
  const { budgets } = context.plan;
  if (budgets === undefined) return;
  validateCeiling(context, budgets);
  validateDeadline(context, budgets);
  const need = needOf(context);
  validateCount(context, "toolCalls", budgets.toolCalls, need.certain.calls, need.most.calls, "calls");
  validateCount(context, "sideEffects", budgets.sideEffects, need.certain.effects, need.most.effects, "side effects");
  validateCount(context, "costUsd", budgets.costUsd, need.certain.costUsd, need.most.costUsd, "US dollars");
  for (const name of Object.keys(budgets.toolCallsPerCapability ?? {}).sort(compareIds)) {
    const place = ["budgets", "toolCallsPerCapability", name];
    if (context.options.registry !== undefined && context.capability(name) === undefined) {
      const message = `No capability “${name.slice(0, 140)}” is registered, so this budget bounds nothing.`;
      context.report({ code: "unknown_capability", severity: "warning", place, message });
    }
    const limit = namedAmount(budgets.toolCallsPerCapability, name);
    const [certain, most] = [need.certain.perCapability.get(name) ?? 0, need.most.perCapability.get(name) ?? 0];
    reportCount(context, place, limit, certain, most, `calls of “${name}”`);
  }
}

function validatePools(context: ValidationContext): void {
  const { tasks, pools } = context.plan;
  tasks.forEach((task, index) => {
    if (task.uses === undefined) return;
    for (const pool of Object.keys(task.uses).sort(compareIds)) {
      const place = ["tasks", index, "uses", pool];
      const capacity = namedAmount(pools, pool);
      const units = namedAmount(task.uses, pool) ?? 0;
      if (capacity === undefined) {
        context.report({ code: "schema", place, message: `The plan declares no pool “${pool.slice(0, 100)}”.` });
      } else if (units > capacity) {
        const message = `“${task.id}” needs ${units} of “${pool}”, which has ${capacity}: it can never start.`;
        context.report({ code: "budget_infeasible", place, message, related: [{ pointer: "/pools" }] });
      }
    }
  });
}

/** A planner's budgets against those that a person gave. */
function validateCeiling(context: ValidationContext, budgets: Budgets): void {
  const ceiling = context.options.budgetCeiling;
  if (ceiling === undefined) return;
  const amounts = budgets as Readonly<Record<string, unknown>>;
  for (const [name, most] of Object.entries(ceiling)) {
    const amount = amounts[name];
    if (typeof most !== "number" || typeof amount !== "number" || amount <= most) continue;
    const message = `A plan cannot raise its own budget: ${amount} is more than the ${most} that were given.`;
    context.report({ code: "not_authorized", place: ["budgets", name], message });
  }
}

function validateDeadline(context: ValidationContext, budgets: Budgets): void {
  const { deadlineSeconds, verificationReserveSeconds = 0 } = budgets;
  if (deadlineSeconds === undefined || context.order === undefined) return;
  const { plan, graph, order } = context;
  const available = deadlineSeconds - verificationReserveSeconds;
  const declared = plan.tasks.map((task) => (isConditional(task) ? 0 : (task.estimate?.seconds ?? 0)));
  const expected = plan.tasks.map(
    (task) => task.estimate?.seconds ?? context.capabilityOf(task)?.estimate.p50Seconds ?? 0,
  );
  const certain = scheduleOf(graph, Float64Array.from(declared), order)?.lowerBound ?? 0;
  const bound =
    certain > available ? certain : (scheduleOf(graph, Float64Array.from(expected), order)?.lowerBound ?? 0);
  if (bound <= available) return;
  const reserve = verificationReserveSeconds > 0 ? ` less ${verificationReserveSeconds} s kept for verification` : "";
  context.report({
    code: "budget_infeasible",
    severity: certain > available ? "error" : "warning",
    place: ["budgets", "deadlineSeconds"],
    message: `The longest path takes ${round(bound)} s; the deadline is ${deadlineSeconds} s${reserve}.`,
  });
}

const isConditional = (task: Task): boolean =>
  task.when !== undefined || (task.forEach !== undefined && task.forEach !== null);

interface Need {
  calls: number;
  effects: number;
  costUsd: number;
  readonly perCapability: Map<string, number>;
}

/** What the tasks that certainly run need, and what all of them would; a retry or a replan only adds to it. */
function needOf(context: ValidationContext): { certain: Need; most: Need } {
  const certain = noNeed();
  const most = noNeed();
  const conditional = conditionalTasks(context);
  context.plan.tasks.forEach((task, index) => {
    const capability = context.capabilityOf(task);
    const instances = Array.isArray(task.forEach) ? task.forEach.length : 1;
    add(most, task, capability, instances);
    if (conditional[index] === 0) add(certain, task, capability, instances);
  });
  return { certain, most };
}

const noNeed = (): Need => ({ calls: 0, effects: 0, costUsd: 0, perCapability: new Map() });

function add(need: Need, task: Task, capability: CapabilitySnapshot | undefined, instances: number): void {
  const name = task.capability.split("@", 1)[0] ?? "";
  /** A question opens a gate and makes no call. */
  if (name === humanAsk.name) return;
  need.calls += instances;
  need.perCapability.set(name, (need.perCapability.get(name) ?? 0) + instances);
  if (capability === undefined) return;
  if (capability.sideEffect === "write" || capability.sideEffect === "destructive") need.effects += instances;
  need.costUsd += (capability.costUsd ?? 0) * instances;
}

/** 1 for each task that may end without a call: by its own condition or list, or because a parent may. */
function conditionalTasks({ plan, graph, order }: ValidationContext): Uint8Array {
  const conditional = new Uint8Array(graph.size).fill(order === undefined ? 1 : 0);
  for (const index of order ?? []) {
    const task = plan.tasks[index] as Plan["tasks"][number];
    const row = graph.predecessors.subarray(graph.predecessorOffsets[index], graph.predecessorOffsets[index + 1]);
    const hasList = Array.isArray(task.forEach);
    const own = task.when !== undefined || (task.forEach !== undefined && task.forEach !== null && !hasList);
    if (own || row.some((parent) => conditional[parent] === 1)) conditional[index] = 1;
  }
  return conditional;
}

function validateCount(
  context: ValidationContext,
  name: keyof Budgets,
  limit: number | undefined,
  certain: number,
  most: number,
  what: string,
): void {
  reportCount(context, ["budgets", name], limit, certain, most, what);
}

function reportCount(
  context: ValidationContext,
  place: readonly string[],
  limit: number | undefined,
  certain: number,
  most: number,
  what: string,
): void {
  if (limit === undefined || most <= limit) return;
  const isCertain = certain > limit;
  context.report({
    code: "budget_infeasible",
    severity: isCertain ? "error" : "warning",
    place,
    message: `The plan ${isCertain ? "needs" : "may need"} ${round(isCertain ? certain : most)} ${what}; the budget allows ${limit}.`,
  });
}

const round = (amount: number): number => Math.round(amount * 1_000) / 1_000;
