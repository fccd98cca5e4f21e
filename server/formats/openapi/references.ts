import { getAtPointer, getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";
import { OPENAPI_LIMITS } from "./openapi-limits";

/** Where a `$ref` of this document leads, or why it leads nowhere. Other documents are never fetched. */
export function targetOf(document: JsonObject, reference: string): Result<JsonValue, string> {
  if (!reference.startsWith("#"))
    return err(`“${reference.slice(0, 120)}” is in another document, which is not fetched.`);
  const target = getAtPointer(document, decodedFragment(reference));
  return target === undefined ? err(`“${reference.slice(0, 120)}” leads nowhere.`) : ok(target);
}

/** The JSON pointer of a reference within the document. */
export function decodedFragment(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return reference.slice(1);
  }
}

/** The object that stands here, `$ref` followed: parameters, bodies, answers and paths may all be given by reference. */
export function resolveObject(document: JsonObject, value: JsonValue | undefined): Result<JsonObject, string> {
  let current = value;
  for (let hop = 0; hop <= OPENAPI_LIMITS.hops; hop++) {
    if (!isJsonObject(current)) return err("An object is missing here.");
    const reference = getOwn(current, "$ref");
    if (typeof reference !== "string") return ok(current);
    const target = targetOf(document, reference);
    if (!target.ok) return target;
    current = target.value;
  }
  return err("Its references lead in a circle.");
}

export const textOf = (object: JsonObject, key: string): string | undefined => {
  const value = getOwn(object, key);
  return typeof value === "string" ? value : undefined;
};

export const listOf = (object: JsonObject, key: string): readonly JsonValue[] => {
  const value = getOwn(object, key);
  return Array.isArray(value) ? value : [];
};

export const objectOf = (object: JsonObject, key: string): JsonObject => {
  const value = getOwn(object, key);
  return isJsonObject(value) ? value : {};
};

/** Text from outside, not longer than is shown. */
export const cut = (text: string, lengthMax: number = OPENAPI_LIMITS.descriptionCharacters): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
