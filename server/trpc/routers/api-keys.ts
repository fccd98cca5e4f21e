import { z } from "zod";
import { notFound } from "../../errors";
import { apiKeySummarySchema, newApiKeySchema } from "../../runtime/api-key-store";
import { t } from "../init";
import { inPerson, signedIn } from "../procedures";

export const apiKeysRouter = t.router({
  create: inPerson
    .input(newApiKeySchema)
    .output(z.object({ key: apiKeySummarySchema, secret: z.string() }))
    .mutation(({ ctx, input }) => ctx.services.apiKeys.create(ctx.principal, input)),

  list: signedIn
    .output(z.object({ keys: z.array(apiKeySummarySchema) }))
    .query(async ({ ctx }) => ({ keys: [...(await ctx.services.apiKeys.list(ctx.principal))] })),

  revoke: signedIn
    .input(z.object({ keyId: z.string().min(1).max(64) }))
    .output(z.object({ keyId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.apiKeys.revoke(ctx.principal, input.keyId))) throw notFound();
      return input;
    }),
});
