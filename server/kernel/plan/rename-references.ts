import { type JsonObject, type JsonValue, setOwn } from "../json";
import { hasTemplate, parseReference, specialForm } from "./reference-grammar";

/**
 * The same value with references to other tasks renamed and nothing else touched; the very same object where no
 * reference changed.
 */
export function renameReferences(value: JsonValue, rename: (taskId: string) => string): JsonValue {
  if (typeof value === "string") return hasTemplate(value) ? renameInText(value, rename) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const renamed = value.map((element) => renameReferences(element as JsonValue, rename));
    return renamed.some((element, index) => element !== value[index]) ? renamed : value;
  }
  const object = value as JsonObject;
  const special = specialForm(object);
  if (special !== undefined && !("output" in special)) return value;
  let changed = false;
  const renamed: Record<string, JsonValue> = {};
  for (const key of Object.keys(object)) {
    const before = object[key] as JsonValue;
    const isTarget = special !== undefined && key === "$output";
    const after = isTarget ? renameReference(before as string, rename) : renameReferences(before, rename);
    const name = hasTemplate(key) ? renameInText(key, rename) : key;
    if (after !== before || name !== key) changed = true;
    setOwn(renamed, name, after);
  }
  return changed ? renamed : value;
}

function renameReference(source: string, rename: (taskId: string) => string): string {
  const hash = source.indexOf("#");
  return hash === -1 ? rename(source) : rename(source.slice(0, hash)) + source.slice(hash);
}

/**
 * Rewrites only the names inside `${…}`; every other character, escapes included, stays as it was written. Reads the
 * text as `parseTemplate` does, and like it once from left to right, whatever the text.
 */
function renameInText(text: string, rename: (taskId: string) => string): string {
  let renamed = "";
  let copied = 0;
  for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", copied)) {
    const end = text.indexOf("}", at);
    if (text[at - 1] === "$" && at > copied) {
      renamed += text.slice(copied, at + 2);
      copied = at + 2;
    } else if (end === -1) {
      break;
    } else {
      const inner = text.slice(at + 2, end);
      renamed += text.slice(copied, at + 2);
      renamed += parseReference(inner) === undefined ? inner : renameReference(inner, rename);
      copied = end;
    }
  }
  return renamed + text.slice(copied);
}
