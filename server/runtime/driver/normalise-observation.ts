import type { Observation } from "#kernel/capability/observation";
import type { JsonValue } from "#kernel/json";

/** A message is for a person; a callee that answers with a page of HTML is quoted, not stored. */
export const MESSAGE_LENGTH_MAX = 2_000;
const CODE_LENGTH_MAX = 120;
/** Deeper values would overflow the stack of whoever writes or reads them. */
const DEPTH_MAX = 500;

/**
 * The one shape that every provider's answer has once it enters a run, whatever the provider gave: texts short enough
 * to show, figures that are figures, and an output that is JSON. What cannot be made JSON is `output_invalid`.
 */
export function normaliseObservation(given: Observation): Observation {
  const { output, message, errorCode, retryAfterSeconds, usage, ...rest } = given;
  const normal: Observation = {
    ...rest,
    latencyMs: amount(given.latencyMs) ?? 0,
    ...(message !== undefined && { message: shortened(message, MESSAGE_LENGTH_MAX) }),
    ...(errorCode !== undefined && { errorCode: shortened(errorCode, CODE_LENGTH_MAX) }),
    ...(amount(retryAfterSeconds) !== undefined && { retryAfterSeconds: amount(retryAfterSeconds) }),
    ...(usage !== undefined && { usage: usageOf(usage) }),
  };
  if (given.status !== "ok") return normal;
  if (isJson(output, 0)) return output === undefined ? { ...normal, output: null } : { ...normal, output };
  const made = asJson(output);
  if (made !== undefined) return { ...normal, output: made };
  const problem = "The output is not JSON: it holds a value that JSON has no form for, or is nested too deep.";
  return { ...normal, status: "terminal", errorCategory: "output_invalid", message: problem };
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;

const amount = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;

function usageOf({ tokens, costUsd }: NonNullable<Observation["usage"]>): Observation["usage"] {
  const whole = amount(tokens);
  const cost = amount(costUsd);
  return {
    ...(whole !== undefined && { tokens: Math.round(whole) }),
    ...(cost !== undefined && { costUsd: cost }),
  };
}

/** True for what JSON keeps as it is. The top may be undefined: no output. */
function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "undefined":
      return depth === 0;
    case "object":
      if (value === null) return true;
      if (depth >= DEPTH_MAX) return false;
      return Array.isArray(value)
        ? value.every((item) => isJson(item, depth + 1))
        : isPlain(value) && Object.values(value).every((member) => isJson(member, depth + 1));
    default:
      return false;
  }
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) && !("toJSON" in value && typeof value.toJSON === "function")
  );
};

/** What JSON makes of a value (dates become texts, undefined members go); undefined where it makes nothing of it. */
function asJson(value: unknown): JsonValue | undefined {
  try {
    const made: unknown = JSON.parse(JSON.stringify(value));
    return isJson(made, 0) ? (made as JsonValue) : undefined;
  } catch {
    return undefined;
  }
}
