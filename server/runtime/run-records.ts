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

export const gateStatusSchema = z.enum(["open", "approved", "rejected", "sent_back", "expired", "superseded", "used"]);

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
  decidedBy: z.array(personRefSchema),
  /** A question to a person: the answer becomes the task's output. */
  question: z.string().optional(),
  requestedBy: personRefSchema,
  /** Tasks that cannot start before it is decided. */
  behind: z.int().min(0),
});
export type GateRecord = z.infer<typeof gateRecordSchema>;

/** A gate as the inbox shows it to one person. */
export const gateSummarySchema = gateRecordSchema.extend({
  /** Whether the asker may sign it now, and if not why. */
  mine: z.object({ canDecide: z.boolean(), why: z.string().optional() }),
});
export type GateSummary = z.infer<typeof gateSummarySchema>;
