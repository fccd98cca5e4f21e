import { randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { personIdSchema } from "#kernel/ids";
import { err, ok } from "#kernel/result";
import { actorOf, type NewAuditEntry } from "../runtime/audit-log";
import { DELEGATION_DAYS_MAX, type DelegationRecord, type Delegations, delegationSchema } from "../runtime/delegations";
import type { Principal } from "../runtime/principal";
import { appendAudit } from "./audit-log";
import { plainText } from "./run-projection";
import { inTransaction } from "./transaction";

const DAY_MS = 86_400_000;
/** A start given in the past means now; a clock that is a little behind must not refuse one. */
const BACKDATED_MS_MAX = 3_600_000;

/** Delegations in Postgres, judged and dated by the database clock. */
export function createDelegations(pool: Pool): Delegations {
  return {
    list: (workspaceId) => read(pool, workspaceId),

    async candidates({ person, workspace }) {
      const result = await pool.query<{ id: string; name: string }>(
        `SELECT other.id, other.name FROM memberships JOIN people AS other ON other.id = memberships.person_id
         WHERE memberships.workspace_id = $1 AND other.id <> $2
           AND mailbox_of(other.email) <> (SELECT mailbox_of(email) FROM people WHERE id = $2)
         ORDER BY other.name, other.id`,
        [workspace.id, person.id],
      );
      return result.rows.map(({ id, name }) => ({ id: personIdSchema.parse(id), name }));
    },

    create(principal, { delegateId, startsAt, endsAt, reason }) {
      const { person, workspace } = principal;
      return inTransaction(pool, async (client) => {
        // One at a time for a delegator, so that two tabs cannot lend the same right twice.
        await client.query("SELECT id FROM people WHERE id = $1 FOR NO KEY UPDATE", [person.id]);
        const facts = await client.query<{ now: string; member: boolean; same: boolean }>(
          `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS now,
                  EXISTS (SELECT FROM memberships WHERE workspace_id = $1 AND person_id = $3) AS member,
                  coalesce((SELECT mailbox_of(one.email) = mailbox_of(other.email) FROM people AS one, people AS other
                            WHERE one.id = $2 AND other.id = $3), false) AS same`,
          [workspace.id, person.id, delegateId],
        );
        const { member = false, same = false } = facts.rows[0] ?? {};
        const now = Number(facts.rows[0]?.now);
        if (!member) return err("not_a_member");
        if (same || delegateId === person.id) return err("same_person");
        const from = Math.max(now, startsAt ?? now);
        const backdated = startsAt !== undefined && startsAt < now - BACKDATED_MS_MAX;
        if (backdated || endsAt <= from || endsAt - from > DELEGATION_DAYS_MAX * DAY_MS) return err("period_invalid");
        const overlap = await client.query(
          `SELECT id FROM delegations WHERE workspace_id = $1 AND delegator_id = $2 AND delegate_id = $3
             AND revoked_at IS NULL AND starts_at < to_timestamp($5::float8 / 1000)
             AND ends_at > to_timestamp($4::float8 / 1000)`,
          [workspace.id, person.id, delegateId, from, endsAt],
        );
        if (overlap.rows.length > 0) return err("already_delegated");
        const id = randomUUID();
        await client.query(
          `INSERT INTO delegations (id, workspace_id, delegator_id, delegate_id, reason, starts_at, ends_at)
           VALUES ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000))`,
          [id, workspace.id, person.id, delegateId, reason === undefined ? null : plainText(reason), from, endsAt],
        );
        const [created] = await read(client, workspace.id, id);
        if (created === undefined) throw new Error("the delegation that was just made is not there");
        await appendAudit(client, auditOf(principal, "delegation.created", created));
        return ok(created);
      });
    },

    revoke(principal, delegationId) {
      const { person, workspace, roles } = principal;
      return inTransaction(pool, async (client) => {
        const changed = await client.query(
          `UPDATE delegations SET revoked_at = clock_timestamp(), revoked_by_id = $3
           WHERE id = $1 AND workspace_id = $2 AND revoked_at IS NULL AND ends_at > clock_timestamp()
             AND (delegator_id = $3 OR $4)`,
          [delegationId, workspace.id, person.id, roles.includes("admin")],
        );
        if (changed.rowCount === 0) return undefined;
        const [revoked] = await read(client, workspace.id, delegationId);
        if (revoked !== undefined) await appendAudit(client, auditOf(principal, "delegation.revoked", revoked));
        return revoked;
      });
    },
  };
}

const auditOf = (
  principal: Principal,
  action: "delegation.created" | "delegation.revoked",
  { id, delegator, delegate, startsAt, endsAt }: DelegationRecord,
): NewAuditEntry => ({
  workspaceId: principal.workspace.id,
  actor: actorOf(principal),
  action,
  subject: { kind: "delegation", id },
  detail: { delegator: delegator.id, delegate: delegate.id, startsAt, endsAt },
});

async function read(client: ClientBase | Pool, workspaceId: string, id?: string): Promise<readonly DelegationRecord[]> {
  const result = await client.query<{ record: unknown }>(
    `SELECT json_strip_nulls(json_build_object(
       'id', delegations.id,
       'delegator', json_build_object('id', delegator.id, 'name', delegator.name),
       'delegate', json_build_object('id', delegate.id, 'name', delegate.name),
       'reason', delegations.reason,
       'startsAt', extract(epoch FROM starts_at) * 1000,
       'endsAt', extract(epoch FROM ends_at) * 1000,
       'createdAt', extract(epoch FROM delegations.created_at) * 1000,
       'revokedAt', extract(epoch FROM revoked_at) * 1000,
       'state', CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
                     WHEN ends_at <= clock_timestamp() THEN 'over'
                     WHEN starts_at > clock_timestamp() THEN 'planned'
                     ELSE 'active' END)) AS record
     FROM delegations
     JOIN people AS delegator ON delegator.id = delegator_id
     JOIN people AS delegate ON delegate.id = delegate_id
     WHERE workspace_id = $1 AND ($2::text IS NULL OR delegations.id = $2)
       AND ends_at > clock_timestamp() - interval '${DELEGATION_DAYS_MAX} days'
     ORDER BY delegations.created_at DESC, delegations.id LIMIT 500`,
    [workspaceId, id ?? null],
  );
  return result.rows.map(({ record }) => delegationSchema.parse(record));
}
