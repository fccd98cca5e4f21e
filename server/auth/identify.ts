import type { Database } from "../db";
import { type Principal, principalSchema } from "../runtime/principal";
import { apiKeyIn, hashApiKey } from "./api-key";
import type { Auth } from "./auth";

interface MembershipRow {
  readonly person_id: string;
  readonly person_name: string;
  readonly email: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly roles: string[];
}

const MEMBERSHIP = `people.id AS person_id, people.name AS person_name, people.email,
       workspaces.id AS workspace_id, workspaces.name AS workspace_name, memberships.roles::text[] AS roles`;

/**
 * Who sent a request with these headers, and what they may do now: roles are read each time, so that taking one away
 * works at once. A request with a key is judged by the key alone. Undefined: nobody we know, or somebody who is in no
 * workspace (any more).
 */
export const identify = (database: Database, auth: Auth, headers: Headers): Promise<Principal | undefined> =>
  headers.has("authorization") ? byKey(database, headers) : bySession(database, auth, headers);

/** Somebody with a session, whatever workspace they are in. */
export interface SignedInPerson {
  readonly id: string;
  readonly email: string;
  readonly sessionId: string;
}

/** The person at the screen that sent these headers; undefined: nobody, or a key. */
export async function signedInPerson(auth: Auth, headers: Headers): Promise<SignedInPerson | undefined> {
  const found = headers.has("authorization") ? null : await auth.api.getSession({ headers });
  return found === null ? undefined : { id: found.user.id, email: found.user.email, sessionId: found.session.id };
}

/** The workspace that the session shows, else the one its person joined first. */
async function bySession({ pool }: Database, auth: Auth, headers: Headers): Promise<Principal | undefined> {
  const session = await auth.api.getSession({ headers });
  if (session === null) return undefined;
  const { rows } = await pool.query<MembershipRow>(
    `SELECT ${MEMBERSHIP} FROM sessions
       JOIN memberships USING (person_id)
       JOIN people ON people.id = memberships.person_id
       JOIN workspaces ON workspaces.id = memberships.workspace_id
      WHERE sessions.id = $1
      ORDER BY (memberships.workspace_id = sessions.active_workspace_id) IS TRUE DESC, memberships.created_at,
               memberships.workspace_id
      LIMIT 1`,
    [session.session.id],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return principalSchema.parse({ ...membershipOf(row), via: "session", viaId: session.session.id, maySign: true });
}

async function byKey({ pool }: Database, headers: Headers): Promise<Principal | undefined> {
  const secret = apiKeyIn(headers);
  if (!secret) return undefined;
  const { rows } = await pool.query<
    MembershipRow & { key_id: string; scopes: string[]; agent: boolean; stale: boolean }
  >(
    `SELECT ${MEMBERSHIP}, api_keys.id AS key_id, api_keys.scopes, api_keys.agent,
            last_used_at IS NULL OR last_used_at < now() - interval '1 minute' AS stale
       FROM api_keys
       JOIN memberships ON memberships.person_id = api_keys.person_id
                       AND memberships.workspace_id = api_keys.workspace_id
       JOIN people ON people.id = memberships.person_id
       JOIN workspaces ON workspaces.id = memberships.workspace_id
      WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [hashApiKey(secret)],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { key_id: viaId, scopes, agent } = row;
  if (row.stale) await pool.query("UPDATE api_keys SET last_used_at = now() WHERE id = $1", [viaId]);
  const maySign = scopes.includes("decide") && !agent;
  return principalSchema.parse({ ...membershipOf(row), via: "api_key", viaId, scopes, maySign });
}

const membershipOf = (row: MembershipRow) => ({
  person: { id: row.person_id, name: row.person_name, email: row.email },
  workspace: { id: row.workspace_id, name: row.workspace_name },
  roles: row.roles,
});
