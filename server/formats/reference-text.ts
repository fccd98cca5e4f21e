import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import { escapeText } from "#kernel/plan/reference-grammar";

/**
 * What a foreign reference becomes: `task` or `task#/pointer`. Undefined where the text only looks like one and is to
 * stay as it is.
 */
export type ToReference = (match: RegExpExecArray) => string | undefined;

/** Keys that mean something to us in an object; a foreign object that has one is quoted as it stands. */
const MEANINGFUL_KEYS = ["$output", "$literal"];
export const hasMeaning = (value: JsonObject): boolean => MEANINGFUL_KEYS.some((key) => Object.hasOwn(value, key));

/**
 * A foreign text in our writing: a text that is a reference and nothing else keeps the type of what it refers to, one
 * within a text is interpolated, and what would be a reference of ours by accident is escaped.
 *
 * @param pattern global, and never matching the empty text.
 */
export function convertText(text: string, pattern: RegExp, toReference: ToReference): JsonValue {
  const whole = text.trim();
  let converted = "";
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const reference = toReference(match);
    if (reference === undefined) continue;
    if (match[0] === whole) return { $output: reference };
    converted += `${escapeText(text.slice(from, match.index))}\${${reference}}`;
    from = match.index + match[0].length;
  }
  return converted + escapeText(text.slice(from));
}

/** {@link convertText} for every text within a value; keys are escaped only. */
export function convertValue(value: JsonValue, pattern: RegExp, toReference: ToReference): JsonValue {
  if (typeof value === "string") return convertText(value, pattern, toReference);
  if (Array.isArray(value)) return value.map((item: JsonValue) => convertValue(item, pattern, toReference));
  if (!isJsonObject(value)) return value;
  if (hasMeaning(value)) return { $literal: value };
  const members: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    setOwn(members, escapeText(key), convertValue(member, pattern, toReference));
  }
  return members;
}

/** A pattern for formats without references: nothing matches. */
const NOTHING = /(?!)/g;

/** A foreign value that holds no references of its own, with ours escaped. */
export const asLiteral = (value: JsonValue): JsonValue => convertValue(value, NOTHING, () => undefined);
