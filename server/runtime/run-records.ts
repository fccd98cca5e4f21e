import { z } from "zod";
import { sideEffectSchema } from "#kernel/capability/capability";
import { gateIdSchema, personIdSchema, planIdSchema, runIdSchema, taskIdSchema } from "#kernel/ids";
import { personRefSchema, runOutcomeSchema } from "#kernel/run/event";
import { runStatusSchema } from "#kernel/run/status";

/** A run as lists show it; everything else is a fold over its events. Times are epoch milliseconds. */
export const runSummarySchema = z.object({
  id: runIdSchema,
  name: z.string(),
  planId: planIdSchema.nullable(),
  planVersion: z.int().min(1).nullable(),
  status: runStatusSchema,
  outcome: runOutcomeSchema.optional(),
  outcomeReason: z.string().optional(),
  startedBy: personRefSchema,
  createdAt: z.number(),
  finishedAt: z.number().optional(),
  lastSeq: z.int().min(0),
  tasks: z.object({ total: z.int().min(0), done: z.int().min(0), failed: z.int().min(0) }),
  openGates: z.int().min(0),
  /** Format of the trace it was imported from; absent for our own runs. */
  importedFrom: z.string().optional(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

export const gateStatusSchema = z.enum([
  "open",
  "approved",
  "rejected",
  "sent_back",
  "expired",
  "superseded",
  "used",
  "revoked",
]);

/** A gate as stored: what its opening said, and how far the signing has come. */
export const gateRecordSchema = z.object({
  id: gateIdSchema,
  runId: runIdSchema,
  runName: z.string(),
  /** Absent: the gate stands before the plan. */
  taskId: taskIdSchema.optional(),
  title: z.string(),
  capability: z.string().optional(),
  sideEffect: sideEffectSchema.optional(),
  status: gateStatusSchema,
  openedAt: z.number(),
  decideBy: z.number(),
  executeBy: z.number().optional(),
  closedAt: z.number().optional(),
  role: z.string(),
  /** Ids or e-mail addresses; absent: everyone with the role. */
  people: z.array(z.string()).optional(),
  excluded: z.array(z.object({ id: personIdSchema, why: z.string() })),
  quorum: z.int().min(1),
  /** From this moment the people or the role of `escalateTo` may sign as well. */
  escalateAt: z.number().optional(),
  escalateTo: z.object({ role: z.string().optional(), people: z.array(z.string()).optional() }).optional(),
  /** Everybody who has signed, and for whom where it was not for themselves. */
  decisions: z.array(z.object({ by: personRefSchema, onBehalfOf: personRefSchema.optional() })),
  /** Those who could take an approval back now, since nothing has come of it yet. */
  revokers: z.array(personRefSchema),
  /** A question to a person: the answer becomes the task's output. */
  question: z.string().optional(),
  requestedBy: personRefSchema,
  /** Tasks that cannot start before it is decided. */
  behind: z.int().min(0),
});
export type GateRecord = z.infer<typeof gateRecordSchema>;

/** What says who may sign an open gate: enough to look through all of them. */
export type OpenGate = Pick<
  GateRecord,
  "id" | "status" | "decideBy" | "role" | "people" | "excluded" | "escalateAt" | "escalateTo" | "decisions"
>;

/** A gate as the inbox shows it to one person. */
export const gateSummarySchema = gateRecordSchema.extend({
  /** Whether the asker may sign it now, for whom if not for themselves, and if not why; and what else they may do. */
  mine: z.object({
    canDecide: z.boolean(),
    onBehalfOf: personRefSchema.optional(),
    why: z.string().optional(),
    canRevoke: z.boolean(),
    /** The asker has signed it. */
    signed: z.boolean(),
  }),
});
export type GateSummary = z.infer<typeof gateSummarySchema>;

/** One gate with everybody whose signature it still takes. */
export const gateDetailSchema = gateSummarySchema.extend({
  /** People who may sign now, those who stand in for somebody included; at most 50, and how many more there are. */
  signers: z.array(z.object({ id: personIdSchema, name: z.string(), onBehalfOf: personRefSchema.optional() })),
  moreSigners: z.int().min(0),
});
export type GateDetail = z.infer<typeof gateDetailSchema>;
