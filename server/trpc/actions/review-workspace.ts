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
  return reviewOf({ ...record, registry, checkSchema: services.checkSchema });
}
