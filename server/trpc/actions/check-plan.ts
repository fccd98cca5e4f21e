import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";
import { AppError } from "../../errors";

/** A plan from outside as a parsed one, or a refusal that locates every fault. */
export function acceptPlan(document: unknown): Plan {
  const parsed = parsePlan(document);
  if (parsed.ok) return parsed.value;
  throw new AppError("plan_invalid", "This is not a plan: see the problems.", { diagnostics: [...parsed.error] });
}
