import type { Pool } from "pg";
import { actorOf } from "../runtime/audit-log";
import type { Principal } from "../runtime/principal";
import { type Sessions, sessionSummarySchema } from "../runtime/sessions";
import { appendAudit } from "./audit-log";
import { inTransaction } from "./transaction";

interface SessionRow {
  readonly id: string;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly expires_at: Date;
}

/** Sessions in Postgres, as better-auth keeps them. */
export function createSessions(pool: Pool): Sessions {
  const end = (principal: Principal, which: string, sessionId: string): Promise<number> =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `DELETE FROM sessions WHERE person_id = $1 AND id ${which} $2 RETURNING id`,
        [principal.person.id, sessionId],
      );
      await appendAudit(
        client,
        rows.map(({ id }) => ({
          workspaceId: principal.workspace.id,
          actor: actorOf(principal),
          action: "session.revoked" as const,
          subject: { kind: "session", id },
        })),
      );
      return rows.length;
    });
  return {
    async list({ person, viaId }) {
      const { rows } = await pool.query<SessionRow>(
        `SELECT id, ip_address, user_agent, created_at, updated_at, expires_at FROM sessions
          WHERE person_id = $1 AND expires_at > now() ORDER BY id = $2 DESC, updated_at DESC, id`,
        [person.id, viaId],
      );
      return rows.map((row) =>
        sessionSummarySchema.parse({
          id: row.id,
          current: row.id === viaId,
          userAgent: row.user_agent ?? undefined,
          address: row.ip_address || undefined,
          createdAt: row.created_at.getTime(),
          seenAt: row.updated_at.getTime(),
          expiresAt: row.expires_at.getTime(),
        }),
      );
    },
    revoke: async (principal, sessionId) => (await end(principal, "=", sessionId)) === 1,
    revokeOthers: (principal) => end(principal, "<>", principal.viaId),
  };
}
