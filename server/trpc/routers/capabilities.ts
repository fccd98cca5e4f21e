import { z } from "zod";
import { capabilityDraftSchema } from "#kernel/capability/capability-draft";
import { planIdSchema } from "#kernel/ids";
import { notFound } from "../../errors";
import { capabilityVersionSchema } from "../../runtime/capability-records";
import { describeCapability, listCapabilities } from "../actions/describe-capabilities";
import { importOpenApi } from "../actions/import-openapi";
import { readOpenApi } from "../actions/read-openapi";
import { registerCapability } from "../actions/register-capability";
import { t } from "../init";
import { engineer, signedIn } from "../procedures";
import { callableSchema, capabilityDetailSchema, capabilitySummarySchema } from "../schemas/capability";
import {
  openApiImportInputSchema,
  openApiImportReportSchema,
  openApiReadingSchema,
  openApiSourceSchema,
} from "../schemas/openapi";

const byName = z.object({ name: z.string().min(1).max(128) });
const which = byName.extend({
  /** Absent: every version. */
  version: z.int().min(1).optional(),
});

export const capabilitiesRouter = t.router({
  /** What a plan may call, retired versions left out, with what earlier runs tell of durations. */
  list: signedIn.output(callableSchema).query(async ({ ctx }) => {
    const { workspaceId } = ctx.scope;
    const [{ capabilities }, history] = await Promise.all([
      ctx.services.capabilities.registryOf(workspaceId),
      ctx.services.history.ofWorkspace(workspaceId),
    ]);
    return {
      capabilities: [...capabilities],
      history: [...history].flatMap(([name, { calls, p50Seconds, p95Seconds }]) =>
        p50Seconds === undefined || p95Seconds === undefined ? [] : [{ name, calls, p50Seconds, p95Seconds }],
      ),
    };
  }),

  /** Every capability, as the registry's screen lists them. */
  overview: signedIn
    .output(z.object({ capabilities: z.array(capabilitySummarySchema) }))
    .query(async ({ ctx }) => ({ capabilities: await listCapabilities(ctx.services, ctx.scope.workspaceId) })),

  get: signedIn
    .input(byName)
    .output(capabilityDetailSchema)
    .query(({ ctx, input }) => describeCapability(ctx.services, ctx.scope.workspaceId, input.name)),

  /** What successful calls of each task of a plan took in earlier runs. */
  taskHistory: signedIn
    .input(z.object({ planId: planIdSchema }))
    .output(
      z.object({
        tasks: z.array(
          z.object({ taskId: z.string(), calls: z.int(), p50Seconds: z.number(), p95Seconds: z.number() }),
        ),
      }),
    )
    .query(async ({ ctx, input }) => {
      const stored = await ctx.services.plans.get(ctx.scope, input.planId);
      if (stored === undefined) throw notFound();
      const durations = await ctx.services.history.ofTasks(input.planId);
      return { tasks: [...durations].map(([taskId, duration]) => ({ taskId, ...duration })) };
    }),

  /** A new version, or a first one. What exists is never changed. */
  register: engineer
    .input(
      z.object({
        draft: capabilityDraftSchema,
        baseVersion: z.int().min(0),
        note: z.string().trim().max(500).optional(),
      }),
    )
    .output(capabilityVersionSchema)
    .mutation(({ ctx, input }) => registerCapability(ctx.services, ctx.principal, input)),

  retire: engineer
    .input(which.extend({ reason: z.string().trim().max(500).optional() }))
    .output(z.object({ changed: z.int() }))
    .mutation(async ({ ctx, input: { name, version, reason } }) => {
      await requireRegistered(ctx.services, ctx.scope.workspaceId, { name, version });
      const change = { name, ...(version === undefined ? {} : { version }), ...(reason ? { reason } : {}) };
      return { changed: await ctx.services.capabilities.retire(ctx.principal, change) };
    }),

  enable: engineer
    .input(which)
    .output(z.object({ changed: z.int() }))
    .mutation(async ({ ctx, input: { name, version } }) => {
      await requireRegistered(ctx.services, ctx.scope.workspaceId, { name, version });
      const change = { name, ...(version === undefined ? {} : { version }) };
      return { changed: await ctx.services.capabilities.enable(ctx.principal, change) };
    }),

  /** Takes an OpenAPI document apart. A mutation only because documents are too long for an address. */
  readOpenApi: engineer
    .input(openApiSourceSchema)
    .output(openApiReadingSchema)
    .mutation(({ ctx, input }) => readOpenApi(ctx.services, input)),

  importOpenApi: engineer
    .input(openApiImportInputSchema)
    .output(openApiImportReportSchema)
    .mutation(({ ctx, input }) => importOpenApi(ctx.services, ctx.principal, input)),
});

async function requireRegistered(
  { capabilities }: { capabilities: { versions(workspaceId: string, name: string): Promise<readonly unknown[]> } },
  workspaceId: string,
  { name }: { readonly name: string; readonly version?: number | undefined },
): Promise<void> {
  if ((await capabilities.versions(workspaceId, name)).length === 0) throw notFound();
}
