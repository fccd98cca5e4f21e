/** A duration for people, with units: `340 ms`, `9 s`, `4m 12s`, `2h 05m`, `3d 4h`. Negative ones keep their sign. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms < 1) return "0 s";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${trimZero((ms / 1_000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** A place on a run's clock: `1:58.2` under an hour with tenths, `1:02:03` above; `tenths: false` leaves them out. */
export function formatClock(ms: number, options: { readonly tenths?: boolean } = {}): string {
  const tenths = options.tenths ?? true;
  const total = Math.max(0, tenths ? Math.floor(ms / 100) / 10 : Math.round(ms / 1_000));
  const hours = Math.floor(total / 3_600);
  const minutes = Math.floor((total % 3_600) / 60);
  const rest = total % 60;
  const secondsText =
    tenths && hours === 0 ? (Math.floor(rest * 10 + 1e-6) / 10).toFixed(1).padStart(4, "0") : pad(Math.floor(rest));
  return hours > 0 ? `${hours}:${pad(minutes)}:${secondsText}` : `${minutes}:${secondsText}`;
}

/** `$0.84`, `$0.0021` for less than a cent. */
export const formatCost = (usd: number): string =>
  usd !== 0 && Math.abs(usd) < 0.01 ? `$${trimZero(usd.toFixed(4))}` : `$${usd.toFixed(2)}`;

/** `31`, `12.4 k`, `1.2 M`: at most four characters and a unit. */
export function formatCount(value: number): string {
  if (Math.abs(value) < 10_000) return trimZero(value.toFixed(value % 1 === 0 ? 0 : 1));
  if (Math.abs(value) < 1_000_000) return `${trimZero((value / 1_000).toFixed(value < 100_000 ? 1 : 0))} k`;
  return `${trimZero((value / 1_000_000).toFixed(1))} M`;
}

const pad = (value: number): string => String(value).padStart(2, "0");
const trimZero = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
