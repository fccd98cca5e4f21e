import { formatPointer, getAtPointer, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json";

/** A value with the defaults of its schema filled in, and where they went. */
export interface Defaulted {
  readonly value: JsonValue;
  /** JSON pointers of what was filled in; empty where the value is the one that was given. */
  readonly filled: readonly string[];
}

/** Defaults below this depth are left to the callee: a schema may refer to itself. */
const DEPTH_MAX = 16;

/**
 * Fills in what a JSON Schema says an absent member stands for, in `properties` at any depth, `items` and local
 * `$ref`s. Done once, before arguments are hashed, shown and sent, so that what a person signs is what the callee
 * reads. A second time changes nothing. What stands in `anyOf` and the like is a choice, so nothing is taken from it.
 */
export function withDefaults(schema: JsonObject, value: JsonValue): Defaulted {
  if (!hasDefaults(schema)) return { value, filled: [] };
  const filled: string[] = [];
  return { value: fill({ root: schema, filled }, schema, value, []), filled };
}

interface Filling {
  readonly root: JsonObject;
  readonly filled: string[];
}

type Path = readonly (string | number)[];

function fill(filling: Filling, schema: JsonValue | undefined, value: JsonValue, path: Path): JsonValue {
  const own = follow(filling.root, schema);
  if (own === undefined || path.length > DEPTH_MAX) return value;
  if (Array.isArray(value)) return fillItems(filling, getOwn(own, "items"), value, path);
  const properties = getOwn(own, "properties");
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  let changed: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(properties)) {
    const member = follow(filling.root, properties[name]);
    const given = getOwn(value, name);
    const next =
      given === undefined ? defaultOf(filling, member, [...path, name]) : fill(filling, member, given, [...path, name]);
    if (next === undefined || next === given) continue;
    changed ??= copyOf(value);
    setOwn(changed, name, next);
  }
  return changed ?? value;
}

function fillItems(
  filling: Filling,
  schema: JsonValue | undefined,
  value: readonly JsonValue[],
  path: Path,
): JsonValue {
  if (schema === undefined) return value;
  const items = value.map((item, index) => fill(filling, schema, item, [...path, index]));
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function defaultOf(filling: Filling, schema: JsonObject | undefined, path: Path): JsonValue | undefined {
  const value = schema === undefined ? undefined : getOwn(schema, "default");
  if (value !== undefined) filling.filled.push(formatPointer(path));
  return value;
}

/** The schema itself, or the one that its local `$ref` names. */
function follow(root: JsonObject, schema: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const reference = getOwn(schema, "$ref");
  if (typeof reference !== "string" || !reference.startsWith("#")) return schema;
  const target = getAtPointer(root, reference.slice(1));
  return isJsonObject(target) ? target : undefined;
}

/** A copy by own members: a spread keeps `__proto__` a member too, but says so to nobody. */
function copyOf(value: JsonObject): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, value[key] ?? null);
  return copy;
}

/** Most schemas have none, and every call asks. */
const known = new WeakMap<JsonObject, boolean>();

function hasDefaults(schema: JsonObject): boolean {
  let found = known.get(schema);
  if (found === undefined) {
    found = JSON.stringify(schema).includes('"default"');
    known.set(schema, found);
  }
  return found;
}
