/**
 * What an importer reads at most. Each bound is a message to the person, never a crash: past it a hostile file
 * would hold the process (YAML costs about a second a megabyte) or overflow the stack of whoever walks the value.
 */
export const IMPORT_LIMITS = {
  /** Bytes as given, and after gunzip. */
  bytes: 64 * 1024 * 1024,
  yamlCharacters: 4 * 1024 * 1024,
  /** Objects and lists within each other. */
  depth: 64,
  /** Values of a YAML document with every alias written out. */
  yamlValues: 2_000_000,
  /** YAML documents in one text. */
  yamlDocuments: 1_000,
  /** Problems listed for one text that is not well-formed; the first ones matter. */
  syntaxProblems: 20,
} as const;
