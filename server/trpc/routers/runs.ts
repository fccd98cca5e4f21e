import { z } from "zod";
import { jsonValueSchema } from "#kernel/capability/observation";
import { planIdSchema, runIdSchema } from "#kernel/ids";
import { runOutcomeSchema } from "#kernel/run/event";
import { runStatusSchema } from "#kernel/run/status";
import { notFound } from "../../errors";
import { runSummarySchema } from "../../runtime/run-records";
import { controlRun } from "../actions/control-run";
import { reconcileOutcome } from "../actions/reconcile-outcome";
import { startRun } from "../actions/start-run";
import { t } from "../init";
import { engineer, signedIn } from "../procedures";
import { loggedEventSchema } from "../schemas/run-event";
import { requestIdSchema } from "../submission-id";

const byId = z.object({ runId: runIdSchema });
const control = byId.extend({
  reason: z.string().trim().max(1_000).optional(),
  requestId: requestIdSchema.optional(),
});
const controlled = z.object({ runId: runIdSchema, seq: z.int() });

export const runsRouter = t.router({
  start: engineer
    .input(
      z.object({
        planId: planIdSchema,
        /** Default: the newest. */
        version: z.int().min(1).optional(),
        /** Only an admin may turn four eyes off. */
        fourEyes: z.boolean().default(true),
        requestId: requestIdSchema.optional(),
      }),
    )
    .output(byId)
    .mutation(({ ctx, input }) => startRun(ctx.services, ctx.principal, input)),

  list: signedIn
    .input(
      z
        .object({
          planId: planIdSchema.optional(),
          status: runStatusSchema.optional(),
          outcome: runOutcomeSchema.optional(),
          search: z.string().max(200).optional(),
          limit: z.int().min(1).max(200).default(50),
          /** The last run of the page before. */
          cursor: runIdSchema.optional(),
        })
        .default({ limit: 50 }),
    )
    .output(z.object({ runs: z.array(runSummarySchema), nextCursor: runIdSchema.optional() }))
    .query(async ({ ctx, input: { cursor, ...filter } }) => {
      const page = await ctx.services.runs.list(ctx.scope.workspaceId, {
        ...filter,
        limit: filter.limit + 1,
        ...(cursor === undefined ? {} : { beforeRunId: cursor }),
      });
      const runs = page.slice(0, filter.limit);
      return { runs, nextCursor: page.length > filter.limit ? runs.at(-1)?.id : undefined };
    }),

  get: signedIn
    .input(byId)
    .output(runSummarySchema)
    .query(async ({ ctx, input }) => {
      const run = await ctx.services.runs.get(ctx.scope.workspaceId, input.runId);
      if (run === undefined) throw notFound();
      return run;
    }),

  events: signedIn
    .input(byId.extend({ afterSeq: z.int().min(0).default(0), limit: z.int().min(1).max(50_000).optional() }))
    .output(z.object({ events: z.array(loggedEventSchema) }))
    .query(async ({ ctx, input }) => {
      const { workspaceId } = ctx.scope;
      const events = await ctx.services.runs.events(workspaceId, input.runId, input.afterSeq, input.limit);
      if (events === undefined) throw notFound();
      return { events: [...events] };
    }),

  pause: engineer
    .input(control)
    .output(controlled)
    .mutation(({ ctx, input }) => controlRun(ctx.services, ctx.scope, { ...input, action: "pause" })),

  resume: engineer
    .input(control)
    .output(controlled)
    .mutation(({ ctx, input }) => controlRun(ctx.services, ctx.scope, { ...input, action: "resume" })),

  cancel: engineer
    .input(control)
    .output(controlled)
    .mutation(({ ctx, input }) => controlRun(ctx.services, ctx.scope, { ...input, action: "cancel" })),

  /**
   * Says what became of a call whose answer was lost, or has it looked up. Whoever may answer its gate may say it; the
   * attempt is the one the caller saw, and of two who say it the second is told who was first.
   */
  reconcile: signedIn
    .input(
      byId.extend({
        taskId: z.string().min(1).max(300),
        attempt: z.int().min(1),
        action: z.enum(["look_up", "done", "not_done", "retry"]),
        reason: z.string().trim().max(2_000),
        /** `done`: what the call would have answered. */
        output: jsonValueSchema.optional(),
        requestId: requestIdSchema.optional(),
      }),
    )
    .output(controlled)
    .mutation(({ ctx, input }) => reconcileOutcome(ctx.services, ctx.principal, input)),

  /** A slice of a large output's JSON text. `offset` and `limit` count characters of that text. */
  artifact: signedIn
    .input(
      byId.extend({
        outputRef: z.string().min(1).max(100),
        offset: z.int().min(0).default(0),
        limit: z.int().min(1).max(1_000_000).default(64_000),
      }),
    )
    .output(
      z.object({
        text: z.string(),
        offset: z.int(),
        characters: z.int(),
        bytes: z.int(),
        nextOffset: z.int().nullable(),
      }),
    )
    .query(async ({ ctx, input: { runId, outputRef, offset, limit } }) => {
      const slice = await ctx.services.runs.artifact(ctx.scope.workspaceId, runId, { outputRef, offset, limit });
      if (slice === undefined) throw notFound();
      return slice;
    }),
});
