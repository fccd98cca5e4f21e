import { randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { actorOf, type NewAuditEntry } from "../runtime/audit-log";
import {
  type Channel,
  type ChannelDraft,
  type ChannelSecret,
  channelSchema,
  channelSecretSchema,
  channelSettingsSchema,
  deliverySchema,
  type NotificationSettings,
  type Sealer,
  SecretsUnavailable,
} from "../runtime/notifications";
import type { Principal } from "../runtime/principal";
import { appendAudit } from "./audit-log";
import { secretAfter } from "./channel-secret";
import { inTransaction } from "./transaction";

interface ChannelRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly events: readonly string[];
  readonly settings: string;
  readonly secret: string | null;
  readonly updated_at: Date;
}

const COLUMNS = "id, workspace_id, name, enabled, events, settings, secret, updated_at";

/** Where the secret of a channel belongs; sealed for it, it opens nowhere else. */
export const placeOfChannel = (workspaceId: string, channelId: string) => ({
  workspaceId,
  name: `notification-channel:${channelId}`,
});

/** The secret of a channel; undefined where it cannot be opened. */
export function openChannelSecret(
  sealer: Sealer,
  row: { readonly id: string; readonly workspace_id: string; readonly secret: string | null },
): ChannelSecret | undefined {
  if (row.secret === null) return {};
  const text = sealer.open(placeOfChannel(row.workspace_id, row.id), row.secret);
  return text === undefined ? undefined : channelSecretSchema.parse(JSON.parse(text));
}

/** Channels in Postgres; what is secret of them is sealed, and only ever told to be there. */
export function createNotificationSettings(pool: Pool, sealer: Sealer): NotificationSettings {
  const channelOf = (row: ChannelRow): Channel => {
    const secret = openChannelSecret(sealer, row);
    return channelSchema.parse({
      id: row.id,
      name: row.name,
      enabled: row.enabled,
      events: row.events,
      settings: JSON.parse(row.settings),
      secrets: {
        url: secret?.url !== undefined,
        signingKey: secret?.signingKey !== undefined,
        password: secret?.password !== undefined,
      },
      updatedAt: row.updated_at.getTime(),
    });
  };
  const seal = (workspaceId: string, channelId: string, secret: ChannelSecret): string | null => {
    const kept = Object.entries(secret).filter(([, value]) => value !== undefined && value !== "");
    if (kept.length === 0) return null;
    const sealed = sealer.seal(placeOfChannel(workspaceId, channelId), JSON.stringify(Object.fromEntries(kept)));
    if (sealed === undefined) throw new SecretsUnavailable("There is no key to seal the channel's secret with.");
    return sealed;
  };
  const read = async (client: ClientBase | Pool, workspaceId: string, id?: string): Promise<readonly ChannelRow[]> => {
    const { rows } = await client.query<ChannelRow>(
      `SELECT ${COLUMNS} FROM notification_channels
       WHERE workspace_id = $1 AND removed_at IS NULL AND ($2::text IS NULL OR id = $2) ORDER BY created_at, id`,
      [workspaceId, id ?? null],
    );
    return rows;
  };

  return {
    async channels(workspaceId) {
      return (await read(pool, workspaceId)).map(channelOf);
    },

    create: (principal, draft) =>
      inTransaction(pool, async (client) => {
        const id = randomUUID();
        const workspaceId = principal.workspace.id;
        const { rows } = await client.query<ChannelRow>(
          `INSERT INTO notification_channels
             (id, workspace_id, kind, name, enabled, events, settings, secret, created_by_id)
           VALUES ($1, $2, $3::notification_channel_kind, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
          [
            id,
            workspaceId,
            draft.settings.kind,
            draft.name,
            draft.enabled,
            [...draft.events],
            JSON.stringify(draft.settings),
            seal(workspaceId, id, draft.secret),
            principal.person.id,
          ],
        );
        await appendAudit(client, auditOf(principal, "notifications.channel_created", id, draft));
        return channelOf(onlyRow(rows));
      }),

    update: (principal, channelId, draft) =>
      inTransaction(pool, async (client) => {
        const workspaceId = principal.workspace.id;
        await client.query("SELECT id FROM notification_channels WHERE id = $1 AND workspace_id = $2 FOR UPDATE", [
          channelId,
          workspaceId,
        ]);
        const [known] = await read(client, workspaceId, channelId);
        if (known === undefined) return undefined;
        const settings = channelSettingsSchema.parse(JSON.parse(known.settings));
        const secret = secretAfter({ settings, secret: openChannelSecret(sealer, known) ?? {} }, draft);
        if (secret === undefined) return "secret_required";
        const { rows } = await client.query<ChannelRow>(
          `UPDATE notification_channels
           SET name = $2, enabled = $3, events = $4, settings = $5, secret = $6, updated_at = clock_timestamp(),
               kind = $7::notification_channel_kind
           WHERE id = $1 AND workspace_id = $8 RETURNING ${COLUMNS}`,
          [
            channelId,
            draft.name,
            draft.enabled,
            [...draft.events],
            JSON.stringify(draft.settings),
            seal(workspaceId, channelId, secret),
            draft.settings.kind,
            workspaceId,
          ],
        );
        await appendAudit(client, auditOf(principal, "notifications.channel_changed", channelId, draft));
        return channelOf(onlyRow(rows));
      }),

    remove: (principal, channelId) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `UPDATE notification_channels SET removed_at = clock_timestamp(), enabled = false, secret = NULL
           WHERE id = $1 AND workspace_id = $2 AND removed_at IS NULL RETURNING name`,
          [channelId, principal.workspace.id],
        );
        const [removed] = rows;
        if (removed === undefined) return false;
        await client.query(
          `UPDATE notification_deliveries SET status = 'failed', last_error = 'The channel was removed.'
           WHERE channel_id = $1 AND status = 'pending'`,
          [channelId],
        );
        await appendAudit(client, auditOf(principal, "notifications.channel_removed", channelId, removed));
        return true;
      }),

    test: (principal, channelId) =>
      inTransaction(pool, async (client) => {
        const [channel] = await read(client, principal.workspace.id, channelId);
        if (channel === undefined) return false;
        const id = randomUUID();
        await client.query(
          `INSERT INTO notifications (id, workspace_id, kind, facts, at) VALUES ($1, $2, 'test', $3, clock_timestamp())`,
          [id, principal.workspace.id, JSON.stringify({ by: principal.person.name })],
        );
        await client.query(
          "INSERT INTO notification_deliveries (id, notification_id, channel_id) VALUES ($1, $2, $3)",
          [randomUUID(), id, channelId],
        );
        return true;
      }),

    async deliveries(workspaceId, limit) {
      const { rows } = await pool.query<{ record: unknown }>(
        `SELECT json_strip_nulls(json_build_object(
           'id', delivery.id, 'notificationId', notification.id, 'kind', notification.kind,
           'channelId', channel.id, 'channelName', channel.name,
           'runId', notification.run_id, 'runName', runs.name, 'gateId', notification.gate_id,
           'status', delivery.status, 'attempts', delivery.attempts,
           'at', extract(epoch FROM notification.at) * 1000,
           'nextAttemptAt', CASE WHEN delivery.status = 'pending' THEN extract(epoch FROM delivery.next_attempt_at) * 1000 END,
           'sentAt', extract(epoch FROM delivery.sent_at) * 1000,
           'lastError', delivery.last_error)) AS record
         FROM notifications AS notification
         JOIN notification_deliveries AS delivery ON delivery.notification_id = notification.id
         JOIN notification_channels AS channel ON channel.id = delivery.channel_id
         LEFT JOIN runs ON runs.id = notification.run_id
         WHERE notification.workspace_id = $1
         ORDER BY notification.at DESC, delivery.id LIMIT $2`,
        [workspaceId, limit],
      );
      return rows.map(({ record }) => deliverySchema.parse(record));
    },

    async retry(principal, deliveryId) {
      const { rowCount } = await pool.query(
        `UPDATE notification_deliveries AS delivery
         SET status = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), claimed_until = NULL
         FROM notification_channels AS channel
         WHERE delivery.id = $1 AND channel.id = delivery.channel_id AND channel.workspace_id = $2
           AND channel.removed_at IS NULL AND delivery.status = 'failed'`,
        [deliveryId, principal.workspace.id],
      );
      return rowCount !== 0;
    },
  };
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("the row that was just written is not there");
  return row;
}

const auditOf = (
  principal: Principal,
  action: `notifications.${string}`,
  id: string,
  { name }: Pick<ChannelDraft, "name">,
): NewAuditEntry => ({
  workspaceId: principal.workspace.id,
  actor: actorOf(principal),
  action,
  subject: { kind: "notification_channel", id, name },
});
