import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";

/** Fields of a foreign document, read for what they are; anything of another type counts as absent. */
export const textOf = (object: JsonObject, key: string): string | undefined => {
  const value = getOwn(object, key);
  return typeof value === "string" ? value : undefined;
};

export const objectOf = (object: JsonObject, key: string): JsonObject | undefined => {
  const value = getOwn(object, key);
  return isJsonObject(value) ? value : undefined;
};

export const listOf = (object: JsonObject, key: string): readonly JsonValue[] => {
  const value = getOwn(object, key);
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
};

export const numberOf = (object: JsonObject, key: string): number | undefined => {
  const value = getOwn(object, key);
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d{1,12}(\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
};

/** A text, or a list of texts. */
export const textsOf = (object: JsonObject, key: string): readonly string[] => {
  const value = getOwn(object, key);
  return (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).filter((item) => typeof item === "string");
};
