import { randomBytes } from "node:crypto";
import { type RunId, runIdSchema } from "#kernel/ids";

/** Digits and small letters without i, l, o and u, which people misread. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 20;

/** A new run id: 100 random bits, short enough to say and safe in an address or on a command line. */
export const newRunId = (): RunId =>
  runIdSchema.parse(Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]).join(""));
