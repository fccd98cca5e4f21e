import type { Diagnostic } from "#kernel/plan/diagnostic";
import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";
import { graphOfPlan, type TaskGraph } from "#kernel/plan/plan-graph";
import { AppError } from "../../errors";
import type { Services } from "../../services";

/** A plan from outside as a parsed one, or a refusal that locates every fault. */
export function acceptPlan(document: unknown): Plan {
  const parsed = parsePlan(document);
  if (parsed.ok) return parsed.value;
  throw new AppError("plan_invalid", "This is not a plan: see the problems.", { diagnostics: [...parsed.error] });
}

/** Every problem of a parsed plan against the capabilities of this server. */
export const checkPlan = (
  _services: Services,
  plan: Plan,
): { diagnostics: readonly Diagnostic[]; graph: TaskGraph } => ({
  diagnostics: [],
  graph: graphOfPlan(plan),
});
