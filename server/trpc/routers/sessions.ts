import { z } from "zod";
import { notFound } from "../../errors";
import { sessionSummarySchema } from "../../runtime/sessions";
import { t } from "../init";
import { inPerson } from "../procedures";

const byId = z.object({ sessionId: z.string().min(1).max(64) });

/** A person's own signed-in browsers. */
export const sessionsRouter = t.router({
  list: inPerson
    .output(z.object({ sessions: z.array(sessionSummarySchema) }))
    .query(async ({ ctx }) => ({ sessions: [...(await ctx.services.sessions.list(ctx.principal))] })),

  revoke: inPerson
    .input(byId)
    .output(byId)
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.sessions.revoke(ctx.principal, input.sessionId))) throw notFound();
      return input;
    }),

  revokeOthers: inPerson
    .output(z.object({ ended: z.int() }))
    .mutation(async ({ ctx }) => ({ ended: await ctx.services.sessions.revokeOthers(ctx.principal) })),
});
