import { z } from "zod";
import { AppError, notFound } from "../../errors";
import { holdsRole } from "../../runtime/principal";
import { workspaceSummarySchema } from "../../runtime/workspaces";
import { requireDone } from "../actions/member-refusal";
import { t } from "../init";
import { adminInPerson, inPerson, signedIn } from "../procedures";

const byId = z.object({ workspaceId: z.string().min(1).max(64) });
const named = z.object({ name: z.string().trim().min(1).max(80) });

export const workspacesRouter = t.router({
  list: signedIn
    .output(z.object({ workspaces: z.array(workspaceSummarySchema) }))
    .query(async ({ ctx }) => ({ workspaces: [...(await ctx.services.workspaces.list(ctx.principal))] })),

  /** Whoever administers one workspace may open another. */
  create: inPerson
    .input(named)
    .output(byId)
    .mutation(async ({ ctx, input }) => {
      const own = await ctx.services.workspaces.list(ctx.principal);
      if (!own.some(({ roles }) => roles.includes("admin")) && !holdsRole(ctx.principal, ["admin"])) {
        throw new AppError("forbidden", "Only an admin of some workspace may open another.");
      }
      return ctx.services.workspaces.create(ctx.principal, input.name);
    }),

  rename: adminInPerson
    .input(named)
    .output(named)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.workspaces.rename(ctx.principal, input.name);
      return input;
    }),

  /** The session shows another of the person's workspaces; a page that shows the old one is refused from now on. */
  switch: inPerson
    .input(byId)
    .output(byId)
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.workspaces.switchTo(ctx.principal, input.workspaceId))) throw notFound();
      return input;
    }),

  leave: inPerson.output(byId).mutation(async ({ ctx }) => {
    const { workspace, person } = ctx.principal;
    requireDone(await ctx.services.workspaces.remove(ctx.principal, person.id));
    return { workspaceId: workspace.id };
  }),
});
