import type { Sample } from "./sample";
import { median, quantile } from "./statistics";
import { lowerBoundMs, taskCount, type Workload } from "./workload";

/** Medians over the passes of one system and workload; counts, bytes and processor time are for each task. */
export interface Figures {
  readonly tasksPerSecond: number;
  readonly dispatchP50: number;
  /** Median and 95th percentile over a lone commit of the same pass. */
  readonly dispatchP50Commits: number;
  readonly dispatchP95Commits: number;
  /** Over the lower bound of the durations that were asked for. */
  readonly makespan: number;
  /** Over that of the durations that the calls had. */
  readonly makespanOfCalls: number;
  readonly commits: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly nodeCpuMs: number;
  readonly storeCpuMs: number;
  readonly rssMegabytes: number;
}

export function figuresOf(workload: Workload, samples: readonly Sample[]): Figures {
  const tasks = taskCount(workload);
  const of = (value: (sample: Sample) => number): number => median(samples.map(value));
  const elapsedMs = of((sample) => sample.elapsedMs);
  const bound = lowerBoundMs(workload);
  return {
    tasksPerSecond: (tasks / elapsedMs) * 1000,
    dispatchP50: of((sample) => quantile(sample.dispatchMs, 0.5)),
    dispatchP50Commits: of((sample) => quantile(sample.dispatchMs, 0.5) / sample.commitMs),
    dispatchP95Commits: of((sample) => quantile(sample.dispatchMs, 0.95) / sample.commitMs),
    makespan: bound > 0 ? elapsedMs / bound : Number.NaN,
    makespanOfCalls: bound > 0 ? of((sample) => sample.elapsedMs / sample.callsBoundMs) : Number.NaN,
    commits: of((sample) => sample.commits),
    rows: of((sample) => sample.rows),
    walBytes: of((sample) => sample.walBytes),
    nodeCpuMs: of((sample) => sample.nodeCpuMs),
    storeCpuMs: of((sample) => sample.storeCpuMs),
    rssMegabytes: of((sample) => sample.rssBytes) / 1_048_576,
  };
}
