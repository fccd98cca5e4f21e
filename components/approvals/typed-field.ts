import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";

/** A member of an object as a form field: what it is called, its kind, and its text. The kind keeps the type. */
export interface TypedField {
  readonly name: string;
  readonly kind: "text" | "number" | "boolean" | "json";
  readonly text: string;
  /** False for what the schema allows and the value does not have: it stays away while its text is empty. */
  readonly isPresent: boolean;
  readonly choices?: readonly string[];
  readonly description?: string;
}

/** Fields of an object, and of what its schema allows besides; kinds by the value, else by the schema. */
export function fieldsOf(value: JsonValue, schema: JsonObject | undefined): readonly TypedField[] {
  const object = isJsonObject(value) ? value : {};
  const properties = schema === undefined ? undefined : getOwn(schema, "properties");
  const known = isJsonObject(properties) ? properties : {};
  const names = new Set([...Object.keys(object), ...Object.keys(known)]);
  return [...names].map((name) => fieldOf(name, getOwn(object, name), getOwn(known, name)));
}

function fieldOf(name: string, value: JsonValue | undefined, schema: JsonValue | undefined): TypedField {
  const property = isJsonObject(schema) ? schema : {};
  const choices = textsIn(getOwn(property, "enum"));
  const description = getOwn(property, "description") ?? getOwn(property, "title");
  return {
    name,
    kind: kindOf(value, choices === undefined ? getOwn(property, "type") : "string"),
    text: textOf(value),
    isPresent: value !== undefined,
    ...(choices === undefined ? {} : { choices }),
    ...(typeof description === "string" ? { description } : {}),
  };
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, typeof value === "object" ? 2 : 0);
}

function textsIn(choices: JsonValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(choices)) return undefined;
  const texts = choices.filter((choice) => typeof choice === "string");
  return texts.length === choices.length ? texts : undefined;
}

function kindOf(value: JsonValue | undefined, type: JsonValue | undefined): TypedField["kind"] {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (value !== undefined) return "json";
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "boolean" : "json";
}

/** One field's text as a value of its kind, or what is wrong with it. */
export function parseField(field: TypedField, text: string): Result<JsonValue, string> {
  switch (field.kind) {
    case "text":
      return ok(text);
    case "number": {
      const value = Number(text);
      return text.trim() !== "" && Number.isFinite(value) ? ok(value) : err("Not a number.");
    }
    case "boolean":
      return ok(text === "true");
    case "json":
      try {
        return ok(JSON.parse(text) as JsonValue);
      } catch {
        return err("Not JSON: a text needs quotes, a list brackets.");
      }
  }
}

/** The object again, from the texts; a field that was absent and stays empty stays absent. */
export function objectOf(
  fields: readonly TypedField[],
  texts: ReadonlyMap<string, string>,
): Result<JsonObject, ReadonlyMap<string, string>> {
  const value: Record<string, JsonValue> = {};
  const problems = new Map<string, string>();
  for (const field of fields) {
    const text = texts.get(field.name) ?? field.text;
    if (text === "" && !field.isPresent) continue;
    const parsed = parseField(field, text);
    if (parsed.ok) setOwn(value, field.name, parsed.value);
    else problems.set(field.name, parsed.error);
  }
  return problems.size === 0 ? ok(value) : err(problems);
}
