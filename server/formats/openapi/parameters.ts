import type { HttpParameter } from "#kernel/capability/http-settings";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";
import { cut, listOf, objectOf, resolveObject, textOf } from "./references";

/** A parameter with the schema of its argument. */
export interface ReadParameter {
  readonly parameter: HttpParameter;
  readonly required: boolean;
  readonly schema: JsonValue;
  readonly description: string | undefined;
}

export interface ReadParameters {
  readonly parameters: readonly ReadParameter[];
  /** A header in which the interface takes a key that tells a repeat; it is ours to send, not an argument. */
  readonly idempotencyKeyHeader: string | undefined;
}

/** Headers that OpenAPI takes from elsewhere, and those that belong to the connection. */
const IGNORED = /^(accept|content-type|authorization|host|content-length|transfer-encoding|connection|cookie)$/i;
const IDEMPOTENCY_KEY = /^(x-)?idempot(ency|ent)[-_]key$/i;

/** The parameters of an operation: its own, and those of its path that it does not replace. */
export function readParameters(
  document: JsonObject,
  pathItem: JsonObject,
  operation: JsonObject,
): Result<ReadParameters, string> {
  const found = new Map<string, JsonObject>();
  for (const value of [...listOf(pathItem, "parameters"), ...listOf(operation, "parameters")]) {
    const parameter = resolveObject(document, value);
    if (!parameter.ok) return err(`A parameter cannot be read: ${parameter.error}`);
    found.set(`${textOf(parameter.value, "in")}:${textOf(parameter.value, "name")}`, parameter.value);
  }
  const parameters: ReadParameter[] = [];
  let idempotencyKeyHeader: string | undefined;
  const names = new Set<string>();
  for (const given of found.values()) {
    const name = textOf(given, "name");
    const place = textOf(given, "in");
    if (name === undefined || name === "" || name.length > 200) return err("A parameter has no name.");
    if (place === "header" && IDEMPOTENCY_KEY.test(name)) {
      idempotencyKeyHeader = name;
      continue;
    }
    if (place === "header" && IGNORED.test(name)) continue;
    if (place !== "path" && place !== "query" && place !== "header" && place !== "cookie")
      return err(`The parameter “${cut(name, 60)}” stands in ${cut(String(place), 30)}, which cannot be sent.`);
    const argument = names.has(name) ? `${place}_${name}` : name;
    names.add(argument);
    const parameter = parameterOf(given, { name, place, argument });
    if (!parameter.ok) return parameter;
    parameters.push(parameter.value);
  }
  return ok({ parameters, idempotencyKeyHeader });
}

type Style = HttpParameter["style"];

const STYLES: Readonly<Record<HttpParameter["in"], readonly Style[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

function parameterOf(
  given: JsonObject,
  { name, place, argument }: { name: string; place: HttpParameter["in"]; argument: string },
): Result<ReadParameter, string> {
  const wanted = textOf(given, "style");
  const style = wanted === undefined ? STYLES[place][0] : STYLES[place].find((each) => each === wanted);
  if (style === undefined) return err(`The parameter “${cut(name, 60)}” has the style ${cut(wanted ?? "", 30)}.`);
  const [mediaType] = Object.keys(objectOf(given, "content"));
  const schema =
    mediaType === undefined
      ? getOwn(given, "schema")
      : getOwn(objectOf(objectOf(given, "content"), mediaType), "schema");
  const explode = getOwn(given, "explode");
  return ok({
    parameter: {
      argument,
      in: place,
      name,
      style,
      explode: typeof explode === "boolean" ? explode : style === "form" || style === "deepObject",
      ...(getOwn(given, "allowReserved") === true && place === "query" ? { allowReserved: true } : {}),
      ...(mediaType !== undefined && /json/i.test(mediaType) ? { asJson: true } : {}),
    },
    required: place === "path" || getOwn(given, "required") === true,
    schema: isJsonObject(schema) || typeof schema === "boolean" ? schema : {},
    description: textOf(given, "description"),
  });
}
