import type { HttpFixedValue, HttpParameter, HttpSettings } from "#kernel/capability/http-settings";
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";
import type { Outgoing } from "../network/http-exchange";

export interface OperationCall {
  readonly settings: HttpSettings;
  readonly callArguments: JsonObject;
  /** Values of the secrets that the settings name. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly idempotencyKey: string;
}

type Pair = readonly [string, string];

/**
 * The request of one call: arguments where the operation has its places for them, fixed values and secrets last.
 * Nothing in an argument can leave its place: not the path, not a header's line, not the host.
 */
export function operationRequest(call: OperationCall): Result<Outgoing, string> {
  const { settings, callArguments } = call;
  const query: Pair[] = [];
  const cookies: Pair[] = [];
  const headers = new Map<string, Pair>();
  const setHeader = (name: string, value: string): void => void headers.set(name.toLowerCase(), [name, value]);
  setHeader("accept", "application/json, text/*;q=0.9, */*;q=0.5");
  setHeader("accept-encoding", "identity");
  setHeader("user-agent", "planwright");

  let path = settings.path;
  for (const parameter of settings.parameters) {
    const value = getOwn(callArguments, parameter.argument);
    if (value === undefined || (value === null && parameter.in !== "path")) continue;
    switch (parameter.in) {
      case "path": {
        const segment = inPath(parameter, value);
        if (segment === "" || /^(\.|%2e){1,2}$/i.test(segment))
          return err(`The argument “${parameter.argument}” would lead to another place of the service.`);
        path = path.replaceAll(`{${parameter.name}}`, () => segment);
        break;
      }
      case "query":
        query.push(...inQuery(parameter, value));
        break;
      case "cookie":
        cookies.push([parameter.name, encodeURIComponent(joined(value, ",", true))]);
        break;
      case "header":
        setHeader(parameter.name, parameter.asJson ? JSON.stringify(value) : joined(value, ",", parameter.explode));
    }
  }

  const body = bodyOf(call);
  if (!body.ok) return body;
  if (settings.idempotencyKeyHeader !== undefined && settings.method !== "GET" && settings.method !== "HEAD")
    setHeader(settings.idempotencyKeyHeader, call.idempotencyKey);
  for (const fixed of settings.fixed) {
    const value = fixedText(fixed, call.secrets);
    if (value === undefined) continue;
    if (fixed.in === "query") query.push([encodeURIComponent(fixed.name), encodeURIComponent(value)]);
    else if (fixed.in === "cookie") cookies.push([fixed.name, value]);
    else if (fixed.in === "header") setHeader(fixed.name, value);
  }
  if (cookies.length > 0) setHeader("cookie", cookies.map(([name, value]) => `${name}=${value}`).join("; "));
  if (body.value !== undefined) {
    setHeader("content-type", settings.body?.contentType ?? "application/json");
    setHeader("content-length", String(Buffer.byteLength(body.value)));
  }
  const broken = [...headers.values()].find(([name, value]) => !isHeader(name, value));
  if (broken !== undefined) return err(`The header ${broken[0]} would hold a character that no header can.`);
  const search = query.map(([name, value]) => `${name}=${value}`).join("&");
  const url = `${settings.server.replace(/\/+$/, "")}${path}${search === "" ? "" : `?${search}`}`;
  if (!staysBelow(url, settings.server)) return err("The call would leave the server that it was registered for.");
  return ok({
    method: settings.method,
    url,
    headers: Object.fromEntries(headers.values()),
    ...(body.value === undefined ? {} : { body: body.value }),
  });
}

/** A header's name is a token; its value has visible characters, spaces and Latin letters, on one line. */
const isHeader = (name: string, value: string): boolean =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** The address as the URL parser reads it is below the server's: nothing climbed out of its base path. */
function staysBelow(url: string, server: string): boolean {
  try {
    const [target, base] = [new URL(url), new URL(server)];
    return target.origin === base.origin && `${target.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, "")}/`);
  } catch {
    return false;
  }
}

function fixedText(fixed: HttpFixedValue, secrets: ReadonlyMap<string, string>): string | undefined {
  const value = typeof fixed.value === "string" ? fixed.value : secrets.get(fixed.value.$secret);
  if (value === undefined) return undefined;
  const encoded = fixed.encoding === "basic" ? `Basic ${Buffer.from(value, "utf8").toString("base64")}` : value;
  return `${fixed.prefix ?? ""}${encoded}`;
}

function bodyOf({ settings, callArguments, secrets }: OperationCall): Result<string | undefined, string> {
  if (settings.body === undefined) return ok(undefined);
  const given = getOwn(callArguments, settings.body.argument);
  const fixed = settings.fixed.filter((each) => each.in === "body");
  if (given === undefined && fixed.length === 0) return ok(undefined);
  const value = fixed.length === 0 ? given : withFixed(given, fixed, secrets);
  if (value === undefined) return err("The body is not an object, so nothing can be put into it.");
  switch (settings.body.format) {
    case "json":
      return ok(JSON.stringify(value));
    case "text":
      return ok(typeof value === "string" ? value : JSON.stringify(value));
    case "form": {
      if (!isJsonObject(value)) return err("A form's body is an object.");
      const pairs = Object.keys(value).flatMap((key): Pair[] => {
        const member = getOwn(value, key);
        const list = Array.isArray(member) ? member : [member];
        return list.map((each) => [encodeURIComponent(key), encodeURIComponent(asText(each ?? null))]);
      });
      return ok(pairs.map(([key, text]) => `${key}=${text}`).join("&"));
    }
  }
}

function withFixed(
  given: JsonValue | undefined,
  fixed: readonly HttpFixedValue[],
  secrets: ReadonlyMap<string, string>,
): JsonObject | undefined {
  const body = given ?? {};
  if (!isJsonObject(body)) return undefined;
  const merged: Record<string, JsonValue> = {};
  for (const key of Object.keys(body)) setOwn(merged, key, getOwn(body, key) ?? null);
  for (const each of fixed) {
    const value = fixedText(each, secrets);
    if (value !== undefined) setOwn(merged, each.name, value);
  }
  return merged;
}

const asText = (value: JsonValue): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);

/** A value in OpenAPI's style `simple`: lists by comma, objects as `a,1` or, exploded, `a=1`. */
function joined(value: JsonValue, separator: string, explode: boolean, encode = (text: string) => text): string {
  if (Array.isArray(value)) return value.map((item) => encode(asText(item))).join(separator);
  if (!isJsonObject(value)) return encode(asText(value));
  return Object.keys(value)
    .map((key) => `${encode(key)}${explode ? "=" : ","}${encode(asText(getOwn(value, key) ?? null))}`)
    .join(separator);
}

function inPath({ style, explode, name, asJson }: HttpParameter, value: JsonValue): string {
  if (asJson) return encodeURIComponent(JSON.stringify(value));
  if (style === "label") return `.${joined(value, explode ? "." : ",", explode, encodeURIComponent)}`;
  if (style !== "matrix") return joined(value, ",", explode, encodeURIComponent);
  const key = encodeURIComponent(name);
  if (explode && Array.isArray(value))
    return value.map((item) => `;${key}=${encodeURIComponent(asText(item))}`).join("");
  if (explode && isJsonObject(value)) return `;${joined(value, ";", true, encodeURIComponent)}`;
  return `;${key}=${joined(value, ",", false, encodeURIComponent)}`;
}

function inQuery({ name, style, explode, allowReserved, asJson }: HttpParameter, value: JsonValue): Pair[] {
  const encode = (text: string): string =>
    allowReserved ? encodeURI(text).replace(/[#&+]/g, encodeURIComponent) : encodeURIComponent(text);
  const key = encodeURIComponent(name);
  if (asJson) return [[key, encode(JSON.stringify(value))]];
  if (Array.isArray(value)) {
    if (style === "form" && explode) return value.map((item): Pair => [key, encode(asText(item))]);
    const separator = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
    return [[key, value.map((item) => encode(asText(item))).join(separator)]];
  }
  if (!isJsonObject(value)) return [[key, encode(asText(value))]];
  const members = Object.keys(value).map((member): Pair => [member, encode(asText(getOwn(value, member) ?? null))]);
  if (style === "deepObject") return members.map(([member, text]) => [`${key}[${encodeURIComponent(member)}]`, text]);
  if (explode) return members.map(([member, text]) => [encodeURIComponent(member), text]);
  return [[key, members.map(([member, text]) => `${encodeURIComponent(member)},${text}`).join(",")]];
}
