import type { Pool } from "pg";
import { personIdSchema } from "#kernel/ids";
import { actorOf, type NewAuditEntry } from "../runtime/audit-log";
import type { Principal } from "../runtime/principal";
import type { SecretReader, SecretSummary, SecretVault } from "../runtime/secret-vault";
import type { KeyRing, SealedSecret } from "../secrets/key-ring";
import { hideFromLog } from "../secrets/known-secrets";
import { appendAudit } from "./audit-log";
import { inTransaction } from "./transaction";

export interface SealedRow {
  readonly workspace_id: string;
  readonly name: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
  readonly key_id: string;
}

interface SummaryRow extends SealedRow {
  readonly version: number;
  readonly created_at: Date;
  readonly set_at: Date;
  readonly set_by_id: string;
  readonly set_by_name: string;
  readonly last_used_at: Date | null;
}

export const SEALED = "workspace_id, name, nonce, ciphertext, tag, key_id";

const sealedOf = (row: SealedRow): SealedSecret => ({
  keyId: row.key_id,
  nonce: row.nonce,
  ciphertext: row.ciphertext,
  tag: row.tag,
});

export const openSealed = (keys: KeyRing | undefined, row: SealedRow): string | undefined =>
  keys?.open({ workspaceId: row.workspace_id, name: row.name }, sealedOf(row));

/** Values for calls. Each one read is from then on kept out of this process's log. */
export function createSecretReader(pool: Pool, keys: KeyRing | undefined): SecretReader {
  return {
    async read(workspaceId, names) {
      const wanted = [...new Set(names)];
      const { rows } = await pool.query<SealedRow>({
        name: "read_secrets",
        text: `SELECT ${SEALED} FROM secrets WHERE workspace_id = $1 AND name = ANY($2::text[])`,
        values: [workspaceId, wanted],
      });
      const values = new Map<string, string>();
      for (const row of rows) {
        const value = openSealed(keys, row);
        if (value === undefined) continue;
        hideFromLog({ name: row.name, value });
        values.set(row.name, value);
      }
      const missing = wanted.filter((name) => !values.has(name));
      if (missing.length > 0) return { ok: false, missing };
      await pool.query({
        name: "note_secret_use",
        text: `UPDATE secrets SET last_used_at = now() WHERE workspace_id = $1 AND name = ANY($2::text[])
               AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
        values: [workspaceId, wanted],
      });
      return { ok: true, values };
    },
  };
}

/** @param usersOf the capabilities of a workspace that name each secret. */
export function createSecretVault(
  pool: Pool,
  keys: KeyRing | undefined,
  usersOf: (workspaceId: string) => Promise<ReadonlyMap<string, readonly string[]>>,
): SecretVault {
  return {
    async list(workspaceId) {
      const { rows } = await pool.query<SummaryRow>(
        `SELECT ${SEALED}, version, created_at, set_at, set_by_id, set_by_name, last_used_at FROM secrets
         WHERE workspace_id = $1 ORDER BY name`,
        [workspaceId],
      );
      const users = await usersOf(workspaceId);
      return rows.map((row) => summaryOf(row, { keys, usedBy: users.get(row.name) ?? [] }));
    },

    set: (principal, name, value) => {
      if (keys === undefined) return Promise.resolve(false);
      const { workspace, person } = principal;
      hideFromLog({ name, value });
      const { keyId, nonce, ciphertext, tag } = keys.seal({ workspaceId: workspace.id, name }, value);
      return inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ version: number }>(
          `INSERT INTO secrets AS secret (workspace_id, name, nonce, ciphertext, tag, key_id, set_by_id, set_by_name)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (workspace_id, name) DO UPDATE SET
           nonce = excluded.nonce, ciphertext = excluded.ciphertext, tag = excluded.tag, key_id = excluded.key_id,
           set_by_id = excluded.set_by_id, set_by_name = excluded.set_by_name, set_at = now(),
           version = secret.version + 1
         RETURNING version`,
          [workspace.id, name, nonce, ciphertext, tag, keyId, person.id, person.name],
        );
        await appendAudit(client, entry(principal, "secret.set", { name, version: rows[0]?.version ?? 0 }));
        return true;
      });
    },

    remove: (principal, name) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ version: number }>(
          "DELETE FROM secrets WHERE workspace_id = $1 AND name = $2 RETURNING version",
          [principal.workspace.id, name],
        );
        const [removed] = rows;
        if (removed === undefined) return false;
        await appendAudit(client, entry(principal, "secret.removed", { name, version: removed.version }));
        return true;
      }),
  };
}

const entry = (
  principal: Principal,
  action: NewAuditEntry["action"],
  { name, version }: { readonly name: string; readonly version: number },
): NewAuditEntry => ({
  workspaceId: principal.workspace.id,
  actor: actorOf(principal),
  action,
  subject: { kind: "secret", id: name },
  detail: { version },
});

const summaryOf = (
  row: SummaryRow,
  { keys, usedBy }: { readonly keys: KeyRing | undefined; readonly usedBy: readonly string[] },
): SecretSummary => ({
  name: row.name,
  version: row.version,
  createdAt: row.created_at.getTime(),
  setAt: row.set_at.getTime(),
  setBy: { id: personIdSchema.parse(row.set_by_id), name: row.set_by_name },
  ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at.getTime() }),
  usedBy: [...usedBy],
  readable: openSealed(keys, row) !== undefined,
});
