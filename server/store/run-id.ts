import { createHash, randomBytes } from "node:crypto";
import { type RunId, runIdSchema } from "#kernel/ids";

/** Digits and small letters without i, l, o and u, which people misread. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 20;

/** A new run id: 100 random bits, short enough to say and safe in an address or on a command line. */
export const newRunId = (): RunId => runIdOf(randomBytes(LENGTH));

/** The run id of a start that may be sent again: the same words give the same id, and nobody can guess their way. */
export const repeatableRunId = (words: readonly string[]): RunId =>
  runIdOf(createHash("sha256").update(JSON.stringify(words)).digest().subarray(0, LENGTH));

const runIdOf = (bytes: Uint8Array): RunId =>
  runIdSchema.parse(Array.from(bytes, (byte) => ALPHABET[byte & 31]).join(""));
