import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json";

/** One place where a value does not fit a schema. */
export interface SchemaIssue {
  /** JSON pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/**
 * Checks a value against a JSON Schema 2020-12 and returns every issue, none when it fits.
 * Injected, since a JSON Schema validator is a library and the kernel imports none.
 */
export type SchemaChecker = (schema: JsonObject, value: JsonValue) => readonly SchemaIssue[];

/** What a JSON Schema library answers, in the standard's own output format (2020-12, "basic"). */
export interface SchemaLibraryOutput {
  readonly valid: boolean;
  readonly errors: readonly {
    readonly instanceLocation: string;
    readonly keyword: string;
    readonly error: string;
  }[];
}

/** Keywords that only pass on what a keyword below them already said. */
const APPLICATORS: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "additionalProperties",
  "prefixItems",
  "$ref",
]);

/**
 * Makes a checker of a library's validate function. A schema that the library cannot read is one issue at the root,
 * not an exception: schemas come from outside.
 */
export function schemaCheckerFrom(
  validate: (schema: JsonObject, value: JsonValue) => SchemaLibraryOutput,
): SchemaChecker {
  return (schema, value) => {
    let output: SchemaLibraryOutput;
    try {
      output = validate(schema, namesInherited(schema) ? withoutPrototypes(value) : value);
    } catch (problem) {
      const message = problem instanceof Error ? problem.message : String(problem);
      return [{ pointer: "", keyword: "$schema", message: `The schema cannot be read: ${message}` }];
    }
    if (output.valid) return [];
    const issues = output.errors.map((error) => ({
      pointer: error.instanceLocation.replace(/^#/, ""),
      keyword: error.keyword,
      message: wordsOf(error),
    }));
    const specific = issues.filter((issue) => !APPLICATORS.has(issue.keyword) && !isEcho(issue, issues));
    return specific.length > 0 ? specific : issues;
  };
}

/** What a library says of an "instance", in words for whoever filled it in. */
function wordsOf({ keyword, error }: SchemaLibraryOutput["errors"][number]): string {
  if (keyword === "false") return "This is not allowed here.";
  const missing = keyword === "required" ? /"(.*)"/s.exec(error)?.[1] : undefined;
  return missing === undefined ? error : `“${missing}” is missing.`;
}

/** What every object inherits: a library that asks whether a value has one of these is told yes. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

const knownToName = new WeakMap<JsonObject, boolean>();

/** True for a schema that lists a member under such a name: it is then asked of values that inherit nothing. */
function namesInherited(schema: JsonObject): boolean {
  const known = knownToName.get(schema);
  if (known !== undefined) return known;
  const names = listsInherited(schema);
  knownToName.set(schema, names);
  return names;
}

const listsInherited = (part: JsonValue | undefined): boolean => {
  if (Array.isArray(part)) return part.some(listsInherited);
  // A list of required names holds them as values.
  if (!isJsonObject(part)) return typeof part === "string" && INHERITED.has(part);
  return Object.keys(part).some((key) => INHERITED.has(key) || listsInherited(getOwn(part, key)));
};

function withoutPrototypes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const key of Object.keys(value)) copy[key] = withoutPrototypes(getOwn(value, key) ?? null);
  return copy;
}

/**
 * A property that fails its own schema counts as unevaluated in some libraries, so that a closed object refuses it a
 * second time. The first refusal says more.
 */
const isEcho = (issue: SchemaIssue, issues: readonly SchemaIssue[]): boolean =>
  issue.keyword === "false" &&
  issues.some(
    (other) =>
      other.keyword !== "false" && (other.pointer === issue.pointer || other.pointer.startsWith(`${issue.pointer}/`)),
  );
