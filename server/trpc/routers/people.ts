import { z } from "zod";
import { roleSchema } from "../../runtime/principal";
import { memberSchema } from "../../runtime/workspaces";
import { requireDone } from "../actions/member-refusal";
import { t } from "../init";
import { adminInPerson, signedIn } from "../procedures";

const byId = z.object({ personId: z.string().min(1).max(64) });

export const peopleRouter = t.router({
  /** Everybody may see with whom they work. */
  list: signedIn
    .output(z.object({ people: z.array(memberSchema) }))
    .query(async ({ ctx }) => ({ people: [...(await ctx.services.workspaces.members(ctx.scope.workspaceId))] })),

  changeRoles: adminInPerson
    .input(byId.extend({ roles: z.array(roleSchema).min(1).max(4) }))
    .output(memberSchema)
    .mutation(async ({ ctx, input }) => {
      const roles = [...new Set(input.roles)];
      return requireDone(await ctx.services.workspaces.changeRoles(ctx.principal, input.personId, roles));
    }),

  remove: adminInPerson
    .input(byId)
    .output(byId)
    .mutation(async ({ ctx, input }) => {
      requireDone(await ctx.services.workspaces.remove(ctx.principal, input.personId));
      return input;
    }),
});
