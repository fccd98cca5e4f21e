import { z } from "zod";
import { runIdSchema } from "#kernel/ids";
import type { Principal } from "./principal";

/** A run that is kept whole whatever the policy says. */
export const runHoldSchema = z.object({
  runId: runIdSchema,
  runName: z.string(),
  placedBy: z.string(),
  reason: z.string(),
  placedAt: z.number(),
});
export type RunHold = z.infer<typeof runHoldSchema>;

/** How long a workspace keeps what its runs worked with. */
export const retentionSchema = z.object({
  /** Days after its end at which a run is redacted; null: never. */
  keepDays: z.int().min(1).nullable(),
  updatedBy: z.string().optional(),
  updatedAt: z.number().optional(),
  holds: z.array(runHoldSchema),
  redacted: z.object({ runs: z.int(), lastAt: z.number().optional() }),
});
export type Retention = z.infer<typeof retentionSchema>;

/** What a policy would take at this moment. */
export const retentionPreviewSchema = z.object({
  runs: z.int(),
  events: z.int(),
  artifacts: z.int(),
  /** Of finished runs whose turn it would be, those that a hold keeps. */
  held: z.int(),
  /** When the oldest of them ended. */
  oldestFinishedAt: z.number().optional(),
});
export type RetentionPreview = z.infer<typeof retentionPreviewSchema>;

/** The retention of one workspace, for its admins. Every change is audited. */
export interface RetentionDesk {
  get(workspaceId: string): Promise<Retention>;
  preview(workspaceId: string, keepDays: number): Promise<RetentionPreview>;
  set(principal: Principal, keepDays: number | null): Promise<void>;
  /** Keeps a run whole until it is released; undefined where the workspace has no such run. */
  hold(principal: Principal, runId: string, reason: string): Promise<true | undefined>;
  release(principal: Principal, runId: string): Promise<true | undefined>;
}
