import { env } from "./env";
import type { AddressPolicy } from "./network/address-policy";
import { PlainError } from "./plain-error";
import { type KeyRing, parseKeyRing } from "./secrets/key-ring";

/** Which hosts this process may call for a plan, as the operator has it. */
export function processAddressPolicy(): AddressPolicy {
  const { ALLOWED_HOSTS, ALLOWED_PRIVATE_ADDRESSES } = env();
  return { allowedHosts: ALLOWED_HOSTS, allowedPrivate: ALLOWED_PRIVATE_ADDRESSES };
}

/** The keys in `text`; undefined without one: then secrets can be neither set nor used. */
export function requireKeyRing(text: string | undefined): KeyRing | undefined {
  if (text === undefined || text === "") return undefined;
  const keys = parseKeyRing(text);
  if (keys === undefined)
    throw new PlainError("PLANWRIGHT_SECRET_KEY holds something else than keys of 32 bytes in base64.");
  return keys;
}
