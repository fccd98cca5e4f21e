const HOUR_MS = 3_600_000;

/** Less than a quarter of an hour left: said in red. */
export const isUrgent = (decideBy: number, now: number): boolean => decideBy - now < HOUR_MS / 4;

/** `11 min`, `3 h`, `tomorrow 09:00`, `3 Dec 09:00`; `over` once it has passed. */
export function deadlineText(decideBy: number, now: number): string {
  const left = decideBy - now;
  if (left <= 0) return "over";
  if (left < HOUR_MS / 60) return `${Math.ceil(left / 1_000)} s`;
  if (left < HOUR_MS) return `${Math.floor(left / 60_000)} min`;
  if (left < 12 * HOUR_MS) return `${Math.floor(left / HOUR_MS)} h`;
  return dayAndTime(decideBy, now);
}

/** A time of day, with the day where it is not today's. */
export function dayAndTime(at: number, now: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  const day = (value: number) => new Date(value).toDateString();
  if (day(at) === day(now)) return time;
  if (day(at) === day(now + 24 * HOUR_MS)) return `tomorrow ${time}`;
  return `${date.toLocaleDateString(undefined, { day: "numeric", month: "short" })} ${time}`;
}
