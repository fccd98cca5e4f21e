import type { Workload } from "./workload";

/** One measured pass: times, and everything it cost, for each task. */
export interface Sample {
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
  /** Median of a lone one-row commit. */
  readonly commitMs: number;
  readonly repeats: number;
}
