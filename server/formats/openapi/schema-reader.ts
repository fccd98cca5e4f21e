import {
  canonicalJson,
  formatPointer,
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwn,
} from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";
import { OPENAPI_LIMITS } from "./openapi-limits";
import { cut, decodedFragment, targetOf } from "./references";
import { isRiskyPattern } from "./risky-pattern";
import { JSON_TYPES, KEYWORDS } from "./schema-keywords";

/** Schemas of an OpenAPI document as JSON Schema 2020-12. */
export interface ReadSchemas {
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** What they refer to: it belongs under `$defs` at the root of whatever they become a part of. */
  readonly definitions: JsonObject;
  /** What was left out, in words. */
  readonly notes: readonly string[];
}

export interface SchemaContext {
  readonly document: JsonObject;
  /** A request may not hold what is read-only, an answer not what is write-only. */
  readonly direction: "request" | "response";
}

class Unreadable extends Error {}
class TooManyToInline extends Error {}

/**
 * Reads schemas, of OpenAPI 3.0 or 3.1: references are written out, so that forms can be made of the result; one that
 * comes back to itself, and all of them where that would be long, become `$defs`. A fault refuses these schemas alone.
 */
export function readSchemas(
  context: SchemaContext,
  parts: ReadonlyMap<string, JsonValue | undefined>,
): Result<ReadSchemas, string> {
  try {
    return readAll(new SchemaReader(context, "inline"), parts);
  } catch (problem) {
    if (!(problem instanceof TooManyToInline)) return refusal(problem);
  }
  try {
    return readAll(new SchemaReader(context, "definitions"), parts);
  } catch (problem) {
    return refusal(problem);
  }
}

const refusal = (problem: unknown): Result<never, string> => {
  if (problem instanceof Unreadable) return err(problem.message);
  if (problem instanceof TooManyToInline) return err("The schema holds too many others.");
  throw problem;
};

function readAll(reader: SchemaReader, parts: ReadonlyMap<string, JsonValue | undefined>): Result<ReadSchemas, string> {
  const schemas = new Map<string, JsonObject>();
  for (const [name, schema] of parts) {
    const read = reader.read(schema ?? {}, [name]);
    schemas.set(name, isJsonObject(read) ? read : read === false ? { not: {} } : {});
  }
  const definitions = reader.definitions();
  const characters = [...schemas.values(), definitions].reduce((sum, each) => sum + canonicalJson(each).length, 0);
  if (characters > OPENAPI_LIMITS.schemaCharacters)
    return err(`The schemas have ${characters} characters; ${OPENAPI_LIMITS.schemaCharacters} are the most.`);
  return ok({ schemas, definitions, notes: reader.notes });
}

type Path = readonly (string | number)[];

class SchemaReader {
  readonly notes: string[] = [];
  readonly #context: SchemaContext;
  readonly #mode: "inline" | "definitions";
  readonly #open: string[] = [];
  /** Names in `$defs` by the pointer they stand for; those not read yet have no schema. */
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, JsonValue>();
  #schemas = 0;

  constructor(context: SchemaContext, mode: "inline" | "definitions") {
    this.#context = context;
    this.#mode = mode;
  }

  /** `$defs`, with everything they refer to in turn. */
  definitions(): JsonObject {
    for (;;) {
      const pending = [...this.#names].find(([, name]) => !this.#definitions.has(name));
      if (pending === undefined) break;
      const [pointer, name] = pending;
      const target = targetOf(this.#context.document, `#${pointer}`);
      if (!target.ok) throw new Unreadable(target.error);
      this.#definitions.set(name, true);
      this.#open.push(pointer);
      this.#definitions.set(name, this.read(target.value, [name]));
      this.#open.pop();
    }
    const definitions: Record<string, JsonValue> = {};
    for (const [name, schema] of this.#definitions) setOwn(definitions, name, schema);
    return definitions;
  }

  read(schema: JsonValue, path: Path): JsonValue {
    if (typeof schema === "boolean") return schema;
    if (!isJsonObject(schema)) return this.#fail(path, "A schema is an object.");
    this.#schemas += 1;
    if (path.length > OPENAPI_LIMITS.schemaDepth) {
      if (this.#mode === "inline") throw new TooManyToInline();
      return this.#fail(path.slice(0, 3), "Schemas are nested too deeply.");
    }
    if (this.#schemas > (this.#mode === "inline" ? OPENAPI_LIMITS.schemasInlined : OPENAPI_LIMITS.schemas))
      throw new TooManyToInline();
    const reference = getOwn(schema, "$ref");
    if (typeof reference === "string") return this.#follow(schema, reference, path);
    if (Object.hasOwn(schema, "$dynamicRef") || Object.hasOwn(schema, "$recursiveRef"))
      return this.#fail(path, "Dynamic references are not read.");
    return this.#readKeywords(schema, path);
  }

  #fail(path: Path, message: string): never {
    const place = path.length === 0 ? "" : `At ${formatPointer(path)}: `;
    throw new Unreadable(`${place}${message}`);
  }

  /** In 3.1 keywords may stand beside a reference; in 3.0 they mean nothing, and most people mean them all the same. */
  #follow(schema: JsonObject, reference: string, path: Path): JsonValue {
    const target = targetOf(this.#context.document, reference);
    if (!target.ok) return this.#fail(path, target.error);
    const { $ref: _, ...beside } = schema;
    const pointer = decodedFragment(reference);
    const recursive = this.#open.includes(pointer);
    let read: JsonValue;
    if (recursive || this.#mode === "definitions") {
      read = { $ref: `#/$defs/${this.#nameOf(pointer)}` };
    } else {
      this.#open.push(pointer);
      read = this.read(target.value, path);
      this.#open.pop();
    }
    const kept = this.#readKeywords(beside, path);
    if (Object.keys(kept).length === 0 || !isJsonObject(read)) return read;
    const onlyWords = Object.keys(kept).every((key) => ["title", "description", "default", "deprecated"].includes(key));
    return onlyWords
      ? { ...read, ...kept }
      : { ...kept, allOf: [read, ...(Array.isArray(kept.allOf) ? kept.allOf : [])] };
  }

  #nameOf(pointer: string): string {
    const known = this.#names.get(pointer);
    if (known !== undefined) return known;
    const base = (pointer.split("/").at(-1) ?? "").replace(/[^A-Za-z0-9_-]/g, "_") || "schema";
    const taken = new Set(this.#names.values());
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
    this.#names.set(pointer, name);
    return name;
  }

  #readKeywords(schema: JsonObject, path: Path): JsonObject {
    const read: Record<string, JsonValue> = {};
    this.#readType(schema, read, path);
    for (const key of Object.keys(schema)) {
      const kind = KEYWORDS.get(key);
      const value = getOwn(schema, key);
      if (kind === undefined || value === undefined) continue;
      const at = [...path, key];
      switch (kind) {
        case "schema":
          read[key] = this.read(value, at);
          break;
        case "schemas":
          if (!Array.isArray(value)) this.#fail(at, "A list of schemas is missing.");
          else if (value.length > 0) read[key] = value.map((each, index) => this.read(each, [...at, index]));
          break;
        case "named_schemas":
          read[key] = this.#readNamed(key, value, at);
          break;
        case "count":
          if (!Number.isInteger(value) || Number(value) < 0) this.#fail(at, "A whole number is missing.");
          read[key] = value;
          break;
        case "number":
          if (typeof value !== "number" || (key === "multipleOf" && value <= 0)) this.#fail(at, "A number is missing.");
          read[key] = value;
          break;
        case "text":
          if (typeof value === "string") read[key] = cut(value);
          break;
        case "flag":
          if (typeof value === "boolean") read[key] = value;
          break;
        case "names":
          // A flag here is a habit of older documents, where the property says of itself that it is required.
          if (Array.isArray(value)) read[key] = [...new Set(value.filter((name) => typeof name === "string"))];
          break;
        case "any":
          read[key] = value;
          break;
      }
    }
    this.#readBounds(schema, read);
    this.#readChoices(schema, read, path);
    this.#readPattern(schema, read);
    this.#omitForeign(schema, read);
    return read;
  }

  #readType(schema: JsonObject, read: Record<string, JsonValue>, path: Path): void {
    const type = getOwn(schema, "type");
    if (type === undefined || type === null) return;
    const types = Array.isArray(type) ? type : [type];
    for (const each of types)
      if (typeof each !== "string" || !JSON_TYPES.has(each))
        this.#fail([...path, "type"], `${JSON.stringify(each)} is no type of JSON Schema.`);
    const nullable = getOwn(schema, "nullable") === true && !types.includes("null");
    const all = nullable ? [...types, "null"] : types;
    read.type = all.length === 1 ? (all[0] as string) : all;
  }

  /** 3.0 says with a flag what 3.1 says with a number. */
  #readBounds(schema: JsonObject, read: Record<string, JsonValue>): void {
    for (const [exclusive, bound] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const) {
      const value = getOwn(schema, exclusive);
      if (typeof value === "number") read[exclusive] = value;
      else if (value === true && typeof read[bound] === "number") {
        read[exclusive] = read[bound];
        delete read[bound];
      }
    }
  }

  #readChoices(schema: JsonObject, read: Record<string, JsonValue>, path: Path): void {
    const choices = getOwn(schema, "enum");
    if (choices === undefined) return;
    if (!Array.isArray(choices)) this.#fail([...path, "enum"], "A list of values is missing.");
    else if (choices.length > 0) {
      const withNull = getOwn(schema, "nullable") === true && !choices.includes(null);
      read.enum = withNull ? [...choices, null] : choices;
    }
  }

  #readPattern(schema: JsonObject, read: Record<string, JsonValue>): void {
    const pattern = getOwn(schema, "pattern");
    if (typeof pattern !== "string") return;
    if (isUsable(pattern)) read.pattern = pattern;
    else this.notes.push(`The pattern ${cut(pattern, 60)} is not checked: it cannot be read, or could take too long.`);
  }

  #readNamed(key: string, value: JsonValue, path: Path): JsonObject {
    if (!isJsonObject(value)) return this.#fail(path, "An object of schemas is missing.");
    const read: Record<string, JsonValue> = {};
    for (const name of Object.keys(value)) {
      if (key === "patternProperties" && !isUsable(name)) {
        this.notes.push(`The names like ${cut(name, 60)} are not checked.`);
        continue;
      }
      setOwn(read, name, this.read(getOwn(value, name) ?? {}, [...path, name]));
    }
    return read;
  }

  /** Members that only the other side sets: gone from requests, no duty of answers. */
  #omitForeign(schema: JsonObject, read: Record<string, JsonValue>): void {
    const properties = getOwn(schema, "properties");
    if (!isJsonObject(properties)) return;
    const flag = this.#context.direction === "request" ? "readOnly" : "writeOnly";
    const foreign = Object.keys(properties).filter((name) => this.#says(getOwn(properties, name), flag));
    if (foreign.length === 0) return;
    if (Array.isArray(read.required)) read.required = read.required.filter((name) => !foreign.includes(String(name)));
    const kept = read.properties;
    if (this.#context.direction !== "request" || !isJsonObject(kept)) return;
    const mine: Record<string, JsonValue> = {};
    for (const name of Object.keys(kept)) if (!foreign.includes(name)) setOwn(mine, name, getOwn(kept, name) ?? true);
    read.properties = mine;
  }

  #says(schema: JsonValue | undefined, flag: string): boolean {
    if (!isJsonObject(schema)) return false;
    if (getOwn(schema, flag) === true) return true;
    const reference = getOwn(schema, "$ref");
    if (typeof reference !== "string") return false;
    const target = targetOf(this.#context.document, reference);
    return target.ok && isJsonObject(target.value) && getOwn(target.value, flag) === true;
  }
}

function isUsable(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return !isRiskyPattern(pattern);
  } catch {
    return false;
  }
}
