import { z } from "zod";
import { runIdSchema } from "#kernel/ids";
import { notFound } from "../../errors";
import { retentionPreviewSchema, retentionSchema } from "../../runtime/retention";
import { t } from "../init";
import { admin } from "../procedures";

const keepDays = z.int().min(1).max(36_500);
const done = z.object({});

export const retentionRouter = t.router({
  get: admin.output(retentionSchema).query(({ ctx }) => ctx.services.retention.get(ctx.scope.workspaceId)),

  /** A dry run: what the policy would take at this moment. */
  preview: admin
    .input(z.object({ keepDays }))
    .output(retentionPreviewSchema)
    .query(({ ctx, input }) => ctx.services.retention.preview(ctx.scope.workspaceId, input.keepDays)),

  /** Null: keep everything. What was redacted does not come back. */
  set: admin
    .input(z.object({ keepDays: keepDays.nullable() }))
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.retention.set(ctx.principal, input.keepDays);
      return {};
    }),

  hold: admin
    .input(z.object({ runId: runIdSchema, reason: z.string().trim().min(1).max(500) }))
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const held = await ctx.services.retention.hold(ctx.principal, input.runId, input.reason);
      if (held === undefined) throw notFound();
      return {};
    }),

  release: admin
    .input(z.object({ runId: runIdSchema }))
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const released = await ctx.services.retention.release(ctx.principal, input.runId);
      if (released === undefined) throw notFound();
      return {};
    }),
});
