import { z } from "zod";
import type { RunEvent } from "#kernel/run/event";

/** An event of the log. The store parsed it when it read it, and a log is too long to parse twice. */
export const loggedEventSchema = z.custom<RunEvent>();

/**
 * One message of the multiplexed stream. Position is by run and `seq`, so that a cut stream goes on where it was.
 * `gone`: there is no such run for the asker.
 */
export const streamMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("run_events"), runId: z.string(), events: z.array(loggedEventSchema) }),
  z.object({ type: z.literal("run_caught_up"), runId: z.string(), lastSeq: z.int() }),
  z.object({ type: z.literal("run_gone"), runId: z.string() }),
  z.object({ type: z.literal("inbox_changed") }),
]);
export type StreamMessage = z.output<typeof streamMessageSchema>;
