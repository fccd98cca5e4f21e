/**
 * Something the person at the keyboard can put right. Its message is printed as it is, without a stack: it says what
 * is missing and what to do about it.
 */
export class PlainError extends Error {
  override readonly name = "PlainError";
}

/** The text of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
