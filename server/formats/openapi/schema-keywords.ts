/** What may stand under a keyword of JSON Schema; a keyword that is not here means nothing to us and is left out. */
export type KeywordKind =
  | "schema"
  | "schemas"
  | "named_schemas"
  | "count"
  | "number"
  | "text"
  | "flag"
  | "names"
  | "any";

export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map([
  ["title", "text"],
  ["description", "text"],
  ["format", "text"],
  ["contentEncoding", "text"],
  ["contentMediaType", "text"],
  ["deprecated", "flag"],
  ["uniqueItems", "flag"],
  ["default", "any"],
  ["const", "any"],
  ["multipleOf", "number"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["required", "names"],
  ["items", "schema"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["contains", "schema"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["unevaluatedItems", "schema"],
  ["unevaluatedProperties", "schema"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["prefixItems", "schemas"],
  ["properties", "named_schemas"],
  ["patternProperties", "named_schemas"],
  ["dependentSchemas", "named_schemas"],
]);

export const JSON_TYPES: ReadonlySet<string> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "string",
  "integer",
]);
