import { z } from "zod";
import type { Sealer } from "../runtime/notifications";
import type { KeyRing } from "./key-ring";

/** A sealed value as one text: its key's name and its three parts in base64. */
const sealedSchema = z.object({ keyId: z.string(), nonce: z.string(), ciphertext: z.string(), tag: z.string() });

/** Seals texts of a table's own column with the keys of this process; without any it can neither seal nor open. */
export const sealerOf = (keys: KeyRing | undefined): Sealer => ({
  seal(place, text) {
    if (keys === undefined) return undefined;
    const { keyId, nonce, ciphertext, tag } = keys.seal(place, text);
    const base64 = (bytes: Buffer): string => bytes.toString("base64");
    return JSON.stringify({ keyId, nonce: base64(nonce), ciphertext: base64(ciphertext), tag: base64(tag) });
  },
  open(place, sealed) {
    const read = sealedSchema.safeParse(parsed(sealed));
    if (!read.success) return undefined;
    const { keyId, nonce, ciphertext, tag } = read.data;
    const bytes = (text: string): Buffer => Buffer.from(text, "base64");
    return keys?.open(place, { keyId, nonce: bytes(nonce), ciphertext: bytes(ciphertext), tag: bytes(tag) });
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
