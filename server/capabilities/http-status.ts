import type { ErrorCategory } from "#kernel/capability/capability";
import type { JsonValue } from "#kernel/json";
import { type CallResult, retryable, terminal } from "./definition";
import { retryAfterSeconds } from "./retry-after";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an error status means. `effect`: what is certain about a request that may change something. */
interface Meaning {
  readonly category: ErrorCategory;
  readonly again?: true;
  readonly effect: "not_committed" | "unknown";
}

const refused = (category: ErrorCategory): Meaning => ({ category, effect: "not_committed" });

/**
 * By status alone, never by what a body says. A refusal by the owning service is final; "later", "too many" and "too
 * early" are worth another attempt; a server that broke while it worked may have done the work.
 */
const MEANINGS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [401, refused("forbidden")],
  [402, refused("forbidden")],
  [403, refused("forbidden")],
  [404, refused("not_found")],
  [407, refused("forbidden")],
  [408, { category: "timeout", again: true, effect: "unknown" }],
  [409, refused("conflict")],
  [410, refused("not_found")],
  [412, refused("conflict")],
  [423, refused("conflict")],
  [425, { category: "unavailable", again: true, effect: "not_committed" }],
  [428, refused("conflict")],
  [429, { category: "rate_limited", again: true, effect: "not_committed" }],
  [451, refused("forbidden")],
  [501, refused("invalid_arguments")],
  [503, { category: "unavailable", again: true, effect: "not_committed" }],
  [504, { category: "timeout", again: true, effect: "unknown" }],
  [505, refused("invalid_arguments")],
  [511, refused("forbidden")],
]);

const meaningOf = (status: number): Meaning =>
  MEANINGS.get(status) ??
  (status < 500 ? refused("invalid_arguments") : { category: "unavailable", again: true, effect: "unknown" });

interface StatusContext {
  readonly safe: boolean;
  readonly output: JsonValue;
  readonly now: number;
  /** What the service said of its refusal, as it may be shown; it decides nothing. */
  readonly detail?: string;
}

/**
 * One answer as an observation. Below 400 it worked, a redirect that names no place included.
 *
 * @param safe a request that changes nothing, whatever came back.
 */
export function classifyStatus(
  { status, headers }: Answer,
  { safe, output, now, detail = "" }: StatusContext,
): CallResult {
  if (status < 400) return { status: "ok", output, sideEffect: safe ? "none" : "committed", stateChanged: !safe };
  const { category, again, effect } = meaningOf(status);
  const failure = {
    message: `The service answered ${status}${detail === "" ? "." : `: ${detail}`}`,
    errorCode: String(status),
    errorCategory: category,
    sideEffect: safe ? ("none" as const) : effect,
  };
  if (again === undefined) return terminal(failure);
  const wait = retryAfterSeconds(headers["retry-after"], now);
  return retryable(wait === undefined ? failure : { ...failure, retryAfterSeconds: wait });
}
