import type { JsonObject, JsonValue } from "../json";

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
