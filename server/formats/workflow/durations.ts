const UNITS: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-9],
  ["us", 1e-6],
  ["µs", 1e-6],
  ["ms", 1e-3],
  ["s", 1],
  ["m", 60],
  ["h", 3_600],
  ["d", 86_400],
]);

/** What a plan may hold as a time. */
export const SECONDS_MAX = 31_536_000;

/** `90`, `"90"`, `"1h30m"`, `"500ms"` in seconds; undefined where it is none, or longer than a year. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === "number") return bounded(value);
  if (typeof value !== "string" || value.length > 40) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text));
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/g)];
  return bounded(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS.get(unit ?? "") ?? 0), 0));
}

const bounded = (seconds: number): number | undefined =>
  Number.isFinite(seconds) && seconds >= 0 && seconds <= SECONDS_MAX ? seconds : undefined;
