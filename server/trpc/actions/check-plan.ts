import type { Diagnostic } from "#kernel/plan/diagnostic";
import { type Plan, planSchema } from "#kernel/plan/plan";
import { AppError } from "../../errors";

/** A plan from outside as a parsed one, or a refusal that locates every fault. */
export function acceptPlan(document: unknown): Plan {
  const parsed = planSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const diagnostics: Diagnostic[] = parsed.error.issues.map((issue) => ({
    code: "schema",
    severity: "error",
    pointer: issue.path.map((part) => `/${String(part)}`).join(""),
    message: issue.message,
    related: [],
  }));
  throw new AppError("plan_invalid", "This is not a plan: see the problems.", { diagnostics });
}
