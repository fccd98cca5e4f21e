import { randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import type { PersonRef } from "#kernel/run/event";
import type { NewAuditEntry } from "../runtime/audit-log";
import { ROLE_SCOPES } from "../runtime/call-scopes";
import type { CeilingChange, CeilingRecord, CeilingStore, WaitingCall } from "../runtime/ceiling-store";
import { holdOf } from "../runtime/permits/call-permits";
import { type Role, roleSchema } from "../runtime/principal";
import { appendAudit } from "./audit-log";
import { readCeilings } from "./ceilings";
import { CEILING_NEWS, waitingPermits } from "./permit-book";
import { WAKE_CHANNEL } from "./run-news";
import { inTransaction } from "./transaction";
import { retryTransient } from "./transient";

/** Ceilings and scopes in Postgres. A change is entered in the audit, and told to every worker, in its transaction. */
export class PostgresCeilingStore implements CeilingStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async list(workspaceId: string): Promise<readonly CeilingRecord[]> {
    const ceilings = await readCeilings(this.#pool, workspaceId);
    const rows = await this.#pool.query<{ id: string; name: string | null; at: number }>(
      `SELECT ceilings.id, people.name, (extract(epoch FROM ceilings.updated_at) * 1000)::float8 AS at
       FROM ceilings LEFT JOIN people ON people.id = ceilings.person_id WHERE workspace_id = $1`,
      [workspaceId],
    );
    const rowOf = new Map(rows.rows.map((row) => [row.id, row]));
    return ceilings.map(({ reserved: _reserved, ...ceiling }) => {
      const row = rowOf.get(ceiling.id);
      const personName = row?.name ?? undefined;
      return { ...ceiling, ...(personName !== undefined && { personName }), updatedAt: row?.at ?? 0 };
    });
  }

  set(workspaceId: string, { personId = "", period, budget, limit }: CeilingChange, by: PersonRef): Promise<boolean> {
    return this.#change(async (client) => {
      const set = await client.query<{ id: string }>(
        `INSERT INTO ceilings (id, workspace_id, person_id, period, budget, "limit", updated_by_id)
         SELECT $1, $2, $3, $4, $5, $6, $7
         WHERE $3 = '' OR EXISTS (SELECT FROM memberships WHERE workspace_id = $2 AND person_id = $3)
         ON CONFLICT (workspace_id, person_id, period, budget)
         DO UPDATE SET "limit" = excluded."limit", updated_by_id = excluded.updated_by_id, updated_at = clock_timestamp()
         RETURNING id`,
        [randomUUID(), workspaceId, personId, period, budget, limit, by.id],
      );
      const id = set.rows[0]?.id;
      if (id === undefined) return undefined;
      return entry(workspaceId, by, "limits.ceiling_set", id, { personId, period, budget, limit });
    });
  }

  remove(workspaceId: string, id: string, by: PersonRef): Promise<boolean> {
    return this.#change(async (client) => {
      const removed = await client.query("DELETE FROM ceilings WHERE id = $1 AND workspace_id = $2", [id, workspaceId]);
      return removed.rowCount === 0 ? undefined : entry(workspaceId, by, "limits.ceiling_removed", id, {});
    });
  }

  async roleScopes(workspaceId: string): Promise<ReadonlyMap<Role, readonly string[]>> {
    const { rows } = await this.#pool.query<{ role: string; scopes: string[] }>(
      "SELECT role::text, scopes FROM role_scopes WHERE workspace_id = $1",
      [workspaceId],
    );
    const narrowed = new Map(rows.map(({ role, scopes }) => [role, scopes]));
    return new Map(roleSchema.options.map((role) => [role, narrowed.get(role) ?? ROLE_SCOPES[role]]));
  }

  async setRoleScopes(workspaceId: string, role: Role, scopes: readonly string[] | null, by: PersonRef): Promise<void> {
    await this.#change(async (client) => {
      if (scopes === null) {
        await client.query("DELETE FROM role_scopes WHERE workspace_id = $1 AND role = $2::role", [workspaceId, role]);
      } else {
        await client.query(
          `INSERT INTO role_scopes (workspace_id, role, scopes) VALUES ($1, $2::role, $3)
           ON CONFLICT (workspace_id, role) DO UPDATE SET scopes = excluded.scopes`,
          [workspaceId, role, [...scopes]],
        );
      }
      return entry(workspaceId, by, "limits.scopes_set", role, { scopes: scopes === null ? null : [...scopes] });
    });
  }

  async waitingCalls(workspaceId: string, runId: string): Promise<readonly WaitingCall[]> {
    const waiting = await waitingPermits(this.#pool, workspaceId, runId);
    return waiting.map(({ permit, on }) => ({
      taskId: permit.taskId,
      capability: permit.demand.capability,
      hold: holdOf(on, permit.demand.capability),
    }));
  }

  /** One change with its entry in the audit; false where it found nothing to change. */
  #change(change: (client: ClientBase) => Promise<NewAuditEntry | undefined>): Promise<boolean> {
    return retryTransient(() =>
      inTransaction(this.#pool, async (client) => {
        const made = await change(client);
        if (made === undefined) return false;
        await client.query("SELECT pg_notify($1, worker_id || ':' || $2) FROM worker_heartbeats", [
          WAKE_CHANNEL,
          CEILING_NEWS,
        ]);
        await appendAudit(client, made);
        return true;
      }),
    );
  }
}

const entry = (
  workspaceId: string,
  by: PersonRef,
  action: NewAuditEntry["action"],
  id: string,
  detail: NonNullable<NewAuditEntry["detail"]>,
): NewAuditEntry => ({
  workspaceId,
  actor: { kind: "person", id: by.id, name: by.name },
  action,
  subject: { kind: "limit", id },
  detail,
});
