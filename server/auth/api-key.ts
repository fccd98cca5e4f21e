import { createHash, randomBytes } from "node:crypto";

const PREFIX = "pw_";

export interface NewApiKey {
  /** Shown once. */
  readonly secret: string;
  /** Its first characters, to tell keys apart. */
  readonly prefix: string;
  /** What is kept. A plain hash will do: the secret is 256 random bits, which nobody guesses. */
  readonly hash: string;
}

export function newApiKey(): NewApiKey {
  const secret = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  return { secret, prefix: secret.slice(0, PREFIX.length + 6), hash: hashApiKey(secret) };
}

/** The form in which a key is kept and looked up. */
export const hashApiKey = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** The key in `Authorization: Bearer …`. Undefined: none there, or not one of ours. */
export function apiKeyIn(headers: Headers): string | undefined {
  const secret = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return secret?.startsWith(PREFIX) ? secret : undefined;
}
