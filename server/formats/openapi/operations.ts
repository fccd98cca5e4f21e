import type { Idempotency, SideEffect } from "#kernel/capability/capability";
import { type HttpMethod, type HttpParameter, httpMethodSchema } from "#kernel/capability/http-settings";
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";
import { answerSchemas, type ReadBody, readBody } from "./bodies";
import { type OpenApiDocument, serversOf } from "./openapi-document";
import { OPENAPI_LIMITS } from "./openapi-limits";
import { type ReadParameter, readParameters } from "./parameters";
import { cut, listOf, resolveObject, textOf } from "./references";
import { readSchemas } from "./schema-reader";
import { neededSchemes, type SecurityScheme } from "./security";

/** One operation that can become a capability. */
export interface ReadOperation {
  /** `GET /pets/{petId}`: unique in its document. */
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** What it is called in the document, else made of method and path; fit for a capability's name. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly sideEffect: SideEffect;
  readonly idempotency: Idempotency;
  readonly idempotencyKeyHeader: string | undefined;
  readonly parameters: readonly HttpParameter[];
  readonly body: Pick<ReadBody, "contentType" | "format"> | undefined;
  /** Member of the arguments that holds the body. */
  readonly bodyArgument: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  /** Security schemes that every call needs. */
  readonly schemes: readonly string[];
  /** Its own servers; empty: those of the document. */
  readonly servers: readonly string[];
  /** What was not carried over, in words. */
  readonly notes: readonly string[];
}

/** One operation that cannot, and why. */
export interface RefusedOperation {
  readonly id: string;
  readonly summary: string;
  readonly reason: string;
}

export type OperationReading =
  | { readonly status: "read"; readonly operation: ReadOperation }
  | { readonly status: "refused"; readonly refused: RefusedOperation };

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Every operation of a document, one after the other: a fault of one says nothing of the rest. */
export function* readOperations(
  document: OpenApiDocument,
  schemes: ReadonlyMap<string, SecurityScheme>,
): Generator<OperationReading> {
  const paths = getOwn(document.root, "paths");
  const taken = new Set<string>();
  let left: number = OPENAPI_LIMITS.operations;
  for (const path of isJsonObject(paths) ? Object.keys(paths) : []) {
    const pathItem = resolveObject(document.root, isJsonObject(paths) ? getOwn(paths, path) : undefined);
    const refuse = (id: string, reason: string, summary = ""): OperationReading => ({
      status: "refused",
      refused: { id: cut(id, 300), summary: cut(summary, 200), reason },
    });
    if (!pathItem.ok) {
      yield refuse(path, pathItem.error);
      continue;
    }
    for (const method of METHODS.filter((each) => Object.hasOwn(pathItem.value, each))) {
      const id = `${method.toUpperCase()} ${path}`;
      const given = getOwn(pathItem.value, method);
      if (left-- <= 0) {
        yield refuse(id, `More than ${OPENAPI_LIMITS.operations} operations stand before it.`);
        return;
      }
      const operation = isJsonObject(given) ? given : {};
      const read = readOperation({ document, schemes }, pathItem.value, { operation, path, method, taken });
      if (read.ok) yield { status: "read", operation: read.value };
      else yield refuse(id, read.error, textOf(operation, "summary"));
    }
  }
}

interface Interface {
  readonly document: OpenApiDocument;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
}

interface Place {
  readonly operation: JsonObject;
  readonly path: string;
  readonly method: string;
  readonly taken: Set<string>;
}

function readOperation(
  { document, schemes }: Interface,
  pathItem: JsonObject,
  { operation, path, method, taken }: Place,
): Result<ReadOperation, string> {
  const known = httpMethodSchema.safeParse(method.toUpperCase());
  if (!known.success) return err(`${method.toUpperCase()} does nothing that a plan could want.`);
  if (!path.startsWith("/") || path.length > 2_000) return err("Its path does not begin with a slash, or is too long.");
  const parameters = readParameters(document.root, pathItem, operation);
  if (!parameters.ok) return parameters;
  const missing = placesOf(path).find(
    (place) =>
      !parameters.value.parameters.some(({ parameter }) => parameter.in === "path" && parameter.name === place),
  );
  if (missing !== undefined) return err(`Nothing says what fills in {${cut(missing, 60)}} of its path.`);
  const body = readBody(document.root, operation);
  if (!body.ok) return body;
  const needed = neededSchemes(operation, document.root, schemes);
  if (!needed.ok) return needed;
  const input = inputOf(document.root, parameters.value.parameters, body.value);
  if (!input.ok) return err(`Its arguments cannot be described. ${input.error}`);
  const output = outputOf(document.root, operation);
  const { sideEffect, note } = effectOf(known.data, operation);
  const { idempotencyKeyHeader } = parameters.value;
  const notes = [...input.value.notes, ...output.notes, ...(note === undefined ? [] : [note])];
  return ok({
    id: `${known.data} ${path}`,
    method: known.data,
    path,
    name: nameOf({ operation, path, method, taken }),
    summary: cut(
      textOf(operation, "summary")?.trim() || textOf(operation, "operationId") || `${known.data} ${path}`,
      200,
    ),
    description: cut((textOf(operation, "description") ?? textOf(pathItem, "description") ?? "").trim()),
    tags: listOf(operation, "tags")
      .filter((tag) => typeof tag === "string")
      .map((tag) => cut(tag, 60))
      .slice(0, 10),
    deprecated: getOwn(operation, "deprecated") === true,
    sideEffect,
    idempotency: idempotencyKeyHeader === undefined ? idempotencyOf(known.data) : "key",
    idempotencyKeyHeader,
    parameters: parameters.value.parameters.map(({ parameter }) => parameter),
    body: body.value === undefined ? undefined : { contentType: body.value.contentType, format: body.value.format },
    bodyArgument: input.value.bodyArgument,
    inputSchema: input.value.schema,
    outputSchema: output.schema,
    schemes: needed.value,
    servers: serversOf(operation).length > 0 ? serversOf(operation) : serversOf(pathItem),
    notes: [...new Set(notes)].slice(0, 12),
  });
}

const placesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, place = ""]) => place);

function inputOf(
  document: JsonObject,
  parameters: readonly ReadParameter[],
  body: ReadBody | undefined,
): Result<{ schema: JsonObject; notes: readonly string[]; bodyArgument: string }, string> {
  const names = parameters.map(({ parameter }) => parameter.argument);
  const bodyArgument = names.includes("body") ? "request_body" : "body";
  const parts = new Map(parameters.map(({ parameter, schema }) => [parameter.argument, schema]));
  if (body !== undefined) parts.set(bodyArgument, body.schema);
  const read = readSchemas({ document, direction: "request" }, parts);
  if (!read.ok) return read;
  const properties: Record<string, JsonValue> = {};
  for (const { parameter, description } of parameters)
    setOwn(properties, parameter.argument, described(read.value.schemas.get(parameter.argument) ?? {}, description));
  if (body !== undefined)
    setOwn(properties, bodyArgument, described(read.value.schemas.get(bodyArgument) ?? {}, body.description));
  const required = parameters.filter((each) => each.required).map(({ parameter }) => parameter.argument);
  if (body?.required === true) required.push(bodyArgument);
  const schema = withDefinitions(
    { type: "object", properties, required, additionalProperties: false },
    read.value.definitions,
  );
  return ok({ schema, notes: read.value.notes, bodyArgument });
}

const described = (schema: JsonObject, description: string | undefined): JsonObject =>
  description === undefined || Object.hasOwn(schema, "description")
    ? schema
    : { ...schema, description: cut(description, 500) };

const withDefinitions = (schema: JsonObject, definitions: JsonObject): JsonObject =>
  Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions };

/** An answer: its status, some of its headers and its body. A schema that cannot be read leaves the body unchecked. */
function outputOf(document: JsonObject, operation: JsonObject): { schema: JsonObject; notes: readonly string[] } {
  const given = answerSchemas(document, operation);
  const answer = (body: JsonValue, definitions: JsonObject = {}): JsonObject =>
    withDefinitions(
      {
        type: "object",
        properties: {
          status: { type: "integer" },
          headers: { type: "object", additionalProperties: { type: "string" } },
          body,
        },
        required: ["status", "headers", "body"],
        additionalProperties: false,
      },
      definitions,
    );
  if (given.length === 0 || given.some((schema) => schema === undefined)) return { schema: answer({}), notes: [] };
  const parts = new Map(given.map((schema, index) => [`answer${index}`, schema]));
  const read = readSchemas({ document, direction: "response" }, parts);
  if (!read.ok) return { schema: answer({}), notes: [`Its answers are not checked. ${read.error}`] };
  const bodies = [...new Map([...read.value.schemas.values()].map((each) => [JSON.stringify(each), each])).values()];
  const [only] = bodies;
  const body = bodies.length === 1 && only !== undefined ? only : { anyOf: bodies };
  return { schema: answer(body, read.value.definitions), notes: read.value.notes };
}

const EFFECTS: readonly SideEffect[] = ["none", "read", "write", "destructive"];

/** By method. What the document says of itself may make it more, never less: it is not ours to believe. */
function effectOf(method: HttpMethod, operation: JsonObject): { sideEffect: SideEffect; note?: string } {
  const guessed: SideEffect =
    method === "GET" || method === "HEAD" ? "read" : method === "DELETE" ? "destructive" : "write";
  const said = textOf(operation, "x-side-effect") ?? textOf(operation, "x-planwright-side-effect");
  const stated = EFFECTS.find((effect) => effect === said);
  if (stated === undefined) return { sideEffect: guessed };
  if (EFFECTS.indexOf(stated) >= EFFECTS.indexOf(guessed)) return { sideEffect: stated };
  return {
    sideEffect: guessed,
    note: `The document calls its side effect “${stated}”; by its method it is “${guessed}”.`,
  };
}

/** GET, HEAD, PUT and DELETE may be repeated by the definition of HTTP (RFC 9110, 9.2.2). */
const idempotencyOf = (method: HttpMethod): Idempotency =>
  method === "POST" || method === "PATCH" ? "none" : "natural";

function nameOf({ operation, path, method, taken }: Place): string {
  const given = textOf(operation, "operationId") ?? `${method}_${path}`;
  const plain =
    given
      .replace(/[^A-Za-z0-9_.-]+/g, "_")
      .replace(/^[^A-Za-z0-9]+|[_.-]+$/g, "")
      .slice(0, 80) || method;
  let name = plain;
  for (let count = 2; taken.has(name); count++) name = `${plain}_${count}`;
  taken.add(name);
  return name;
}
