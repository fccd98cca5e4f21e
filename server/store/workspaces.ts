import { randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { err, ok } from "#kernel/result";
import { actorOf } from "../runtime/audit-log";
import { type Workspaces, workspaceSummarySchema } from "../runtime/workspaces";
import { appendAudit } from "./audit-log";
import { findMembers } from "./members";
import { changeRoles as changeMemberRoles, lockMember } from "./memberships";
import { inTransaction } from "./transaction";

/** Workspaces in Postgres. */
export function createWorkspaces(pool: Pool): Workspaces {
  return {
    async list({ person }) {
      const { rows } = await pool.query(
        `SELECT workspaces.id, workspaces.name, memberships.roles::text[] AS roles,
                (SELECT count(*)::int FROM memberships AS others WHERE others.workspace_id = workspaces.id) AS members
           FROM memberships JOIN workspaces ON workspaces.id = memberships.workspace_id
          WHERE person_id = $1 ORDER BY lower(workspaces.name), workspaces.id`,
        [person.id],
      );
      return workspaceSummarySchema.array().parse(rows);
    },

    create: (principal, name) =>
      inTransaction(pool, async (client) => {
        const { person, viaId } = principal;
        const workspaceId = randomUUID();
        await client.query("INSERT INTO workspaces (id, name) VALUES ($1, $2)", [workspaceId, name]);
        await client.query("INSERT INTO memberships (workspace_id, person_id, roles) VALUES ($1, $2, '{admin}')", [
          workspaceId,
          person.id,
        ]);
        await client.query("UPDATE sessions SET active_workspace_id = $1 WHERE id = $2", [workspaceId, viaId]);
        await appendAudit(client, {
          workspaceId,
          actor: actorOf(principal),
          action: "workspace.created",
          subject: { kind: "workspace", id: workspaceId, name },
        });
        return { workspaceId };
      }),

    rename: (principal, name) =>
      inTransaction(pool, async (client) => {
        const { workspace } = principal;
        await client.query("UPDATE workspaces SET name = $2 WHERE id = $1", [workspace.id, name]);
        await appendAudit(client, {
          workspaceId: workspace.id,
          actor: actorOf(principal),
          action: "workspace.renamed",
          subject: { kind: "workspace", id: workspace.id, name },
          detail: { before: workspace.name },
        });
      }),

    async switchTo({ person, viaId }, workspaceId) {
      const { rowCount } = await pool.query(
        `UPDATE sessions SET active_workspace_id = $1
          WHERE id = $2 AND EXISTS (SELECT FROM memberships WHERE workspace_id = $1 AND person_id = $3)`,
        [workspaceId, viaId, person.id],
      );
      return rowCount === 1;
    },

    members: (workspaceId) => findMembers(pool, workspaceId),

    async changeRoles(principal, personId, roles) {
      const { id: workspaceId } = principal.workspace;
      const change = { workspaceId, personId, roles, actor: actorOf(principal) };
      const changed = await inTransaction(pool, (client) => changeMemberRoles(client, change));
      if (!changed.ok) return changed;
      const [member] = await findMembers(pool, workspaceId, personId);
      return member === undefined ? err("not_found") : ok(member);
    },

    remove: (principal, personId) =>
      inTransaction(pool, async (client) => {
        const { id: workspaceId } = principal.workspace;
        const found = await lockMember(client, workspaceId, personId);
        if (found === undefined) return err("not_found");
        if (found.isLastAdmin) return err("last_admin");
        await removeMember(client, workspaceId, personId);
        await appendAudit(client, {
          workspaceId,
          actor: actorOf(principal),
          action: personId === principal.person.id ? "member.left" : "member.removed",
          subject: { kind: "person", id: personId, name: found.name },
          detail: { roles: found.roles },
        });
        return ok(undefined);
      }),
  };
}

async function removeMember(client: ClientBase, workspaceId: string, personId: string): Promise<void> {
  await client.query("DELETE FROM memberships WHERE workspace_id = $1 AND person_id = $2", [workspaceId, personId]);
  await client.query(
    "UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1 AND person_id = $2 AND revoked_at IS NULL",
    [workspaceId, personId],
  );
  await client.query(
    "UPDATE sessions SET active_workspace_id = NULL WHERE active_workspace_id = $1 AND person_id = $2",
    [workspaceId, personId],
  );
}
