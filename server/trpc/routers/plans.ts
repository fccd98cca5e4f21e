import { z } from "zod";
import { planIdSchema } from "#kernel/ids";
import { PLAN_FORMAT } from "#kernel/plan/plan";
import { AppError, notFound } from "../../errors";
import {
  planDraftSchema,
  planSummarySchema,
  planVersionSchema,
  planVersionSummarySchema,
} from "../../runtime/plan-records";
import { acceptPlan } from "../actions/check-plan";
import { exportFormatSchema, exportPlan } from "../actions/export-plan";
import { importPlan } from "../actions/import-plan";
import { t } from "../init";
import { engineer, signedIn } from "../procedures";
import { importInputSchema, importReportSchema } from "../schemas/import";
import { planDocumentSchema } from "../schemas/plan-document";

const byId = z.object({ planId: planIdSchema });
const versionNumber = z.int().min(1);

export const plansRouter = t.router({
  list: signedIn
    .input(
      z
        .object({ search: z.string().max(200).optional(), limit: z.int().min(1).max(500).default(200) })
        .default({ limit: 200 }),
    )
    .output(z.object({ plans: z.array(planSummarySchema) }))
    .query(async ({ ctx, input }) => ({ plans: [...(await ctx.services.plans.list(ctx.scope, input))] })),

  get: signedIn
    .input(byId)
    .output(z.object({ summary: planSummarySchema, current: planVersionSchema, draft: planDraftSchema.nullable() }))
    .query(async ({ ctx, input }) => {
      const stored = await ctx.services.plans.get(ctx.scope, input.planId);
      if (stored === undefined) throw notFound();
      return stored;
    }),

  create: engineer
    .input(z.object({ name: z.string().trim().min(1).max(200), plan: planDocumentSchema.optional() }))
    .output(z.object({ planId: planIdSchema, version: versionNumber }))
    .mutation(async ({ ctx, input }) => {
      const plan = acceptPlan(input.plan ?? { format: PLAN_FORMAT, name: input.name, tasks: [] });
      const created = await ctx.services.plans.create(ctx.scope, { ...plan, name: input.name });
      return { planId: created.planId, version: created.number };
    }),

  import: engineer
    .input(importInputSchema)
    .output(importReportSchema)
    .mutation(({ ctx, input }) => importPlan(ctx.services, ctx.scope, input)),

  saveDraft: engineer
    .input(
      byId.extend({
        plan: planDocumentSchema,
        baseVersion: versionNumber,
        /** The revision this work continues; null: the first write. */
        expectedRevision: z.int().min(1).nullable(),
      }),
    )
    .output(z.object({ revision: z.int(), updatedAt: z.number() }))
    .mutation(async ({ ctx, input }) => {
      const plan = acceptPlan(input.plan);
      const saved = await ctx.services.plans.saveDraft(ctx.scope, input.planId, { ...input, plan });
      if (saved === undefined) throw notFound();
      if (saved.ok) return saved.value;
      const { current } = saved.error;
      throw new AppError(
        "draft_conflict",
        current === null
          ? "This draft was saved or thrown away in another tab."
          : "This draft was changed in another tab.",
        current === null ? {} : { currentRevision: current.revision },
      );
    }),

  discardDraft: engineer
    .input(byId)
    .output(z.object({ discarded: z.boolean() }))
    .mutation(async ({ ctx, input }) => ({
      discarded: await ctx.services.plans.discardDraft(ctx.scope, input.planId),
    })),

  saveVersion: engineer
    .input(
      byId.extend({
        plan: planDocumentSchema,
        /** The version this one was made from; anything but the newest is a conflict. */
        baseVersion: versionNumber,
        label: z.string().trim().min(1).max(200).optional(),
      }),
    )
    .output(planVersionSummarySchema)
    .mutation(async ({ ctx, input }) => {
      const plan = acceptPlan(input.plan);
      const saved = await ctx.services.plans.saveVersion(ctx.scope, input.planId, { ...input, plan });
      if (saved === undefined) throw notFound();
      if (saved.ok) return saved.value;
      throw new AppError("version_conflict", `Version ${saved.error.currentVersion} was saved in the meantime.`, {
        currentVersion: saved.error.currentVersion,
      });
    }),

  versions: signedIn
    .input(byId)
    .output(z.object({ versions: z.array(planVersionSummarySchema) }))
    .query(async ({ ctx, input }) => {
      const versions = await ctx.services.plans.versions(ctx.scope, input.planId);
      if (versions === undefined) throw notFound();
      return { versions: [...versions] };
    }),

  version: signedIn
    .input(byId.extend({ number: versionNumber }))
    .output(planVersionSchema)
    .query(async ({ ctx, input }) => {
      const version = await ctx.services.plans.version(ctx.scope, input.planId, input.number);
      if (version === undefined) throw notFound();
      return version;
    }),

  /** A version as a file in one of the formats we write. */
  export: signedIn
    .input(byId.extend({ number: versionNumber.optional(), format: exportFormatSchema }))
    .output(z.object({ fileName: z.string(), mediaType: z.string(), text: z.string() }))
    .query(({ ctx, input }) => exportPlan(ctx.services, ctx.scope, input)),

  remove: engineer
    .input(byId)
    .output(byId)
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.plans.remove(ctx.scope, input.planId))) throw notFound();
      return input;
    }),
});
