import type { CapabilityRegistry } from "#kernel/capability/capability";
import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";
import { type Validation, validatePlan } from "#kernel/plan/validate";
import { AppError } from "../../errors";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";

/** A plan from outside as a parsed one, or a refusal that locates every fault. */
export function acceptPlan(document: unknown): Plan {
  const parsed = parsePlan(document);
  if (parsed.ok) return parsed.value;
  throw new AppError("plan_invalid", "This is not a plan: see the problems.", { diagnostics: [...parsed.error] });
}

/** Every problem of a parsed plan against the capabilities of its workspace. */
export const checkPlan = ({ checkSchema }: Services, registry: CapabilityRegistry, plan: Plan): Validation =>
  validatePlan(plan, { registry, checkSchema });

/**
 * A plan that whoever starts it may run, or a refusal with every problem that stands in the way: an invalid plan never
 * starts, and neither does one whose calls would be refused. What only the run will know is asked at each call.
 */
export async function requireRunnable(
  services: Services,
  principal: Principal,
  { registry, plan }: { readonly registry: CapabilityRegistry; readonly plan: Plan },
): Promise<void> {
  const granted = await services.callScopes(principal);
  const { valid, diagnostics } = validatePlan(plan, { registry, checkSchema: services.checkSchema, granted });
  if (plan.tasks.length === 0) throw new AppError("plan_invalid", "This plan has no tasks yet.");
  if (valid) return;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const problems = errors === 1 ? "a problem" : `${errors} problems`;
  throw new AppError("plan_invalid", `This plan has ${problems} and cannot run.`, { diagnostics });
}
