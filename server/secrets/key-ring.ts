import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const KEY_BYTES = 32;

/** A value as it lies in the database. */
export interface SealedSecret {
  readonly keyId: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** What a sealed value belongs to; it opens nowhere else. */
export interface SecretPlace {
  readonly workspaceId: string;
  readonly name: string;
}

/** Keys by id. The first one seals; the others only open what they sealed before it came. */
export interface KeyRing {
  /** The id of the key that seals now. */
  readonly currentId: string;
  seal(place: SecretPlace, value: string): SealedSecret;
  /** Undefined where the key is not at hand, or the row is not what was sealed here. */
  open(place: SecretPlace, sealed: SealedSecret): string | undefined;
}

/** A new key, as {@link parseKeyRing} reads it. */
export const newSecretKey = (): string => randomBytes(KEY_BYTES).toString("base64url");

/**
 * AES-256-GCM with keys of 32 bytes in base64 or base64url, separated by commas, the current one first: to rotate, put
 * a new key in front and keep the old one until everything has been sealed again.
 *
 * @returns undefined where `text` holds something else.
 */
export function parseKeyRing(text: string): KeyRing | undefined {
  const keys = new Map<string, Buffer>();
  for (const word of text.split(",").map((each) => each.trim())) {
    const key = Buffer.from(word, "base64");
    if (key.length !== KEY_BYTES) return undefined;
    keys.set(idOf(key), key);
  }
  const [current] = keys;
  return current === undefined ? undefined : keyRing(current, keys);
}

const idOf = (key: Buffer): string =>
  createHash("sha256").update("planwright secret key").update(key).digest("hex").slice(0, 12);

const boundTo = ({ workspaceId, name }: SecretPlace): Buffer => Buffer.from(JSON.stringify([workspaceId, name]));

function keyRing([currentId, currentKey]: [string, Buffer], keys: ReadonlyMap<string, Buffer>): KeyRing {
  return {
    currentId,
    seal(place, value) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", currentKey, nonce).setAAD(boundTo(place));
      const ciphertext = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return { keyId: currentId, nonce, ciphertext, tag: cipher.getAuthTag() };
    },
    open(place, { keyId, nonce, ciphertext, tag }) {
      const key = keys.get(keyId);
      if (key === undefined) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 }).setAAD(boundTo(place));
        decipher.setAuthTag(tag);
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
