import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Sealer } from "./runtime/notifications";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals with AES-256-GCM, bound to the place, so that a row moved elsewhere does not open. */
export function createSealer(secret: string): Sealer {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "planwright notification secrets", 32));
  const boundTo = (place: { workspaceId: string; name: string }): Buffer =>
    Buffer.from(JSON.stringify([place.workspaceId, place.name]));
  return {
    seal(place, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(boundTo(place));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed, "base64");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        }).setAAD(boundTo(place));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return text.toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
