import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";

/** A place in a task's output that a reference can point at. */
export interface OutputPath {
  /** JSON pointer, "" for the whole. */
  readonly pointer: string;
  /** JSON type where the schema says one: `string`, `number[]`. */
  readonly type: string | undefined;
}

const DEPTH_MAX = 3;
const PATHS_MAX = 40;

/** The whole output and every place its schema names, nearest first. */
export function outputPaths(schema: JsonObject | undefined): readonly OutputPath[] {
  const paths: OutputPath[] = [{ pointer: "", type: schema === undefined ? undefined : typeOf(schema) }];
  let frontier: readonly { readonly schema: JsonObject; readonly pointer: string }[] =
    schema === undefined ? [] : [{ schema, pointer: "" }];
  for (let depth = 0; depth < DEPTH_MAX && frontier.length > 0; depth++) {
    const next: { schema: JsonObject; pointer: string }[] = [];
    for (const { schema: parent, pointer } of frontier) {
      for (const [name, property] of propertiesOf(parent)) {
        const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        if (paths.length < PATHS_MAX) paths.push({ pointer: place, type: typeOf(property) });
        next.push({ schema: property, pointer: place });
      }
    }
    frontier = next;
  }
  return paths;
}

/** Properties of an object schema, in the order it lists them. */
export function propertiesOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const properties = getOwn(schema, "properties");
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) ? [[name, property] as const] : [],
  );
}

export function typeOf(schema: JsonObject): string | undefined {
  const type = getOwn(schema, "type");
  if (type === "array") {
    const items = getOwn(schema, "items");
    const inner = isJsonObject(items) ? typeOf(items) : undefined;
    return inner === undefined ? "array" : `${inner}[]`;
  }
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.filter((name: JsonValue) => typeof name === "string").join(" or ");
  return getOwn(schema, "enum") === undefined ? undefined : "enum";
}
