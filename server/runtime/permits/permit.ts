import type { CallDemand } from "#kernel/run/call-demand";

/** A call that wants to run, runs, or has run lately, under limits over all runs of its workspace. Times: epoch ms. */
export interface Permit {
  readonly id: string;
  readonly runId: string;
  readonly taskId: string;
  /** The worker that makes the call. */
  readonly owner: string;
  /** In whose name the run acts: their ceilings count it too. */
  readonly personId?: string;
  readonly demand: CallDemand;
  /** `over`: the call has ended, and its start still counts for a rate limit. */
  readonly state: "waiting" | "granted" | "over";
  readonly wantedAt: number;
  /** When the call started, as far as is known: its grant, until its end says it better. */
  readonly startedAt?: number;
}

export const CEILING_PERIODS = ["day", "month"] as const;
export const CEILING_BUDGETS = ["toolCalls", "sideEffects", "tokens", "costUsd", "runs"] as const;
export type CeilingPeriod = (typeof CEILING_PERIODS)[number];
export type CeilingBudget = (typeof CEILING_BUDGETS)[number];

/** A limit above every plan's own, with what its period has used so far. */
export interface Ceiling {
  readonly id: string;
  /** Whose runs it counts; absent: everybody's in the workspace. */
  readonly personId?: string;
  readonly period: CeilingPeriod;
  readonly budget: CeilingBudget;
  readonly limit: number;
  readonly spent: number;
  /** What calls in progress may still use. */
  readonly reserved: number;
}
