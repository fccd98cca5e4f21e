import type { Pool } from "pg";
import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { grantsScope, ROLE_SCOPES } from "../runtime/call-scopes";
import type { CallContext } from "../runtime/ports";
import { type Role, roleSchema } from "../runtime/principal";

interface AuthorityRow {
  readonly roles: string[] | null;
  readonly narrowed: Record<string, string[]>;
  readonly key_stands: boolean | null;
}

/**
 * Why the person in whose name a run acts may not make a call now, or undefined. Read anew at each call that asks for
 * it: a role taken away, a key revoked or a person removed stops the next call, in whatever run.
 */
export const callAuthority =
  (pool: Pool) =>
  async (capability: CapabilitySnapshot, { workspaceId, actor }: CallContext): Promise<string | undefined> => {
    if (actor === undefined) return "This run does not say in whose name it acts.";
    const result = await pool.query<AuthorityRow>({
      name: "call_authority",
      text: `SELECT
               (SELECT roles::text[] FROM memberships WHERE workspace_id = $1 AND person_id = $2) AS roles,
               coalesce((SELECT json_object_agg(role, scopes) FROM role_scopes WHERE workspace_id = $1), '{}') AS narrowed,
               (SELECT revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AND 'run' = ANY(scopes)
                FROM api_keys WHERE id = $3 AND person_id = $2 AND workspace_id = $1) AS key_stands`,
      values: [workspaceId, actor.personId, actor.apiKeyId ?? null],
    });
    const row = result.rows[0];
    if (row?.roles == null) return "Whoever started this run is not in the workspace any more.";
    if (actor.apiKeyId !== undefined && row.key_stands !== true) return "The key that started this run stands no more.";
    const granted = row.roles.flatMap((role) => row.narrowed[role] ?? scopesOf(role));
    const missing = capability.requires.filter((scope) => !grantsScope(granted, scope));
    if (missing.length === 0) return undefined;
    return `Whoever started this run has not the scope ${missing.join(", ")} that ${capability.name} requires.`;
  };

const isRole = (role: string): role is Role => roleSchema.safeParse(role).success;
const scopesOf = (role: string): readonly string[] => (isRole(role) ? ROLE_SCOPES[role] : []);
