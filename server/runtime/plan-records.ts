import { z } from "zod";
import { planIdSchema, planVersionIdSchema, runIdSchema } from "#kernel/ids";
import { planSchema } from "#kernel/plan/plan";
import { personRefSchema, runOutcomeSchema } from "#kernel/run/event";
import { runStatusSchema } from "#kernel/run/status";

/** How often a plan's problems occur; a plan with an error never runs. */
export const problemCountSchema = z.object({ errors: z.int().min(0), warnings: z.int().min(0) });

/** A plan as the list shows it. Times are epoch milliseconds. */
export const planSummarySchema = z.object({
  id: planIdSchema,
  name: z.string(),
  objective: z.string().optional(),
  /** Number of the newest version, from 1. */
  version: z.int().min(1),
  tasks: z.int().min(0),
  edges: z.int().min(0),
  /** Tasks of each step of its depth, for a picture in miniature; empty where there is a cycle. */
  shape: z.array(z.int().min(1)),
  problems: problemCountSchema,
  createdAt: z.number(),
  updatedAt: z.number(),
  updatedBy: personRefSchema.nullable(),
  /** One of the plans a new workspace starts with. */
  example: z.boolean(),
  /** The asker's own unsaved work on it. */
  draft: z.object({ updatedAt: z.number() }).nullable(),
  lastRun: z
    .object({
      id: runIdSchema,
      status: runStatusSchema,
      outcome: runOutcomeSchema.optional(),
      createdAt: z.number(),
      finishedAt: z.number().optional(),
    })
    .nullable(),
});
export type PlanSummary = z.infer<typeof planSummarySchema>;

/** A version without its document. Versions are immutable; the hash is of the plan's canonical form without layout. */
export const planVersionSummarySchema = z.object({
  id: planVersionIdSchema,
  number: z.int().min(1),
  /** A name a person gave it. */
  label: z.string().optional(),
  contentHash: z.string().length(64),
  tasks: z.int().min(0),
  createdAt: z.number(),
  createdBy: personRefSchema.nullable(),
});
export type PlanVersionSummary = z.infer<typeof planVersionSummarySchema>;

export const planVersionSchema = planVersionSummarySchema.extend({ plan: planSchema });
export type PlanVersion = z.infer<typeof planVersionSchema>;

/** One person's unsaved work on a plan. `revision` grows by one with every write, and a write names the one it saw. */
export const planDraftSchema = z.object({
  plan: planSchema,
  /** Version the work started from. */
  baseVersion: z.int().min(1),
  revision: z.int().min(1),
  updatedAt: z.number(),
});
export type PlanDraft = z.infer<typeof planDraftSchema>;
