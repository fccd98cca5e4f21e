import { getOwn, isJsonObject, type JsonValue } from "#kernel/json";

/** A reference that stands for the whole value: `{"$output": "task#/pointer", "default"?: …}`. */
export function wholeReference(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const output = getOwn(value, "$output");
  return typeof output === "string" ? output : undefined;
}

/** A string cut into text and the references in it, for showing: `Rate ${metrics#/rate}` → two parts. */
export function textParts(text: string): readonly { readonly text: string; readonly isReference: boolean }[] {
  const parts: { text: string; isReference: boolean }[] = [];
  let last = 0;
  for (const match of text.matchAll(/\$\$\{|\$\{([^}]+)\}/g)) {
    const inner = match[1];
    if (inner === undefined) continue;
    if (match.index > last) parts.push({ text: text.slice(last, match.index), isReference: false });
    parts.push({ text: inner, isReference: true });
    last = match.index + match[0].length;
  }
  if (last < text.length) parts.push({ text: text.slice(last), isReference: false });
  return parts;
}

export const hasReferences = (text: string): boolean => textParts(text).some((part) => part.isReference);
