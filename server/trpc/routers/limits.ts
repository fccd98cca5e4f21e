import { z } from "zod";
import { SCOPE_GRANT } from "#kernel/capability/scope";
import { runIdSchema } from "#kernel/ids";
import type { Hold } from "#kernel/run/status";
import { notFound } from "../../errors";
import { ceilingSchema } from "../../runtime/ceiling-store";
import { CEILING_BUDGETS, CEILING_PERIODS } from "../../runtime/permits/permit";
import { roleSchema } from "../../runtime/principal";
import { t } from "../init";
import { admin, signedIn } from "../procedures";

const scopeSchema = z
  .string()
  .max(500)
  .regex(SCOPE_GRANT, "A scope reads like crm:read, crm:*, file:write:reports/* or *.");
const roleScopesSchema = z.object({ role: roleSchema, scopes: z.array(z.string()) });
const holdSchema = z.custom<Hold>((value) => typeof value === "object" && value !== null);

export const limitsRouter = t.router({
  /** Ceilings above every plan's own budgets, with what this period has used, and what each role may call. */
  get: signedIn
    .output(z.object({ ceilings: z.array(ceilingSchema), roles: z.array(roleScopesSchema) }))
    .query(async ({ ctx }) => {
      const { limits } = ctx.services;
      const { workspaceId } = ctx.scope;
      const [ceilings, scopes] = await Promise.all([limits.list(workspaceId), limits.roleScopes(workspaceId)]);
      const roles = [...scopes].map(([role, granted]) => ({ role, scopes: [...granted] }));
      return { ceilings: [...ceilings], roles };
    }),

  setCeiling: admin
    .input(
      z.object({
        /** Absent: for everybody together. */
        personId: z.string().min(1).max(200).optional(),
        period: z.enum(CEILING_PERIODS),
        budget: z.enum(CEILING_BUDGETS),
        limit: z.number().min(0).max(1e12),
      }),
    )
    .output(z.object({ ok: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const set = await ctx.services.limits.set(ctx.scope.workspaceId, input, ctx.scope.person);
      if (!set) throw notFound();
      return { ok: true as const };
    }),

  removeCeiling: admin
    .input(z.object({ ceilingId: z.string().min(1).max(100) }))
    .output(z.object({ ok: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const removed = await ctx.services.limits.remove(ctx.scope.workspaceId, input.ceilingId, ctx.scope.person);
      if (!removed) throw notFound();
      return { ok: true as const };
    }),

  /** Narrows what a role may call; null gives back what it has by default. */
  setScopes: admin
    .input(z.object({ role: roleSchema, scopes: z.array(scopeSchema).max(100).nullable() }))
    .output(z.object({ ok: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.services.limits.setRoleScopes(ctx.scope.workspaceId, input.role, input.scopes, ctx.scope.person);
      return { ok: true as const };
    }),

  /** The calls of a run that wait for a limit over all runs, and who holds what they wait for. */
  waiting: signedIn
    .input(z.object({ runId: runIdSchema }))
    .output(z.object({ calls: z.array(z.object({ taskId: z.string(), capability: z.string(), hold: holdSchema })) }))
    .query(async ({ ctx, input }) => {
      const { workspaceId } = ctx.scope;
      if ((await ctx.services.runs.get(workspaceId, input.runId)) === undefined) throw notFound();
      return { calls: [...(await ctx.services.limits.waitingCalls(workspaceId, input.runId))] };
    }),
});
