import { tracked } from "@trpc/server";
import { z } from "zod";
import { runIdSchema } from "#kernel/ids";
import { streamEvents } from "../actions/stream-events";
import { t } from "../init";
import { signedIn } from "../procedures";
import type { StreamMessage } from "../schemas/run-event";

/** A tab shows a handful of runs; more than this in one stream is a mistake of the caller. */
const RUNS_PER_STREAM_MAX = 50;

export const eventsRouter = t.router({
  /** One stream a tab: browsers allow about six connections an origin, and every one of them is needed elsewhere. */
  stream: signedIn
    .input(
      z.object({
        runs: z.array(z.object({ runId: runIdSchema, afterSeq: z.int().min(0) })).max(RUNS_PER_STREAM_MAX),
        inbox: z.boolean().default(false),
        /** Sent by the browser after a cut. */
        lastEventId: z.string().max(8_000).nullish(),
      }),
    )
    .subscription(async function* ({ ctx, input, signal }) {
      const reader = {
        personId: ctx.principal.person.id,
        workspaceId: ctx.scope.workspaceId,
        mayStillRead: async () => (await ctx.identifyAgain())?.workspace.id === ctx.scope.workspaceId,
      };
      const ends = AbortSignal.any(signal === undefined ? [ctx.services.closing] : [ctx.services.closing, signal]);
      const request = { ...input, lastEventId: input.lastEventId ?? undefined };
      for await (const [id, message] of streamEvents(ctx.services, reader, request, ends)) {
        yield tracked<StreamMessage>(id, message);
      }
    }),
});
