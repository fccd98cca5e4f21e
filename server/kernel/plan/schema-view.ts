import { getAtPointer, getOwn, isJsonObject, type JsonObject, type JsonValue, parsePointer } from "../json";

/**
 * What a JSON Schema says about one place in the values it describes. Read without a validator: only what follows
 * from `type`, `properties`, `items` and the like for certain, so that a plan is never refused for a guess.
 */
export type SchemaView =
  /** Nothing can be there. */
  | { readonly status: "absent"; readonly names: readonly string[] }
  /** The schema lists other names here, and does not rule this one out. */
  | { readonly status: "unlisted"; readonly names: readonly string[] }
  /** Something may be there; `types` are the JSON types it can have, undefined where any. */
  | { readonly status: "present"; readonly types: ReadonlySet<string> | undefined };

/** Schemas looked at for one question; one may refer to itself, and twice in each of its branches. */
const SCHEMAS_MAX = 500;

const ANYTHING: SchemaView = { status: "present", types: undefined };

/** @param pointer a JSON pointer into a value that fits the schema. */
export function viewSchema(schema: JsonObject, pointer: string): SchemaView {
  const path = parsePointer(pointer);
  return path === undefined ? { status: "absent", names: [] } : view({ root: schema, left: SCHEMAS_MAX }, schema, path);
}

interface Walk {
  readonly root: JsonObject;
  left: number;
}

function view(walk: Walk, schema: JsonValue | undefined, path: readonly string[]): SchemaView {
  if (schema === false) return { status: "absent", names: [] };
  if (!isJsonObject(schema) || walk.left-- <= 0) return ANYTHING;
  let result = path.length === 0 ? own(schema) : step(walk, schema, path);
  const reference = getOwn(schema, "$ref");
  if (typeof reference === "string") result = both(result, view(walk, target(walk.root, reference), path));
  for (const part of listOf(schema, "allOf")) result = both(result, view(walk, part, path));
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema, keyword).map((branch) => view(walk, branch, path));
    if (branches.length > 0) result = both(result, branches.reduce(either));
  }
  return result;
}

/** What this schema object says of the value itself. */
function own(schema: JsonObject): SchemaView {
  return { status: "present", types: ownTypes(schema) };
}

function ownTypes(schema: JsonObject): ReadonlySet<string> | undefined {
  const type = getOwn(schema, "type");
  if (typeof type === "string") return new Set([type]);
  if (Array.isArray(type)) return new Set(type.filter((name) => typeof name === "string"));
  if (Object.hasOwn(schema, "const")) return new Set([typeOf(schema.const as JsonValue)]);
  const values = getOwn(schema, "enum");
  return Array.isArray(values) ? new Set(values.map(typeOf)) : undefined;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** What this schema object says of a member of the value. */
function step(walk: Walk, schema: JsonObject, [part, ...rest]: readonly string[]): SchemaView {
  const name = part as string;
  const types = ownTypes(schema);
  if (types !== undefined && !types.has("object") && !types.has("array")) return { status: "absent", names: [] };
  if (types?.has("object") === false) return element(walk, schema, name, rest);
  if (types?.has("array") === true || Object.hasOwn(schema, "items") || Object.hasOwn(schema, "prefixItems")) {
    const inList = element(walk, schema, name, rest);
    return either(member(walk, schema, name, rest), inList);
  }
  return member(walk, schema, name, rest);
}

function member(walk: Walk, schema: JsonObject, name: string, rest: readonly string[]): SchemaView {
  const properties = getOwn(schema, "properties");
  const listed = isJsonObject(properties) ? properties : {};
  if (Object.hasOwn(listed, name)) return view(walk, listed[name], rest);
  /** A pattern from outside is not run here. */
  if (Object.hasOwn(schema, "patternProperties")) return ANYTHING;
  const others = getOwn(schema, "additionalProperties") ?? getOwn(schema, "unevaluatedProperties");
  /** What the schemas beside it list is evaluated too, so here nothing is ruled out. */
  if (!Object.hasOwn(schema, "additionalProperties") && others !== undefined && isCombined(schema)) return ANYTHING;
  const names = Object.keys(listed);
  if (others === false) return { status: "absent", names };
  if (isJsonObject(others)) return view(walk, others, rest);
  return names.length > 0 && others !== true ? { status: "unlisted", names } : ANYTHING;
}

const isCombined = (schema: JsonObject): boolean =>
  ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"].some((keyword) => Object.hasOwn(schema, keyword));

function element(walk: Walk, schema: JsonObject, name: string, rest: readonly string[]): SchemaView {
  if (!/^(0|[1-9]\d*)$/.test(name)) return { status: "absent", names: [] };
  const first = listOf(schema, "prefixItems");
  const items = getOwn(schema, "items");
  return view(walk, Number(name) < first.length ? first[Number(name)] : (items ?? true), rest);
}

/** A place that must fit two schemas. */
function both(a: SchemaView, b: SchemaView): SchemaView {
  if (a.status === "absent") return a;
  if (b.status === "absent") return b;
  if (a.status === "unlisted") return b;
  if (b.status === "unlisted") return a;
  if (a.types === undefined) return b;
  if (b.types === undefined) return a;
  return { status: "present", types: new Set([...a.types].filter((type) => b.types?.has(type))) };
}

/** A place that must fit one of two schemas. */
function either(a: SchemaView, b: SchemaView): SchemaView {
  if (a.status === "absent") return b.status === "absent" ? { ...b, names: [...a.names, ...b.names] } : b;
  if (b.status === "absent") return a;
  if (a.status === "unlisted" || b.status === "unlisted") return a.status === "present" ? a : b;
  if (a.types === undefined || b.types === undefined) return ANYTHING;
  return { status: "present", types: new Set([...a.types, ...b.types]) };
}

const listOf = (schema: JsonObject, keyword: string): readonly JsonValue[] => {
  const list = getOwn(schema, keyword);
  return Array.isArray(list) ? list : [];
};

/** A `$ref` within the same schema; anything else is not looked up. */
const target = (root: JsonObject, reference: string): JsonValue | undefined =>
  reference.startsWith("#") ? getAtPointer(root, decode(reference.slice(1))) : undefined;

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
