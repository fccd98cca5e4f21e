import { z } from "zod";
import type { Labels, Sample } from "./exposition";

/** How often something took how long, seconds. */
export const histogramSchema = z.object({
  /** For each bound, how often it took no longer; then all. */
  counts: z.array(z.int().min(0)),
  sum: z.number(),
});
export type HistogramCounts = z.infer<typeof histogramSchema>;

/** Upper bounds, seconds: from a good disk's flush to far too long. */
export const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** Counts durations by size; one addition an observation. */
export class Histogram {
  readonly #within: number[] = Array.from({ length: BOUNDS_SECONDS.length + 1 }, () => 0);
  #sum = 0;

  observe(seconds: number): void {
    const found = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound);
    const index = found === -1 ? BOUNDS_SECONDS.length : found;
    this.#within[index] = (this.#within[index] ?? 0) + 1;
    this.#sum += seconds;
  }

  counts(): HistogramCounts {
    let total = 0;
    const counts = this.#within.map((count) => {
      total += count;
      return total;
    });
    return { counts, sum: Math.round(this.#sum * 1e6) / 1e6 };
  }
}

/** The samples of one histogram under `labels`. */
export function histogramSamples({ counts, sum }: HistogramCounts, labels: Labels): Sample[] {
  const total = counts.at(-1) ?? 0;
  const buckets = BOUNDS_SECONDS.map(
    (bound, index): Sample => ({
      suffix: "_bucket",
      labels: { ...labels, le: String(bound) },
      value: counts[index] ?? 0,
    }),
  );
  return [
    ...buckets,
    { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: total },
    { suffix: "_sum", labels, value: sum },
    { suffix: "_count", labels, value: total },
  ];
}
