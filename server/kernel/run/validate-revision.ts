import type { Diagnostic } from "../plan/diagnostic";
import { predecessorsOf } from "../plan/graph";
import type { Plan } from "../plan/plan";
import { validatePlan } from "../plan/validate";
import type { ValidationOptions } from "../plan/validation-context";
import { historyOf } from "./install-plan";
import type { RunState } from "./state";
import { isTerminal } from "./status";

/**
 * Everything that is wrong with the rest of a run, judged together with what has ended, to which it may refer.
 * Pointers are into the revision; what is only wrong with history is left out, and so are counts of budgets, which
 * know nothing of what is used already and are enforced call by call.
 *
 * `deadEnd`: every step waits for one that ended without success, so that nothing of it could ever run.
 */
export function validateRevision(
  state: RunState,
  plan: Plan,
  options: ValidationOptions,
): { readonly diagnostics: readonly Diagnostic[]; readonly deadEnd: boolean } {
  const planned = new Set<string>(plan.tasks.map(({ id }) => id));
  const history = historyOf(state).filter(({ id, status }) => isTerminal(status) && !planned.has(id));
  const whole = { ...plan, tasks: [...plan.tasks, ...history.map(({ task }) => task)] };
  const { diagnostics, graph, order } = validatePlan(whole, options);
  const dead = new Uint8Array(graph.size);
  for (const [index, { status }] of history.entries()) {
    if (status !== "succeeded") dead[plan.tasks.length + index] = 1;
  }
  for (const index of order ?? []) {
    const task = plan.tasks[index];
    if (task?.join !== "all_succeeded") continue;
    if (predecessorsOf(graph, index).some((parent) => dead[parent] === 1)) dead[index] = 1;
  }
  return {
    diagnostics: diagnostics.filter((each) => isOfRevision(each, plan)),
    deadEnd: order !== undefined && plan.tasks.every((_task, index) => dead[index] === 1),
  };
}

function isOfRevision({ code, pointer }: Diagnostic, plan: Plan): boolean {
  if (code === "budget_infeasible" && pointer.startsWith("/budgets")) return false;
  const index = /^\/tasks\/(\d+)/.exec(pointer)?.[1];
  return index === undefined || Number(index) < plan.tasks.length;
}
