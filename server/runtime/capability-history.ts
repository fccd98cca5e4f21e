import { z } from "zod";

/** How the calls of a capability went in earlier runs. Durations are of successful calls, within about 4 %. */
export const callHistorySchema = z.object({
  calls: z.int().min(0),
  failed: z.int().min(0),
  /** Absent where no call ever succeeded. */
  p50Seconds: z.number().optional(),
  p95Seconds: z.number().optional(),
  /** Calls by what came back: `ok`, or an error category. */
  outcomes: z.array(z.object({ outcome: z.string(), calls: z.int().min(1) })),
  lastAt: z.number().optional(),
});
export type CallHistory = z.infer<typeof callHistorySchema>;

/** What earlier runs tell of durations: a median, and what nineteen in twenty stay below. */
export interface PastDuration {
  readonly calls: number;
  readonly p50Seconds: number;
  readonly p95Seconds: number;
}

/** Calls of finished runs, counted. Counting goes on in the background; reading is cheap however many runs there are. */
export interface CapabilityHistory {
  /** By capability name. */
  ofWorkspace(workspaceId: string): Promise<ReadonlyMap<string, CallHistory>>;
  /** By version of one capability. */
  ofVersions(workspaceId: string, name: string): Promise<ReadonlyMap<number, CallHistory>>;
  /** By task of a stored plan. */
  ofTasks(planId: string): Promise<ReadonlyMap<string, PastDuration>>;
}
