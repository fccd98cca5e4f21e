import { z } from "zod";
import { capabilitySchema, capabilitySnapshotSchema, sideEffectSchema } from "#kernel/capability/capability";
import { planIdSchema } from "#kernel/ids";
import { callHistorySchema } from "../../runtime/capability-history";
import { capabilityVersionSchema } from "../../runtime/capability-records";

/** One capability as the list shows it: its newest version in use, or the newest of all where none is. */
export const capabilitySummarySchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  provider: capabilitySchema.shape.provider,
  sideEffect: sideEffectSchema,
  approval: capabilitySchema.shape.approval,
  idempotency: capabilitySchema.shape.idempotency,
  /** The version that a bare name stands for. */
  version: z.int().min(1),
  versions: z.int().min(1),
  status: z.enum(["built_in", "active", "retired"]),
  estimate: capabilitySchema.shape.estimate,
  /** Where its calls go, for HTTP capabilities. */
  server: z.string().optional(),
  history: callHistorySchema.optional(),
  createdAt: z.number().optional(),
});
export type CapabilitySummary = z.infer<typeof capabilitySummarySchema>;

/** One capability with all its versions, newest first. */
export const capabilityDetailSchema = z.object({
  name: z.string(),
  status: z.enum(["built_in", "active", "retired"]),
  /** The version that a bare name stands for; absent where all are retired. */
  current: z.int().optional(),
  versions: z.array(capabilityVersionSchema.extend({ history: callHistorySchema.optional() })),
  history: callHistorySchema.optional(),
  /** Plans whose newest version names it. */
  plans: z.array(z.object({ id: planIdSchema, name: z.string(), tasks: z.int() })),
});
export type CapabilityDetail = z.infer<typeof capabilityDetailSchema>;

/** What may be called, with what earlier runs say of its duration. */
export const callableSchema = z.object({
  capabilities: z.array(capabilitySnapshotSchema),
  history: z.array(z.object({ name: z.string(), calls: z.int(), p50Seconds: z.number(), p95Seconds: z.number() })),
});
