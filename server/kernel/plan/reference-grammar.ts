import { isTaskId } from "../ids";
import { getOwn, type JsonObject, type JsonValue, parsePointer } from "../json";

/**
 * How references are written. Everything that reads, resolves or rewrites them goes through this file.
 *
 * - `{"$output": "task"}` is a task's whole output, `{"$output": "task#/a/b"}` a part of it (RFC 6901), type kept.
 *   `{"$output": …, "default": value}` uses the value where the output is not to be had; the value is plan data, so
 *   it may hold references itself.
 * - In a string, `${task}` and `${task#/a/b}` become text; `$${` is a literal `${`. Keys of objects are strings too.
 * - `{"$literal": value}` is the value, untouched.
 * - In a task with `forEach`, the name `item` is the item of this instance.
 *
 * Resolution walks the plan's own data once and copies outputs in as they are, so text that came out of a tool is
 * never read as a reference, whatever it looks like.
 */

/** The name that means "this item" in a task with `forEach`. */
export const ITEM = "item";

/** What a reference points at: a task (or `item`) and a JSON pointer into its output, "" for all of it. */
export interface ReferenceTarget {
  readonly taskId: string;
  readonly pointer: string;
}

/** `task#/pointer` → its parts; undefined where the text is no reference. */
export function parseReference(text: string): ReferenceTarget | undefined {
  const hash = text.indexOf("#");
  const taskId = hash === -1 ? text : text.slice(0, hash);
  const pointer = hash === -1 ? "" : text.slice(hash + 1);
  if (!isTaskId(taskId) || parsePointer(pointer) === undefined) return undefined;
  return { taskId, pointer };
}

export const formatReference = (target: ReferenceTarget): string =>
  target.pointer === "" ? target.taskId : `${target.taskId}#${target.pointer}`;

export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reference"; readonly target: ReferenceTarget; readonly source: string }
  | { readonly kind: "problem"; readonly message: string };

/** Splits a string into literal text and references; `$${` has become `${` in the text. */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = "";
  let at = 0;
  const flush = (): void => {
    if (literal !== "") parts.push({ kind: "text", text: literal });
    literal = "";
  };
  while (at < text.length) {
    const dollar = text.indexOf("$", at);
    if (dollar === -1) break;
    literal += text.slice(at, dollar);
    if (text.startsWith("$${", dollar)) {
      literal += "${";
      at = dollar + 3;
    } else if (text.startsWith("${", dollar)) {
      const end = text.indexOf("}", dollar);
      const source = end === -1 ? text.slice(dollar) : text.slice(dollar, end + 1);
      const target = end === -1 ? undefined : parseReference(source.slice(2, -1));
      flush();
      parts.push(
        target === undefined
          ? { kind: "problem", message: templateProblem(source, end !== -1) }
          : { kind: "reference", target, source },
      );
      at = dollar + source.length;
    } else {
      literal += "$";
      at = dollar + 1;
    }
  }
  literal += text.slice(at);
  flush();
  return parts;
}

const templateProblem = (source: string, closed: boolean): string =>
  closed
    ? `“${shorten(source)}” is not a reference: write \${task#/pointer}, or $\${ for a literal \${.`
    : `“${shorten(source)}” opens a reference that never ends: close it with }, or write $\${ for a literal \${.`;

export const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

export const hasTemplate = (text: string): boolean => text.includes("${");

/** The same value with `${` written so that it is text and no reference. */
export const escapeText = (text: string): string => text.replaceAll("${", () => "$${");

export interface OutputForm {
  readonly target: ReferenceTarget;
  readonly source: string;
  readonly fallback: JsonValue | undefined;
}

/** Reads `{"$output": …}` and `{"$literal": …}`; undefined for any other object. */
export function specialForm(
  object: JsonObject,
): { output: OutputForm } | { literal: JsonValue } | { problem: string } | undefined {
  if (Object.hasOwn(object, "$output")) {
    const source = object.$output;
    const extra = Object.keys(object).find((key) => key !== "$output" && key !== "default");
    if (extra !== undefined) return { problem: `Only “default” may stand beside “$output”, not “${shorten(extra)}”.` };
    const target = typeof source === "string" ? parseReference(source) : undefined;
    if (target === undefined || typeof source !== "string") {
      return { problem: "“$output” names a task and a part of its output, as in task#/pointer." };
    }
    return { output: { target, source, fallback: getOwn(object, "default") } };
  }
  if (Object.hasOwn(object, "$literal")) {
    if (Object.keys(object).length > 1) return { problem: "Nothing may stand beside “$literal”." };
    return { literal: object.$literal as JsonValue };
  }
  return undefined;
}
