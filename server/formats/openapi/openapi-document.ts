import { isJsonObject, type JsonObject } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { diagnose } from "../diagnose";
import { parseJsonDocument } from "../json-document";
import { parseYamlDocument } from "../yaml-document";
import { OPENAPI_LIMITS } from "./openapi-limits";
import { cut, listOf, objectOf, textOf } from "./references";

/** What a document says of the whole interface. */
export interface OpenApiDocument {
  readonly root: JsonObject;
  /** `3.0.3`, `3.1.0`. */
  readonly openapi: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Addresses with their variables filled in; relative ones are made absolute where the document's own is known. */
  readonly servers: readonly string[];
}

/** Reads a text, JSON or YAML, as an OpenAPI document of version 3.0 or 3.1. Nothing is fetched. */
export function parseOpenApi(text: string, url?: string): Result<OpenApiDocument, readonly Diagnostic[]> {
  if (text.length > OPENAPI_LIMITS.characters) {
    const message = `The document has ${text.length} characters; ${OPENAPI_LIMITS.characters} are read.`;
    return err([diagnose({ code: "limit_exceeded", message })]);
  }
  const parsed = /^\s*[{[]/.test(text) ? parseJsonDocument(text) : parseYamlDocument(text);
  if (!parsed.ok) return parsed;
  const root = parsed.value.value;
  const refuse = (message: string): Result<never, readonly Diagnostic[]> =>
    err([diagnose({ code: "schema", message })]);
  if (!isJsonObject(root)) return refuse("This is not an OpenAPI document: an object is expected.");
  if (textOf(root, "swagger") !== undefined)
    return refuse("This is Swagger 2.0. Convert it to OpenAPI 3 first; most editors of such documents do.");
  const openapi = textOf(root, "openapi");
  if (openapi === undefined) return refuse("This is not an OpenAPI document: the member “openapi” is missing.");
  if (!/^3\.[01](\.|$)/.test(openapi)) return refuse(`OpenAPI ${cut(openapi, 20)} is not read; 3.0 and 3.1 are.`);
  const info = objectOf(root, "info");
  return ok({
    root,
    openapi,
    title: cut(textOf(info, "title")?.trim() || "Untitled interface", 200),
    version: cut(textOf(info, "version") ?? "", 60),
    description: cut(textOf(info, "description") ?? ""),
    servers: serversOf(root, url),
  });
}

/** The servers of a document, a path or an operation; none where it names none that can be called. */
export function serversOf(holder: JsonObject, url?: string): readonly string[] {
  const servers = listOf(holder, "servers").flatMap((server) => {
    if (!isJsonObject(server)) return [];
    const filled = (textOf(server, "url") ?? "").replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = objectOf(objectOf(server, "variables"), name);
      return textOf(variable, "default") ?? whole;
    });
    return absolute(filled, url) ?? [];
  });
  return [...new Set(servers)];
}

function absolute(server: string, url: string | undefined): string | undefined {
  try {
    const { protocol, origin, pathname } = url === undefined ? new URL(server) : new URL(server, url);
    return protocol === "http:" || protocol === "https:" ? `${origin}${pathname.replace(/\/+$/, "")}` : undefined;
  } catch {
    return undefined;
  }
}
