import type { Database } from "../db";
import { type Principal, principalSchema } from "../runtime/principal";
import { apiKeyIn, hashApiKey, SIGN_SCOPE } from "./api-key";
import type { Auth } from "./auth";

/** Whose key or session came with the request. */
interface Caller {
  readonly personId: string;
  readonly workspaceId?: string;
  readonly via: Principal["via"];
  readonly maySign: boolean;
}

const MEMBERSHIP = {
  select: {
    roles: true,
    person: { select: { id: true, name: true, email: true } },
    workspace: { select: { id: true, name: true } },
  },
} as const;

/**
 * Who sent a request with these headers, and what they may do now: roles are read each time, so that taking one away
 * works at once. A request with a key is judged by the key alone. Undefined: nobody we know.
 */
export async function identify(database: Database, auth: Auth, headers: Headers): Promise<Principal | undefined> {
  const caller = headers.has("authorization") ? await byKey(database, headers) : await bySession(auth, headers);
  if (!caller) return undefined;
  const membership = await database.prisma.membership.findFirst({
    where: { personId: caller.personId, ...(caller.workspaceId && { workspaceId: caller.workspaceId }) },
    orderBy: { createdAt: "asc" },
    ...MEMBERSHIP,
  });
  return membership ? principalSchema.parse({ ...membership, via: caller.via, maySign: caller.maySign }) : undefined;
}

async function bySession(auth: Auth, headers: Headers): Promise<Caller | undefined> {
  const session = await auth.api.getSession({ headers });
  return session ? { personId: session.user.id, via: "session", maySign: true } : undefined;
}

async function byKey({ pool }: Database, headers: Headers): Promise<Caller | undefined> {
  const secret = apiKeyIn(headers);
  if (!secret) return undefined;
  const { rows } = await pool.query<{
    id: string;
    personId: string;
    workspaceId: string;
    scopes: string[];
    stale: boolean;
  }>(
    `SELECT id, person_id AS "personId", workspace_id AS "workspaceId", coalesce(scopes, '{}') AS scopes,
            last_used_at IS NULL OR last_used_at < now() - interval '1 minute' AS stale
       FROM api_keys
      WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [hashApiKey(secret)],
  );
  const key = rows[0];
  if (!key) return undefined;
  if (key.stale) await pool.query("UPDATE api_keys SET last_used_at = now() WHERE id = $1", [key.id]);
  return {
    personId: key.personId,
    workspaceId: key.workspaceId,
    via: "api_key",
    maySign: key.scopes.includes(SIGN_SCOPE),
  };
}
