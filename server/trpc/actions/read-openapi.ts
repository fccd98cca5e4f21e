import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import { getOwn, isJsonObject } from "#kernel/json";
import { AppError } from "../../errors";
import { decodeText } from "../../formats/decode-text";
import { type OpenApiDocument, parseOpenApi } from "../../formats/openapi/openapi-document";
import { OPENAPI_LIMITS } from "../../formats/openapi/openapi-limits";
import { type ReadOperation, type RefusedOperation, readOperations } from "../../formats/openapi/operations";
import { type SecurityScheme, securitySchemes } from "../../formats/openapi/security";
import { refusalOfUrl } from "../../network/address-policy";
import { ExchangeFailed, exchange } from "../../network/http-exchange";
import type { Services } from "../../services";
import type { OpenApiReading, openApiSourceSchema } from "../schemas/openapi";

const FETCH_MS_MAX = 20_000;

/** What fetching a document takes. */
type Fetching = Pick<Services, "addressPolicy" | "closing">;

/** A document taken apart, for looking at it and for importing from it. */
export interface OpenApiParts {
  readonly document: OpenApiDocument;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  readonly operations: readonly ReadOperation[];
  readonly refused: readonly RefusedOperation[];
}

/** Reads a document; large ones in slices, so that the process goes on answering others meanwhile. */
export async function takeApart(text: string, url: string | undefined): Promise<OpenApiParts> {
  const parsed = parseOpenApi(text, url);
  if (!parsed.ok)
    throw new AppError("import_failed", parsed.error[0]?.message ?? "This is not an OpenAPI document.", {
      diagnostics: parsed.error,
    });
  const document = parsed.value;
  const schemes = securitySchemes(document.root);
  const operations: ReadOperation[] = [];
  const refused: RefusedOperation[] = [];
  for (const reading of readOperations(document, schemes)) {
    if (reading.status === "read") operations.push(reading.operation);
    else refused.push(reading.refused);
    if ((operations.length + refused.length) % 20 === 0) await setImmediate();
  }
  return { document, schemes, operations, refused };
}

/** What a document offers, and what of it cannot be carried, with the reasons. */
export async function readOpenApi(
  services: Fetching,
  source: z.output<typeof openApiSourceSchema>,
): Promise<OpenApiReading> {
  const text = source.from === "text" ? source.text : await fetchText(services, source.url);
  const url = source.from === "url" ? source.url : undefined;
  const { document, schemes, operations, refused } = await takeApart(text, url);
  return {
    text,
    ...(url === undefined ? {} : { url }),
    openapi: document.openapi,
    title: document.title,
    version: document.version,
    description: document.description,
    prefix: prefixOf(document.title),
    servers: document.servers.map((server) => {
      const refusal = refusalOfServer(services, server);
      return { url: server, ...(refusal === undefined ? {} : { refusal }) };
    }),
    schemes: [...schemes.values()].map(({ name, title, description, carrier }) => ({
      name,
      title,
      description,
      supported: carrier !== undefined,
    })),
    operations: operations.map(shownOperation),
    refused: [...refused],
  };
}

/** Why calls to this server would be refused as it is written; a name is judged again where it leads, at each call. */
export function refusalOfServer({ addressPolicy }: Fetching, server: string): string | undefined {
  try {
    return refusalOfUrl(new URL(server), addressPolicy);
  } catch {
    return "This is not a URL.";
  }
}

async function fetchText({ addressPolicy, closing }: Fetching, url: string): Promise<string> {
  const signal = AbortSignal.any([AbortSignal.timeout(FETCH_MS_MAX), closing]);
  const headers = { accept: "application/json, application/yaml, text/*;q=0.9", "user-agent": "planwright" };
  try {
    const outgoing = { method: "GET", url, headers: { ...headers, "accept-encoding": "identity" } };
    const answer = await exchange(outgoing, { policy: addressPolicy, signal, bytesMax: OPENAPI_LIMITS.characters });
    if (answer.status !== 200) throw new AppError("import_failed", `The address answered ${answer.status}.`);
    const text = decodeText(answer.body);
    if (text.ok) return text.value;
    throw new AppError("import_failed", text.error[0]?.message ?? "What it answered is no text.");
  } catch (problem) {
    if (problem instanceof ExchangeFailed)
      throw new AppError("import_failed", `It could not be fetched. ${problem.message}`);
    if (signal.aborted) throw new AppError("import_failed", "The address did not answer in time.");
    throw problem;
  }
}

/** `Swagger Petstore` → `swagger-petstore`. */
const prefixOf = (title: string): string =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "") || "api";

function shownOperation(operation: ReadOperation): OpenApiReading["operations"][number] {
  const properties = getOwn(operation.inputSchema, "properties");
  const required = getOwn(operation.inputSchema, "required");
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    name: operation.name,
    summary: operation.summary,
    description: operation.description,
    tags: [...operation.tags],
    deprecated: operation.deprecated,
    sideEffect: operation.sideEffect,
    idempotency: operation.idempotency,
    ...(operation.idempotencyKeyHeader === undefined ? {} : { idempotencyKeyHeader: operation.idempotencyKeyHeader }),
    arguments: names.map((name) => ({ name, required: Array.isArray(required) && required.includes(name) })),
    schemes: [...operation.schemes],
    notes: [...operation.notes],
  };
}
