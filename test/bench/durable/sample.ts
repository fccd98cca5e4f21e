import type { Workload } from "./workload";

/** One measured pass: times, and everything it cost, for each task. */
export interface Sample {
  /** A lone commit just before. */
  readonly commitMs: number;
  readonly elapsedMs: number;
  readonly dispatchMs: readonly number[];
  readonly callsBoundMs: number;
  readonly commits: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly nodeCpuMs: number;
  readonly storeCpuMs: number;
  readonly rssBytes: number;
}

/** All that was measured. */
export interface ReportInput {
  readonly workloads: readonly Workload[];
  /** By `workload/system`. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly repeats: number;
}
