import type { ClientBase } from "pg";
import { err, ok, type Result } from "#kernel/result";
import type { AuditActor } from "../runtime/audit-log";
import type { Role } from "../runtime/principal";
import type { MemberRefusal } from "../runtime/workspaces";
import { appendAudit } from "./audit-log";

/** Somebody in a workspace, as the transaction that asked holds them. */
export interface LockedMember {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly isLastAdmin: boolean;
}

/** A member, with every membership of the workspace locked: two admins who remove each other must not both succeed. */
export async function lockMember(
  client: ClientBase,
  workspaceId: string,
  personId: string,
): Promise<LockedMember | undefined> {
  const { rows } = await client.query<{ person_id: string; name: string; roles: Role[] }>(
    `SELECT person_id, people.name, roles::text[] AS roles FROM memberships JOIN people ON people.id = person_id
      WHERE workspace_id = $1 ORDER BY person_id FOR UPDATE OF memberships`,
    [workspaceId],
  );
  const found = rows.find((row) => row.person_id === personId);
  const admins = rows.filter(({ roles }) => roles.includes("admin"));
  return found && { ...found, isLastAdmin: admins.length === 1 && admins[0] === found };
}

export interface RoleChange {
  readonly workspaceId: string;
  readonly personId: string;
  readonly roles: readonly Role[];
  readonly actor: AuditActor;
  /** Who or what decided it, where it was no person: the identity provider. */
  readonly by?: "oidc";
}

/** Gives a member other roles and notes it; never takes the last admin's. The last statement before the commit. */
export async function changeRoles(
  client: ClientBase,
  { workspaceId, personId, roles, actor, by }: RoleChange,
): Promise<Result<void, MemberRefusal>> {
  const found = await lockMember(client, workspaceId, personId);
  if (found === undefined) return err("not_found");
  if (found.isLastAdmin && !roles.includes("admin")) return err("last_admin");
  await client.query("UPDATE memberships SET roles = $3::role[] WHERE workspace_id = $1 AND person_id = $2", [
    workspaceId,
    personId,
    roles,
  ]);
  await appendAudit(client, {
    workspaceId,
    actor,
    action: "member.roles_changed",
    subject: { kind: "person", id: personId, name: found.name },
    detail: { ...(by === undefined ? {} : { by }), before: found.roles, after: roles },
  });
  return ok(undefined);
}

/** Whether somebody who is no member has been one. The audit knows: its rows outlive the membership and retention. */
export async function wasMember(client: ClientBase, workspaceId: string, personId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM audit_entries
      WHERE workspace_id = $1 AND subject_id = $2 AND subject_kind = 'person'
        AND action IN ('member.joined', 'member.removed', 'member.left') LIMIT 1`,
    [workspaceId, personId],
  );
  return rowCount !== 0;
}
