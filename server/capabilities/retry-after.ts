/**
 * The wait that a `Retry-After` header asks for, in seconds: a number, or an HTTP date seen from `now` (epoch
 * milliseconds), where a past one means none. Undefined for anything else. The run caps it.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // RFC 9110 names three forms of a date, all with a weekday and a time; `Date.parse` alone would take "7 apples".
  if (!/^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  const at = Date.parse(/GMT|UTC/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
