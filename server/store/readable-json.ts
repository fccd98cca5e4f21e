/**
 * A column of JSON text as a `json` that SQL can read members of. Postgres refuses a whole text for one escape that it
 * has no character for, U+0000 or half of a surrogate pair, and outputs hold such. So every backslash that is escaped,
 * and then every one before a `u`, becomes a slash: strings with escapes come out changed, everything else as it is.
 */
export const readableJson = (column: string): string => `replace(replace(${column}, '\\\\', '//'), '\\u', '/u')::json`;
