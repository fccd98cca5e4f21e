import { getAtPointer, getOwn, isJsonObject, type JsonValue } from "../json";

/**
 * The resources that a call touches: capability templates such as `file:${path}` or `row:${#/table/id}` filled in
 * from its arguments. An argument that is not there reads as empty text; one that is no text, as JSON.
 */
export function expandResources(templates: readonly string[], callArguments: JsonValue): string[] {
  return templates.map((template) =>
    template.replaceAll(/\$\{([^}]*)\}/g, (_match, name: string) => asText(argument(callArguments, name))),
  );
}

function argument(callArguments: JsonValue, name: string): JsonValue | undefined {
  if (name.startsWith("#")) return getAtPointer(callArguments, name.slice(1));
  return isJsonObject(callArguments) ? getOwn(callArguments, name) : undefined;
}

const asText = (value: JsonValue | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
