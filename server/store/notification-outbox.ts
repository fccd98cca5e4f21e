import type { Pool } from "pg";
import { z } from "zod";
import {
  channelSettingsSchema,
  type DeliveryEnd,
  type DueDelivery,
  type NotificationOutbox,
  notificationKindSchema,
  type Sealer,
} from "../runtime/notifications";
import { concernedAddresses } from "./notification-recipients";
import { openChannelSecret } from "./notification-settings";
import { plainText } from "./run-projection";

/** A delivery is tried this often, over about a day, and then given up on. */
export const ATTEMPTS_MAX = 12;
const FIRST_WAIT_MS = 5_000;
const WAIT_MS_MAX = 4 * 3_600_000;
/** Of one channel at once, so that a slow one holds up no other. */
const PER_CHANNEL = 2;
const ERROR_CHARACTERS_MAX = 500;
/** How long the log of deliveries goes back. */
const KEPT = "30 days";

const factsSchema = z.record(z.string(), z.unknown());

interface ClaimedRow {
  readonly delivery_id: string;
  readonly attempts: number;
  readonly channel_id: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly settings: string;
  readonly secret: string | null;
  readonly notification_id: string;
  readonly kind: string;
  readonly at: string;
  readonly facts: string;
  readonly run_id: string | null;
  readonly run_name: string | null;
  readonly gate_id: string | null;
  readonly task_id: string | null;
  readonly decide_by: string | null;
}

/** Deliveries in Postgres. Workers share them: who takes one in hand has it alone until its time is over. */
export function createNotificationOutbox(pool: Pool, sealer: Sealer): NotificationOutbox {
  return {
    async claim(limit, { holdMs, busyChannels }) {
      const { rows } = await pool.query<ClaimedRow>({
        name: "claim_deliveries",
        text: `
          WITH candidate AS (
            SELECT id, row_number() OVER (PARTITION BY channel_id ORDER BY next_attempt_at, id) AS place
            FROM notification_deliveries
            WHERE status = 'pending' AND next_attempt_at <= clock_timestamp() AND channel_id <> ALL($3::text[])
          ), due AS (
            SELECT delivery.id FROM notification_deliveries AS delivery JOIN candidate USING (id)
            WHERE candidate.place <= $4 AND delivery.status = 'pending'
              AND delivery.next_attempt_at <= clock_timestamp()
              AND (delivery.claimed_until IS NULL OR delivery.claimed_until < clock_timestamp())
            ORDER BY delivery.next_attempt_at, delivery.id LIMIT $1 FOR UPDATE OF delivery SKIP LOCKED
          ), claimed AS (
            UPDATE notification_deliveries AS delivery
            SET attempts = attempts + 1, claimed_until = clock_timestamp() + $2::float8 * interval '1 ms'
            FROM due WHERE delivery.id = due.id
            RETURNING delivery.id, delivery.attempts, delivery.channel_id, delivery.notification_id
          )
          SELECT claimed.id AS delivery_id, claimed.attempts, claimed.channel_id, channel.workspace_id,
                 workspace.name AS workspace_name, channel.settings, channel.secret, notification.id AS notification_id,
                 notification.kind, (extract(epoch FROM notification.at) * 1000)::text AS at, notification.facts,
                 notification.run_id, runs.name AS run_name, notification.gate_id, gates.task_id,
                 (extract(epoch FROM gates.decide_by) * 1000)::text AS decide_by
          FROM claimed
          JOIN notifications AS notification ON notification.id = claimed.notification_id
          JOIN notification_channels AS channel ON channel.id = claimed.channel_id
          JOIN workspaces AS workspace ON workspace.id = channel.workspace_id
          LEFT JOIN runs ON runs.id = notification.run_id
          LEFT JOIN gates ON gates.id = notification.gate_id
          ORDER BY notification.at, claimed.id`,
        values: [limit, holdMs, [...busyChannels], PER_CHANNEL],
      });
      const read = await Promise.all(rows.map((row) => readOrSettle(row)));
      return read.filter((delivery) => delivery !== undefined);
    },

    settle,

    async prune() {
      await pool.query(`DELETE FROM notifications WHERE at < clock_timestamp() - interval '${KEPT}'`);
    },
  };

  /** The attempt is counted already: a row that cannot be read ends by itself and holds up no other. */
  async function readOrSettle(row: ClaimedRow): Promise<DueDelivery | undefined> {
    try {
      return await deliveryOf(pool, sealer, row);
    } catch {
      // Not the problem's own words: a parser repeats what it read, and that may be a secret.
      await settle(
        { id: row.delivery_id, attempt: row.attempts },
        { type: "retry", error: "The message could not be read from the database." },
      );
      return undefined;
    }
  }

  async function settle(delivery: Pick<DueDelivery, "id" | "attempt">, end: DeliveryEnd): Promise<void> {
    const givenUp = end.type === "failed" || (end.type === "retry" && delivery.attempt >= ATTEMPTS_MAX);
    const waitMs = end.type === "retry" ? Math.max(end.afterMs ?? 0, waitAfter(delivery.attempt)) : 0;
    await pool.query(
      `UPDATE notification_deliveries
         SET status = $3::notification_status, claimed_until = NULL, last_error = $4,
             sent_at = CASE WHEN $3 = 'sent' THEN clock_timestamp() END,
             next_attempt_at = clock_timestamp() + $5::float8 * interval '1 ms'
         WHERE id = $1 AND attempts = $2 AND status = 'pending'`,
      [
        delivery.id,
        delivery.attempt,
        end.type === "sent" ? "sent" : givenUp ? "failed" : "pending",
        end.type === "sent" ? null : plainText(end.error).slice(0, ERROR_CHARACTERS_MAX),
        Math.min(waitMs, WAIT_MS_MAX),
      ],
    );
  }
}

/** 5 s, then twice that, and so on. */
const waitAfter = (attempt: number): number => Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), WAIT_MS_MAX);

async function deliveryOf(pool: Pool, sealer: Sealer, row: ClaimedRow): Promise<DueDelivery> {
  const settings = channelSettingsSchema.parse(JSON.parse(row.settings));
  const concerned =
    settings.kind === "email" && settings.toConcerned
      ? await concernedAddresses(pool, {
          workspaceId: row.workspace_id,
          runId: row.run_id,
          gateId: row.gate_id,
          kind: row.kind,
        })
      : [];
  return {
    id: row.delivery_id,
    channelId: row.channel_id,
    attempt: row.attempts,
    settings,
    secret: openChannelSecret(sealer, { ...row, id: row.channel_id }),
    recipients: settings.kind === "email" ? [...new Set([...settings.to, ...concerned])] : [],
    notification: {
      id: row.notification_id,
      kind: notificationKindSchema.parse(row.kind),
      at: Number(row.at),
      workspaceName: row.workspace_name,
      facts: factsSchema.parse(JSON.parse(row.facts)),
      ...(row.run_id === null ? {} : { runId: row.run_id }),
      ...(row.run_name === null ? {} : { runName: row.run_name }),
      ...(row.gate_id === null ? {} : { gateId: row.gate_id }),
      ...(row.task_id === null ? {} : { taskId: row.task_id }),
      ...(row.decide_by === null ? {} : { decideBy: Number(row.decide_by) }),
    },
  };
}
