import { z } from "zod";
import { notFound, secretsUnavailable } from "../../errors";
import { secretNameSchema, secretSummarySchema } from "../../runtime/secret-vault";
import { SECRET_LENGTH_MIN } from "../../secrets/redactor";
import { t } from "../init";
import { engineer } from "../procedures";

/** A certificate with its key fits. */
const SECRET_LENGTH_MAX = 8_192;

const byName = z.object({ name: secretNameSchema });

/** Write-only: what goes in is used by calls and comes out nowhere. */
export const secretsRouter = t.router({
  list: engineer
    .output(z.object({ secrets: z.array(secretSummarySchema) }))
    .query(async ({ ctx }) => ({ secrets: [...(await ctx.services.secrets.list(ctx.scope.workspaceId))] })),

  /** Sets the first value, or the next one in its place. */
  set: engineer
    .input(
      byName.extend({
        value: z
          .string()
          .min(
            SECRET_LENGTH_MIN,
            `A secret has at least ${SECRET_LENGTH_MIN} characters: shorter ones cannot be kept out of texts.`,
          )
          .max(SECRET_LENGTH_MAX),
      }),
    )
    .output(byName)
    .mutation(async ({ ctx, input: { name, value } }) => {
      if (await ctx.services.secrets.set(ctx.principal, name, value)) return { name };
      throw secretsUnavailable();
    }),

  remove: engineer
    .input(byName)
    .output(byName)
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.secrets.remove(ctx.principal, input.name))) throw notFound();
      return input;
    }),
});
