import { getAtPointer, getOwn, isJsonObject, type JsonValue, parsePointer } from "../json";

/**
 * The resources that a call touches: capability templates such as `file:${path}` or `row:${#/table/id}` filled in
 * from its arguments. An argument that is not there reads as empty text; one that is no text, as JSON.
 */
export function expandResources(templates: readonly string[], callArguments: JsonValue): string[] {
  return templates.map((template) =>
    template.replaceAll(PLACE, (_match, name: string) => asText(argument(callArguments, name))),
  );
}

/** Braces do not nest, so that a text of nothing but openings is read once. */
const PLACE = /\$\{([^{}]*)\}/g;

/** The arguments that a template is filled in from: `${path}` and `${#/path/0}` both from `path`. */
export const templateArguments = (template: string): readonly string[] =>
  [...template.matchAll(PLACE)].map(([, name = ""]) =>
    name.startsWith("#") ? (parsePointer(name.slice(1))?.[0] ?? "") : name,
  );

function argument(callArguments: JsonValue, name: string): JsonValue | undefined {
  if (name.startsWith("#")) return getAtPointer(callArguments, name.slice(1));
  return isJsonObject(callArguments) ? getOwn(callArguments, name) : undefined;
}

const asText = (value: JsonValue | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
