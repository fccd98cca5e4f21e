/** Parsed JSON. Objects may carry any key, `__proto__` and `constructor` included: read them with {@link getOwn}. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An own property, or undefined. Keys come from models and people, so an inherited `toString` must never be found. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property even where the key is `__proto__`, which plain assignment would send to the prototype. */
export function setOwn<Value>(object: Record<string, Value>, key: string, value: Value): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** `["a", "b/c"]` → `"/a/b~1c"` (RFC 6901). */
export const formatPointer = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** `"/a/b~1c"` → `["a", "b/c"]`; undefined when the text is not a JSON pointer (RFC 6901). */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at `pointer`, or undefined where nothing is there. */
export function getAtPointer(value: JsonValue, pointer: string): JsonValue | undefined {
  const path = parsePointer(pointer);
  if (path === undefined) return undefined;
  let current: JsonValue | undefined = value;
  for (const part of path) {
    if (Array.isArray(current)) {
      current = /^(0|[1-9][0-9]*)$/.test(part) ? (current as readonly JsonValue[])[Number(part)] : undefined;
    } else if (isJsonObject(current)) {
      current = getOwn(current, part);
    } else {
      return undefined;
    }
  }
  return current;
}

/**
 * Canonical JSON (RFC 8785, JCS): keys by UTF-16 code units, no space, ECMAScript numbers.
 * Two values that differ only in key order have one canonical text, hence one hash. A member that is undefined
 * counts as absent, as it does in JSON.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}
