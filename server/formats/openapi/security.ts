import type { HttpFixedValue } from "#kernel/capability/http-settings";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { ok, type Result } from "#kernel/result";
import { cut, listOf, objectOf, resolveObject, textOf } from "./references";

/** One way in which an interface wants to be told who calls. */
export interface SecurityScheme {
  readonly name: string;
  /** `API key in the header X-Key`, `Bearer token`. */
  readonly title: string;
  readonly description: string;
  /** How a secret is sent; undefined where we cannot. */
  readonly carrier: Omit<HttpFixedValue, "value"> | undefined;
}

/** The schemes of a document by name; those that cannot be carried say so by having no carrier. */
export function securitySchemes(document: JsonObject): ReadonlyMap<string, SecurityScheme> {
  const schemes = new Map<string, SecurityScheme>();
  const listed = objectOf(objectOf(document, "components"), "securitySchemes");
  for (const name of Object.keys(listed)) {
    const scheme = resolveObject(document, getOwn(listed, name));
    if (scheme.ok) schemes.set(name, schemeOf(name, scheme.value));
  }
  return schemes;
}

function schemeOf(name: string, scheme: JsonObject): SecurityScheme {
  const description = cut(textOf(scheme, "description") ?? "", 500);
  const made = (title: string, carrier?: Omit<HttpFixedValue, "value">): SecurityScheme => ({
    name,
    title,
    description,
    carrier,
  });
  const authorization = { in: "header", name: "Authorization" } as const;
  const type = textOf(scheme, "type");
  if (type === "apiKey") {
    const place = textOf(scheme, "in");
    const key = textOf(scheme, "name");
    if (key !== undefined && (place === "header" || place === "query" || place === "cookie"))
      return made(`API key in the ${place === "query" ? "query parameter" : place} ${cut(key, 60)}`, {
        in: place,
        name: key,
      });
  }
  if (type === "http") {
    const how = textOf(scheme, "scheme")?.toLowerCase();
    if (how === "bearer") return made("Bearer token", { ...authorization, prefix: "Bearer " });
    if (how === "basic")
      return made("User name and password, as user:password", { ...authorization, encoding: "basic" });
  }
  if (type === "oauth2" || type === "openIdConnect")
    return made("Access token, which you renew yourself", { ...authorization, prefix: "Bearer " });
  return made(`${cut(type ?? "Unknown", 40)}: cannot be sent`);
}

/**
 * The schemes that an operation needs, all of them: of several ways the first that can be carried. Undefined where the
 * interface demands one and none can; empty where nothing is asked.
 */
export function neededSchemes(
  operation: JsonObject,
  document: JsonObject,
  schemes: ReadonlyMap<string, SecurityScheme>,
): Result<readonly string[], string> {
  const ways: readonly JsonValue[] = Object.hasOwn(operation, "security")
    ? listOf(operation, "security")
    : listOf(document, "security");
  if (ways.length === 0) return ok([]);
  const names = ways.filter(isJsonObject).map((way) => Object.keys(way));
  const carried = names.find((way) => way.every((name) => schemes.get(name)?.carrier !== undefined));
  if (carried !== undefined) return ok(carried);
  const asked = [...new Set(names.flat())].map((name) => schemes.get(name)?.title ?? name).join(", ");
  return { ok: false, error: `It can only be called with what cannot be sent: ${cut(asked, 200)}.` };
}
