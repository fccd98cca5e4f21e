import { z } from "zod";
import type { JsonValue } from "../json";
import { errorCategorySchema } from "./capability";

export const jsonValueSchema = z.unknown() as unknown as z.ZodType<JsonValue>;

/** What came back from a call, the same shape for every provider. Classified by code, never by a model. */
export const observationSchema = z.object({
  status: z.enum(["ok", "retryable", "terminal"]),
  output: jsonValueSchema.optional(),
  /** Key of the artifact that holds an output above the inline limit. */
  outputRef: z.string().optional(),
  /** SHA-256 of an output that is kept apart, so that two of them can be compared without being read. */
  outputHash: z.string().optional(),
  errorCode: z.string().optional(),
  errorCategory: errorCategorySchema.optional(),
  message: z.string().optional(),
  retryAfterSeconds: z.number().min(0).optional(),
  stateChanged: z.boolean().nullable().optional(),
  sideEffect: z.enum(["none", "committed", "not_committed", "unknown"]),
  latencyMs: z.number().min(0),
  traceId: z.string().optional(),
  usage: z.object({ tokens: z.int().min(0).optional(), costUsd: z.number().min(0).optional() }).optional(),
});
export type Observation = z.infer<typeof observationSchema>;
