import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { newApiKey } from "../auth/api-key";
import { type ApiKeyStore, type ApiKeySummary, apiKeySummarySchema } from "../runtime/api-key-store";
import { actorOf } from "../runtime/audit-log";
import { appendAudit } from "./audit-log";
import { inTransaction } from "./transaction";

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly agent: boolean;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
}

const COLUMNS = "id, name, prefix, scopes, agent, created_at, last_used_at, expires_at";

const summaryOf = (row: ApiKeyRow): ApiKeySummary =>
  apiKeySummarySchema.parse({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    agent: row.agent,
    createdAt: row.created_at.getTime(),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at.getTime() }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at.getTime() }),
  });

/** API keys in Postgres: the hash is kept, the secret is in the answer to its making and nowhere else. */
export function createApiKeyStore(pool: Pool): ApiKeyStore {
  return {
    create: (principal, { name, scopes, agent, days }) =>
      inTransaction(pool, async (client) => {
        const { person, workspace } = principal;
        const { secret, prefix, hash } = newApiKey();
        const { rows } = await client.query<ApiKeyRow>(
          `INSERT INTO api_keys (id, workspace_id, person_id, name, prefix, hash, scopes, agent, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9::int)) RETURNING ${COLUMNS}`,
          [randomUUID(), workspace.id, person.id, name, prefix, hash, scopes, agent, days ?? null],
        );
        const [row] = rows;
        if (row === undefined) throw new Error("The key was not inserted.");
        await appendAudit(client, {
          workspaceId: workspace.id,
          actor: actorOf(principal),
          action: "key.created",
          subject: { kind: "key", id: row.id, name },
          detail: { scopes, agent, ...(row.expires_at && { expiresAt: row.expires_at.getTime() }) },
        });
        return { key: summaryOf(row), secret };
      }),

    async list({ person, workspace }) {
      const { rows } = await pool.query<ApiKeyRow>(
        `SELECT ${COLUMNS} FROM api_keys
          WHERE workspace_id = $1 AND person_id = $2 AND revoked_at IS NULL ORDER BY created_at DESC, id`,
        [workspace.id, person.id],
      );
      return rows.map(summaryOf);
    },

    revoke: (principal, keyId) =>
      inTransaction(pool, async (client) => {
        const { person, workspace } = principal;
        const { rows } = await client.query<{ name: string }>(
          `UPDATE api_keys SET revoked_at = now()
            WHERE id = $1 AND workspace_id = $2 AND person_id = $3 AND revoked_at IS NULL RETURNING name`,
          [keyId, workspace.id, person.id],
        );
        const [row] = rows;
        if (row === undefined) return false;
        await appendAudit(client, {
          workspaceId: workspace.id,
          actor: actorOf(principal),
          action: "key.revoked",
          subject: { kind: "key", id: keyId, name: row.name },
        });
        return true;
      }),
  };
}
