import type { CapabilityRegistry } from "#kernel/capability/capability";
import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";
import { type Validation, validatePlan } from "#kernel/plan/validate";
import { AppError } from "../../errors";
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

/** A plan that may run, or a refusal with every problem that stands in the way: an invalid plan never starts. */
export function requireRunnable(services: Services, registry: CapabilityRegistry, plan: Plan): void {
  const { valid, diagnostics } = checkPlan(services, registry, plan);
  if (plan.tasks.length === 0) throw new AppError("plan_invalid", "This plan has no tasks yet.");
  if (valid) return;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const problems = errors === 1 ? "a problem" : `${errors} problems`;
  throw new AppError("plan_invalid", `This plan has ${problems} and cannot run.`, { diagnostics });
}
