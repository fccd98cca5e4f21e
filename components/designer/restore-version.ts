import { type Plan, planSchema } from "#kernel/plan/plan";

/** Hands an old version from the screen that shows it to the one that edits, across their mounting. */
export const RESTORE_KEY = "planwright.restore";

/** The version to restore into this plan, once. */
export function takeRestored(planId: string): { readonly plan: Plan; readonly number: number } | undefined {
  const text = sessionStorage.getItem(RESTORE_KEY);
  if (text === null) return undefined;
  sessionStorage.removeItem(RESTORE_KEY);
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("planId" in value) || value.planId !== planId) return undefined;
  const plan = planSchema.safeParse("plan" in value ? value.plan : undefined);
  if (!plan.success || !("number" in value) || typeof value.number !== "number") return undefined;
  return { plan: plan.data, number: value.number };
}
