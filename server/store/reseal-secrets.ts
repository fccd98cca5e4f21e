import type { Pool } from "pg";
import type { KeyRing } from "../secrets/key-ring";
import { sealerOf } from "../secrets/sealer";
import { placeOfChannel } from "./notification-settings";
import { openSealed, SEALED, type SealedRow } from "./secret-store";

/**
 * Seals anew what an older key sealed, so that the older one can be taken away: the secrets of capabilities and those of
 * notification channels. Rows that changed meanwhile are left to the next time, and so is what no key at hand opens.
 *
 * @returns how many were sealed again.
 */
export async function resealSecrets(pool: Pool, keys: KeyRing): Promise<number> {
  return (await resealCapabilitySecrets(pool, keys)) + (await resealChannels(pool, keys));
}

async function resealCapabilitySecrets(pool: Pool, keys: KeyRing): Promise<number> {
  const { rows } = await pool.query<SealedRow>(`SELECT ${SEALED} FROM secrets WHERE key_id <> $1`, [keys.currentId]);
  let resealed = 0;
  for (const row of rows) {
    const value = openSealed(keys, row);
    if (value === undefined) continue;
    const { keyId, nonce, ciphertext, tag } = keys.seal({ workspaceId: row.workspace_id, name: row.name }, value);
    const { rowCount } = await pool.query(
      `UPDATE secrets SET key_id = $1, nonce = $2, ciphertext = $3, tag = $4
       WHERE workspace_id = $5 AND name = $6 AND key_id = $7 AND nonce = $8`,
      [keyId, nonce, ciphertext, tag, row.workspace_id, row.name, row.key_id, row.nonce],
    );
    resealed += rowCount ?? 0;
  }
  return resealed;
}

async function resealChannels(pool: Pool, keys: KeyRing): Promise<number> {
  const sealer = sealerOf(keys);
  // The key's id stands in the sealed text; read as text, one that is no JSON stops nothing.
  const { rows } = await pool.query<{ id: string; workspace_id: string; secret: string }>(
    `SELECT id, workspace_id, secret FROM notification_channels
     WHERE secret IS NOT NULL AND strpos(secret, '"keyId":"' || $1 || '"') = 0`,
    [keys.currentId],
  );
  let resealed = 0;
  for (const row of rows) {
    const place = placeOfChannel(row.workspace_id, row.id);
    const text = sealer.open(place, row.secret);
    const sealed = text === undefined ? undefined : sealer.seal(place, text);
    if (sealed === undefined) continue;
    const { rowCount } = await pool.query(
      "UPDATE notification_channels SET secret = $1 WHERE id = $2 AND secret = $3",
      [sealed, row.id, row.secret],
    );
    resealed += rowCount ?? 0;
  }
  return resealed;
}
