import { database } from "../db";
import { env } from "../env";
import { type Auth, createAuth } from "./auth";
import { oidcOptions } from "./oidc-options";

/** Kept on the global object, since hot reload evaluates this module again. */
const kept = globalThis as typeof globalThis & { planwrightAuth?: Auth };

/** The web process's own sign-in, from its environment. */
export function processAuth(): Auth {
  const { AUTH_SECRET, PLANWRIGHT_URL } = env();
  if (kept.planwrightAuth === undefined) {
    const oidc = oidcOptions(env());
    kept.planwrightAuth = createAuth(database(), { secret: AUTH_SECRET, url: PLANWRIGHT_URL, ...(oidc && { oidc }) });
  }
  return kept.planwrightAuth;
}

/** The identity provider that the sign-in page offers; undefined: passwords only. */
export const signInProvider = (): { readonly name: string } | undefined => oidcOptions(env());
