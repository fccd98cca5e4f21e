/** One measured pass: times, and everything it cost, for each task. */
export interface Sample {
  readonly elapsedMs: number;
  readonly dispatchMs: readonly number[];
  readonly commits: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly nodeCpuMs: number;
  readonly storeCpuMs: number;
  readonly rssBytes: number;
}
