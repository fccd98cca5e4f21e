import type { Pool } from "pg";
import { type Member, memberSchema } from "../runtime/workspaces";

/** Who is in a workspace, by name; or one of them. */
export async function findMembers(pool: Pool, workspaceId: string, personId?: string): Promise<readonly Member[]> {
  const { rows } = await pool.query<Record<string, unknown> & { seen_at: Date | null; joined_at: Date }>(
    `SELECT people.id, people.name, people.email, memberships.roles::text[] AS roles,
            memberships.created_at AS joined_at,
            (SELECT max(updated_at) FROM sessions WHERE person_id = people.id AND expires_at > now()) AS seen_at,
            (SELECT count(*)::int FROM api_keys
              WHERE person_id = people.id AND workspace_id = $1 AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > now())) AS keys
       FROM memberships JOIN people ON people.id = memberships.person_id
      WHERE workspace_id = $1 AND ($2::text IS NULL OR people.id = $2)
      ORDER BY lower(people.name), people.id`,
    [workspaceId, personId ?? null],
  );
  return rows.map(({ seen_at, joined_at, ...row }) =>
    memberSchema.parse({
      ...row,
      joinedAt: joined_at.getTime(),
      ...(seen_at === null ? {} : { seenAt: seen_at.getTime() }),
    }),
  );
}
