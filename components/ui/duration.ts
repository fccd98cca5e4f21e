/**
 * Seconds as a person reads them: `0 s`, `45 ms`, `5.2 s`, `38 s`, `3m 12s`, `2h 05m`, `3d 4h`. Always with its unit.
 * Missing and non-finite values read as an en dash.
 */
export function formatSeconds(seconds: number | undefined | null): string {
  if (seconds === undefined || seconds === null || !Number.isFinite(seconds)) return "–";
  if (seconds < 0) return `−${formatSeconds(-seconds)}`;
  if (seconds === 0) return "0 s";
  if (seconds < 0.9995) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${pad(whole % 60)}s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)}h ${pad(Math.floor((whole % 3600) / 60))}m`;
  return `${Math.floor(whole / 86_400)}d ${Math.floor((whole % 86_400) / 3600)}h`;
}

/** A place on a time axis: `0:04`, `12:30`, `1:02:03`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

const pad = (value: number): string => String(value).padStart(2, "0");

/** `just now`, `12 s ago`, `4 min ago`, `3 h ago`, `5 d ago`; `in …` for the future. */
export function formatRelative(atMs: number, nowMs: number): string {
  const seconds = Math.round(Math.abs(nowMs - atMs) / 1000);
  if (seconds < 3) return "just now";
  const text =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min`
        : seconds < 86_400
          ? `${Math.floor(seconds / 3600)} h`
          : `${Math.floor(seconds / 86_400)} d`;
  return atMs <= nowMs ? `${text} ago` : `in ${text}`;
}
