import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import { escapeText } from "#kernel/plan/reference-grammar";

/**
 * A value of a foreign document as plan data. Nothing in it is read as a reference of ours, whatever it looks like,
 * unless `text` makes one.
 *
 * @param text what becomes of a string; plain text by default.
 */
export function carryValue(value: JsonValue, text: (text: string) => JsonValue = escapeText): JsonValue {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => carryValue(item, text));
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, "$output") || Object.hasOwn(value, "$literal")) return { $literal: value };
  const members: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) setOwn(members, escapeText(key), carryValue(member, text));
  return members;
}

/** `{"$output": "task#/pointer"}`. */
export const outputOf = (taskId: string, pointer = "", fallback?: JsonValue): JsonObject => ({
  $output: pointer === "" ? taskId : `${taskId}#${pointer}`,
  ...(fallback === undefined ? {} : { default: fallback }),
});

/** The target of a whole reference of ours, as `task#/pointer`; undefined for any other value. */
export function targetOf(value: JsonValue | undefined): string | undefined {
  return isJsonObject(value) && Object.hasOwn(value, "$output") && typeof value.$output === "string"
    ? value.$output
    : undefined;
}

/**
 * Text with foreign expressions in it as a text of ours. A text that is one expression alone becomes the value itself,
 * type kept; an expression that nothing is known for stays as it is written.
 *
 * @param expression finds the expressions, the inner text as the first group; global.
 * @param resolve the value in our notation, or undefined.
 */
export function carryText(
  text: string,
  expression: RegExp,
  resolve: (inner: string) => JsonValue | undefined,
): JsonValue {
  let carried = "";
  let from = 0;
  for (const match of text.matchAll(expression)) {
    const value = resolve((match[1] ?? "").trim());
    if (value !== undefined && match[0].length === text.trim().length) return value;
    carried += escapeText(text.slice(from, match.index)) + (value === undefined ? escapeText(match[0]) : asText(value));
    from = match.index + match[0].length;
  }
  return carried + escapeText(text.slice(from));
}

/** A value in our notation within a text. */
export function asText(value: JsonValue): string {
  if (typeof value === "string") return value;
  const target = targetOf(value);
  return target === undefined ? escapeText(JSON.stringify(value)) : `\${${target}}`;
}
