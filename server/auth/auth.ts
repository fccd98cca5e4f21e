import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { Database } from "../db";
import { CLIENT_ADDRESS_HEADER } from "./client-address";
import { signInThrottle } from "./sign-in-throttle";

export interface AuthOptions {
  /** Signs cookies; at least 32 characters. */
  readonly secret: string;
  /** The address people type. */
  readonly url: string;
  /** Further origins whose pages are ours. */
  readonly trustedOrigins?: readonly string[];
}

export type Auth = ReturnType<typeof createAuth>;

const SIGN_IN = "/sign-in/email";

/** Signing in with e-mail and password, and sessions. Nobody signs up by themselves: people are invited. */
export function createAuth(database: Database, options: AuthOptions) {
  const throttle = signInThrottle(database);
  return betterAuth({
    appName: "Planwright",
    baseURL: options.url,
    basePath: "/api/auth",
    secret: options.secret,
    trustedOrigins: [...ownOrigins(options.url), ...(options.trustedOrigins ?? [])],
    database: prismaAdapter(database.prisma, { provider: "postgresql", transaction: true }),
    user: { modelName: "person" },
    session: {
      fields: { userId: "personId" },
      // A session that is taken away must be gone at the next request, not when a cookie runs out.
      cookieCache: { enabled: false },
      expiresIn: 7 * 24 * 60 * 60,
      updateAge: 24 * 60 * 60,
    },
    account: { fields: { userId: "personId" } },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 256 },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 600,
      // By address, which a whole office may share; guesses at one account are counted by the throttle.
      customRules: { [SIGN_IN]: { window: 60, max: 60 } },
    },
    advanced: {
      cookiePrefix: "planwright",
      useSecureCookies: options.url.startsWith("https:"),
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      // Said aloud, since the library turns the check off wherever NODE_ENV is "test".
      disableOriginCheck: false,
      // Never a header that clients can write.
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        if (context.path !== SIGN_IN) return;
        const email: unknown = context.body?.email;
        if (typeof email !== "string" || (await throttle.admit(email))) return;
        throw new APIError("TOO_MANY_REQUESTS", {
          code: "TOO_MANY_ATTEMPTS",
          message: "Too many attempts for this account. Try again in ten minutes.",
        });
      }),
      after: createAuthMiddleware(async (context) => {
        if (context.path !== SIGN_IN || !context.context.newSession) return;
        await throttle.clear(context.context.newSession.user.email);
      }),
    },
    telemetry: { enabled: false },
    logger: { level: "error" },
  });
}

/** The origins of an address. A machine's own server is reached under two names, and people type either. */
function ownOrigins(address: string): string[] {
  const url = new URL(address);
  const names = ["127.0.0.1", "localhost"];
  if (!names.includes(url.hostname)) return [url.origin];
  return names.map((name) => Object.assign(new URL(url), { hostname: name }).origin);
}
