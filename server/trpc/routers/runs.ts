import { z } from "zod";
import { jsonValueSchema } from "#kernel/capability/observation";
import { planIdSchema, runIdSchema, taskIdSchema } from "#kernel/ids";
import { isJsonObject, type JsonObject } from "#kernel/json";
import { replanReasonSchema, runOutcomeSchema } from "#kernel/run/event";
import { runStatusSchema } from "#kernel/run/status";
import { notFound } from "../../errors";
import { runSummarySchema } from "../../runtime/run-records";
import { controlRun } from "../actions/control-run";
import { reconcileOutcome } from "../actions/reconcile-outcome";
import { previewRerun, rerun } from "../actions/rerun";
import { retryTask } from "../actions/retry-task";
import { previewRevision, reviseRun } from "../actions/revise-run";
import { startRun } from "../actions/start-run";
import { t } from "../init";
import { engineer, signedIn } from "../procedures";
import { planDocumentSchema } from "../schemas/plan-document";
import { revisionPreviewSchema } from "../schemas/revision";
import { loggedEventSchema } from "../schemas/run-event";
import { requestIdSchema } from "../submission-id";

const byId = z.object({ runId: runIdSchema });
const control = byId.extend({
  reason: z.string().trim().max(1_000).optional(),
  requestId: requestIdSchema.optional(),
});
const controlled = z.object({ runId: runIdSchema, seq: z.int() });
const revision = byId.extend({
  reason: replanReasonSchema,
  triggerSeq: z.int(),
  /** The unfinished part as a plan; parsed by the kernel, which locates every fault. */
  plan: planDocumentSchema,
  cancelRunning: z.array(taskIdSchema).max(10_000).default([]),
  message: z.string().trim().max(1_000).optional(),
});
const rerunOf = byId.extend({ fromTaskIds: z.array(taskIdSchema).min(1).max(1_000) });

export const runsRouter = t.router({
  start: engineer
    .input(
      z.object({
        planId: planIdSchema,
        /** Default: the newest. */
        version: z.int().min(1).optional(),
        /** Only an admin may turn four eyes off. */
        fourEyes: z.boolean().default(true),
        /** An exhausted budget ends the run even where its completion checks pass. */
        budgetBeforeCompletion: z.boolean().default(false),
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

  /** What a revision of the unfinished part would change and need, or why it would be refused. Writes nothing. */
  previewRevision: engineer
    .input(revision)
    .output(revisionPreviewSchema)
    // A plan is too long for an address, so it is posted like a change.
    .mutation(({ ctx, input }) => previewRevision(ctx.services, ctx.principal, input)),

  /** Replaces the unfinished part of a live run. */
  revise: engineer
    .input(
      revision.extend({
        expectedRevision: z.int().min(1),
        seenSeq: z.int().min(0),
        requestId: requestIdSchema.optional(),
      }),
    )
    .output(controlled.extend({ revision: z.int(), awaitsApproval: z.boolean() }))
    .mutation(({ ctx, input }) => reviseRun(ctx.services, ctx.principal, input)),

  /** Has a failed task tried again, with other arguments where some are given. */
  retryTask: engineer
    .input(
      byId.extend({
        taskId: taskIdSchema,
        reason: z.string().trim().max(1_000).optional(),
        repeatEffects: z.boolean().default(false),
        arguments: z.custom<JsonObject>(isJsonObject, "Arguments are an object.").optional(),
        capability: z.string().min(1).max(140).optional(),
        requestId: requestIdSchema.optional(),
      }),
    )
    .output(controlled)
    .mutation(({ ctx, input }) => retryTask(ctx.services, ctx.principal, input)),

  previewRerun: engineer
    .input(rerunOf)
    .output(
      z.object({
        again: z.array(taskIdSchema),
        carried: z.array(z.object({ taskId: taskIdSchema, sideEffect: z.string() })),
        mayRepeat: z.array(taskIdSchema),
        planVersion: z.int(),
      }),
    )
    .query(({ ctx, input }) => previewRerun(ctx.services, ctx.principal, input)),

  /** Starts a new run of the same plan version from a task on, with the results that still stand. */
  rerun: engineer
    .input(rerunOf.extend({ repeatEffects: z.boolean().default(false), requestId: requestIdSchema.optional() }))
    .output(byId)
    .mutation(({ ctx, input }) => rerun(ctx.services, ctx.principal, input)),

  pause: engineer
    .input(control)
    .output(controlled)
    .mutation(({ ctx, input }) => controlRun(ctx.services, ctx.principal, { ...input, action: "pause" })),

  resume: engineer
    .input(control)
    .output(controlled)
    .mutation(({ ctx, input }) => controlRun(ctx.services, ctx.principal, { ...input, action: "resume" })),

  cancel: engineer
    .input(control)
    .output(controlled)
    .mutation(({ ctx, input }) => controlRun(ctx.services, ctx.principal, { ...input, action: "cancel" })),

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

  /** A slice of a large output's JSON text. `cursor` and `limit` count characters of that text. */
  artifact: signedIn
    .input(
      byId.extend({
        outputRef: z.string().min(1).max(100),
        /** Where to begin; 0, or the `nextOffset` of the slice before. */
        cursor: z.int().min(0).default(0),
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
    .query(async ({ ctx, input: { runId, outputRef, cursor: offset, limit } }) => {
      const slice = await ctx.services.runs.artifact(ctx.scope.workspaceId, runId, { outputRef, offset, limit });
      if (slice === undefined) throw notFound();
      return slice;
    }),
});
