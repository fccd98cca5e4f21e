import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";

/**
 * A plan as the column keeps it. Text, not jsonb: jsonb refuses U+0000 and reorders keys, and an argument may hold
 * any text and was written in an order that somebody chose.
 */
export const writePlanDocument = (plan: Plan): string => JSON.stringify(plan);

/** The plan of a stored document. It was parsed before it was written, so anything else is a broken invariant. */
export function readPlanDocument(document: string): Plan {
  const parsed = parsePlan(JSON.parse(document));
  if (parsed.ok) return parsed.value;
  throw new Error(`A stored plan does not parse: ${parsed.error[0]?.message ?? "no reason"}`);
}
