/** Durations are counted on a scale of steps of 8 %, from 0.01 ms: bucket 0 holds everything shorter. */
const STEP = 1.08;
const SHORTEST_MS = 0.01;
/** A day and more. */
export const BUCKET_MAX = 299;

/** The bucket of a duration in milliseconds, as SQL over the expression `ms`. */
export const bucketSql = (ms: string): string =>
  `least(${BUCKET_MAX}, greatest(0, ceil(ln(greatest(${ms}, ${SHORTEST_MS}) / ${SHORTEST_MS}) / ln(${STEP}))))::smallint`;

/** The middle of a bucket, in seconds. */
export const secondsOfBucket = (bucket: number): number => (SHORTEST_MS * STEP ** (bucket - 0.5)) / 1000;

/** The duration below which this share of the counted calls stays; undefined without calls. */
export function quantile(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const total = [...counts.values()].reduce((sum, calls) => sum + calls, 0);
  if (total === 0) return undefined;
  let left = Math.max(1, Math.ceil(total * share));
  for (const bucket of [...counts.keys()].sort((a, b) => a - b)) {
    left -= counts.get(bucket) ?? 0;
    if (left <= 0) return rounded(secondsOfBucket(bucket));
  }
  return undefined;
}

/** Three digits: the scale gives no more. */
const rounded = (seconds: number): number => Number(seconds.toPrecision(3));
