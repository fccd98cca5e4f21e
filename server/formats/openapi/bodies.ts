import type { HttpSettings } from "#kernel/capability/http-settings";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";
import { cut, objectOf, resolveObject, textOf } from "./references";

type BodyFormat = NonNullable<HttpSettings["body"]>["format"];

export interface ReadBody {
  readonly contentType: string;
  readonly format: BodyFormat;
  readonly required: boolean;
  readonly schema: JsonValue;
  readonly description: string | undefined;
}

const FORMATS: readonly (readonly [RegExp, BodyFormat])[] = [
  [/^application\/json(;|$)/i, "json"],
  [/[/+]json(;|$)/i, "json"],
  [/^(\*\/\*|application\/\*)$/, "json"],
  [/^application\/x-www-form-urlencoded(;|$)/i, "form"],
  [/^text\//i, "text"],
];

/** The body that an operation takes, in the first form that we can send; undefined where it takes none, or need not. */
export function readBody(document: JsonObject, operation: JsonObject): Result<ReadBody | undefined, string> {
  if (!Object.hasOwn(operation, "requestBody")) return ok(undefined);
  const body = resolveObject(document, getOwn(operation, "requestBody"));
  if (!body.ok) return err(`The body cannot be read: ${body.error}`);
  const content = objectOf(body.value, "content");
  const required = getOwn(body.value, "required") === true;
  const found = pick(content);
  if (found === undefined) {
    const types = Object.keys(content);
    if (!required || types.length === 0) return ok(undefined);
    return err(`Its body is ${cut(types.join(" or "), 120)}, which cannot be sent.`);
  }
  const [contentType, format] = found;
  const schema = getOwn(objectOf(content, contentType), "schema");
  return ok({
    contentType: contentType.includes("*") ? "application/json" : contentType,
    format,
    required,
    schema: isJsonObject(schema) || typeof schema === "boolean" ? schema : format === "text" ? { type: "string" } : {},
    description: textOf(body.value, "description"),
  });
}

function pick(content: JsonObject): readonly [string, BodyFormat] | undefined {
  for (const [pattern, format] of FORMATS) {
    const contentType = Object.keys(content).find((type) => pattern.test(type));
    if (contentType !== undefined) return [contentType, format];
  }
  return undefined;
}

/** The schemas of what an operation answers when it works; undefined stands for an answer of no known form. */
export function answerSchemas(document: JsonObject, operation: JsonObject): readonly (JsonValue | undefined)[] {
  const responses = objectOf(operation, "responses");
  const good = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status));
  const statuses = good.length > 0 ? good : Object.keys(responses).filter((status) => status === "default");
  return statuses.map((status) => {
    const response = resolveObject(document, getOwn(responses, status));
    if (!response.ok) return undefined;
    const content = objectOf(response.value, "content");
    const types = Object.keys(content);
    // No content is what 204 and its like say: null is then all that can come.
    if (types.length === 0) return status === "204" || status === "205" ? { type: "null" } : undefined;
    const json = types.find((type) => /[/+]json(;|$)/i.test(type));
    return json === undefined ? undefined : getOwn(objectOf(content, json), "schema");
  });
}
