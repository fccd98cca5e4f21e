/** What an OpenAPI document may cost to read. Past a limit one operation is refused, not the others. */
export const OPENAPI_LIMITS = {
  /** Characters of the text: large public interfaces have five million. */
  characters: 12_000_000,
  operations: 5_000,
  /** `$ref` that lead to another `$ref`. */
  hops: 20,
  schemaDepth: 48,
  /** Schemas within one schema, when references are written out; past it they stay references. */
  schemasInlined: 400,
  schemas: 4_000,
  /** Characters of one schema as it is kept. */
  schemaCharacters: 80_000,
  descriptionCharacters: 2_000,
} as const;
