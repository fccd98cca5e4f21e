import { mayBeGranted } from "#kernel/capability/scope";
import type { PlanId } from "#kernel/ids";
import type { Review } from "#kernel/view/review/answer";
import { reviewOf } from "#kernel/view/review/review";
import { notFound } from "../../errors";
import type { Services } from "../../services";

/** The review of a workspace, or of one plan of it, from what is stored now. */
export async function reviewWorkspace(services: Services, workspaceId: string, planId?: PlanId): Promise<Review> {
  const [record, registry] = await Promise.all([
    services.reviews.read(workspaceId, planId),
    services.capabilities.registryOf(workspaceId),
  ]);
  if (record === undefined) throw notFound();
  const { plans, plansTotal, history, roleScopes, ceilingBudgets } = record;
  const held = roleScopes.flatMap(({ scopes }) => scopes);
  return reviewOf({
    plans,
    plansTotal,
    history,
    registry,
    checkSchema: services.checkSchema,
    grants: { byRole: roleScopes, holds: (scope) => mayBeGranted(held, scope) },
    ceilings: { budgets: ceilingBudgets },
  });
}
