import { canonicalJson, getAtPointer, getOwn, isJsonObject, type JsonValue, setOwn } from "../json";
import type { OutputTest } from "./capability";

/**
 * Fills in a template that one capability gives for calling another: `{"$argument": "/pointer"}` stands for a part of
 * the call's own arguments (null where there is none), `{"$idempotencyKey": true}` for its key. Anything else stands
 * as it is.
 */
export function fillTemplate(template: JsonValue, callArguments: JsonValue, key: string): JsonValue {
  if (Array.isArray(template)) return template.map((item: JsonValue) => fillTemplate(item, callArguments, key));
  if (!isJsonObject(template)) return template;
  const pointer = getOwn(template, "$argument");
  if (typeof pointer === "string") return getAtPointer(callArguments, pointer) ?? null;
  if (getOwn(template, "$idempotencyKey") === true) return key;
  const filled: Record<string, JsonValue> = {};
  for (const name of Object.keys(template))
    setOwn(filled, name, fillTemplate(template[name] ?? null, callArguments, key));
  return filled;
}

/** Whether an output passes a test. */
export function passes({ pointer, values }: OutputTest, output: JsonValue): boolean {
  const value = getAtPointer(output, pointer);
  if (values === undefined) return value !== undefined && value !== null && value !== false;
  return value !== undefined && values.some((each) => canonicalJson(each as JsonValue) === canonicalJson(value));
}
