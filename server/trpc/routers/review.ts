import { z } from "zod";
import { planIdSchema } from "#kernel/ids";
import { reviewSchema } from "#kernel/view/review/answer";
import { reviewWorkspace } from "../actions/review-workspace";
import { t } from "../init";
import { signedIn } from "../procedures";

export const reviewRouter = t.router({
  workspace: signedIn.output(reviewSchema).query(({ ctx }) => reviewWorkspace(ctx.services, ctx.scope.workspaceId)),

  plan: signedIn
    .input(z.object({ planId: planIdSchema }))
    .output(reviewSchema)
    .query(({ ctx, input }) => reviewWorkspace(ctx.services, ctx.scope.workspaceId, input.planId)),
});
