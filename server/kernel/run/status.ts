import { z } from "zod";

export const taskStatusSchema = z.enum([
  "pending",
  "ready",
  "awaiting_approval",
  "dispatched",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "skipped",
  "blocked",
  "unknown_outcome",
  "stopped_budget",
]);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** `blocked` and `unknown_outcome` wait for a person, so they are not terminal. */
const TERMINAL: ReadonlySet<TaskStatus> = new Set(["succeeded", "failed", "cancelled", "skipped", "stopped_budget"]);

/** True for a status that never changes again. */
export const isTerminal = (status: TaskStatus): boolean => TERMINAL.has(status);

export const runStatusSchema = z.enum(["created", "running", "paused", "finished"]);
export type RunStatus = z.infer<typeof runStatusSchema>;

/** Why a ready task does not run. Readiness proves dependency completion only; this is the second question. */
export type Hold =
  | { readonly type: "approval"; readonly gateId: string }
  | { readonly type: "authorization"; readonly message: string }
  | { readonly type: "rate_limit"; readonly until?: number; readonly capability?: string }
  | {
      readonly type: "concurrency";
      readonly limit: number;
      /** The limit is the capability's, over all runs; absent: the run's own. */
      readonly capability?: string;
      readonly heldBy?: readonly CallHolder[];
    }
  | {
      readonly type: "resource_lock";
      readonly resource: string;
      readonly byTaskId: string;
      /** Another run's call holds it; absent: this run's. */
      readonly byRunId?: string;
    }
  | { readonly type: "pool"; readonly pool: string }
  | { readonly type: "backoff"; readonly until: number }
  | { readonly type: "budget"; readonly budget: string }
  | { readonly type: "paused" }
  | { readonly type: "capability_unavailable"; readonly message: string };
/** A call that holds what another waits for. */
export interface CallHolder {
  readonly runId: string;
  readonly taskId: string;
}
export type HoldType = Hold["type"];
