import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type { Database } from "../db";
import { CLIENT_ADDRESS_HEADER } from "./client-address";
import { enterByOidc, type OidcOptions, oidcPlugin } from "./oidc";
import { personRecorder } from "./person-recorder";
import { signInThrottle } from "./sign-in-throttle";

export interface AuthOptions {
  /** Signs cookies; at least 32 characters. */
  readonly secret: string;
  /** The address people type. */
  readonly url: string;
  /** Further origins whose pages are ours. */
  readonly trustedOrigins?: readonly string[];
  /** An identity provider to sign in with, beside passwords. */
  readonly oidc?: OidcOptions;
}

export type Auth = ReturnType<typeof createAuth>;

const SIGN_IN = "/sign-in/email";
const SIGN_OUT = "/sign-out";
const CHANGE_PASSWORD = "/change-password";
const CALLBACK = "/callback/:id";

/** All there is. The library serves more, and every path of it that is not named here does not exist. */
const PATHS: ReadonlySet<string> = new Set([
  SIGN_IN,
  SIGN_OUT,
  CHANGE_PASSWORD,
  CALLBACK,
  "/sign-in/social",
  "/get-session",
  "/error",
]);

/**
 * Signing in, with e-mail and password or at an identity provider, and sessions. Nobody signs up by themselves: people
 * are invited, or come from a domain that the configuration names.
 */
export function createAuth(database: Database, options: AuthOptions) {
  const throttle = signInThrottle(database);
  const record = personRecorder(database.pool);
  const admit = async (email: string): Promise<void> => {
    const attempt = await throttle.admit(email);
    if (attempt === "admitted") return;
    if (attempt === "first_refused") await record({ email }, "session.refused", { kind: "person", id: email });
    throw new APIError("TOO_MANY_REQUESTS", {
      code: "TOO_MANY_ATTEMPTS",
      message: "Too many attempts for this account. Try again in ten minutes.",
    });
  };
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
      // Declared so that a session that is made instead of this one can be told; only the workspaces' own code sets it.
      additionalFields: { activeWorkspaceId: { type: "string", required: false, input: false } },
    },
    account: { fields: { userId: "personId" } },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 256 },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 600,
      // By address, which a whole office may share; guesses at one account are counted by the throttle.
      customRules: { [SIGN_IN]: { window: 60, max: 60 }, "/sign-in/social": { window: 60, max: 60 } },
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
    databaseHooks: {
      session: {
        create: {
          // The page that changes a password goes on in the workspace it shows.
          before: async (session, context) => {
            if (context?.path !== CHANGE_PASSWORD) return;
            return {
              data: { ...session, activeWorkspaceId: context.context.session?.session.activeWorkspaceId ?? null },
            };
          },
        },
      },
    },
    plugins: options.oidc === undefined ? [] : [oidcPlugin(options.oidc)],
    hooks: {
      before: createAuthMiddleware(async (context) => {
        if (!PATHS.has(context.path)) throw new APIError("NOT_FOUND");
        if (context.path === SIGN_IN) {
          const email: unknown = context.body?.email;
          if (typeof email === "string") await admit(email);
        }
        if (context.path === SIGN_OUT || context.path === CHANGE_PASSWORD) {
          const session = await getSessionFromCtx(context).catch(() => null);
          if (session === null) return;
          if (context.path === SIGN_OUT) {
            await record(session.user, "session.ended", { kind: "session", id: session.session.id });
            return;
          }
          await admit(session.user.email);
          // Whoever knew the old password is signed out with it.
          return { context: { ...context, body: { ...context.body, revokeOtherSessions: true } } };
        }
      }),
      after: createAuthMiddleware(async (context) => {
        const session = context.context.newSession;
        if (!session) return;
        const { user } = session;
        if (context.path === CHANGE_PASSWORD) {
          await throttle.clear(user.email);
          await record(user, "person.password_changed", { kind: "person", id: user.id, name: user.name });
        } else if (context.path === SIGN_IN || context.path === CALLBACK) {
          const method = context.path === SIGN_IN ? "password" : "oidc";
          if (method === "password") await throttle.clear(user.email);
          else if (options.oidc !== undefined) await enterByOidc(database.pool, options.oidc, user);
          await record(user, "session.started", { kind: "session", id: session.session.id }, { method });
        }
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
