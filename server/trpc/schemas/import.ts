import { z } from "zod";
import { planIdSchema } from "#kernel/ids";
import { diagnosticSchema } from "./diagnostic";

/** Base64 grows by a third: this is a file of 24 MB. */
const CONTENT_LENGTH_MAX = 32 * 1024 * 1024;

/** A file as dropped (its bytes, gzip included) or text as pasted. */
export const importInputSchema = z.object({
  fileName: z.string().min(1).max(255),
  content: z.discriminatedUnion("encoding", [
    z.object({ encoding: z.literal("base64"), data: z.base64().max(CONTENT_LENGTH_MAX) }),
    z.object({ encoding: z.literal("text"), data: z.string().max(CONTENT_LENGTH_MAX) }),
  ]),
  /** Which plan of a file that holds several, from 1. */
  plan: z.int().min(1).max(10_000_000).optional(),
  /** Answer with the plan that already has this content instead of adding it again. */
  reuse: z.boolean().default(false),
});
export type ImportInput = z.output<typeof importInputSchema>;

/** What came across. Diagnostics hold what did not, and the problems of the plan itself. */
export const importReportSchema = z.object({
  planId: planIdSchema,
  /** False: the plan was here already (`reuse`). */
  created: z.boolean(),
  report: z.object({
    /** How the file was understood, as a title. */
    format: z.string(),
    name: z.string(),
    tasks: z.int().min(0),
    edges: z.int().min(0),
    /** How many things the importer could not carry over. */
    notCarriedOver: z.int().min(0),
    /** In words: what was mapped how. */
    notes: z.array(z.string()),
  }),
  diagnostics: z.array(diagnosticSchema),
});
export type ImportReport = z.input<typeof importReportSchema>;
