import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { err, ok } from "#kernel/result";
import { type AuditActor, actorOf } from "../runtime/audit-log";
import {
  INVITATION_DAYS,
  type Invitation,
  type InvitationPreview,
  type Invitations,
  invitationPreviewSchema,
  invitationSchema,
} from "../runtime/invitations";
import type { Role } from "../runtime/principal";
import { appendAudit } from "./audit-log";
import { inTransaction } from "./transaction";

/** An invitation that may still be used. */
const IS_OPEN = "accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()";

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

interface InvitationRow {
  readonly id: string;
  readonly email: string;
  readonly roles: Role[];
  readonly invited_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const COLUMNS = `invitations.id, invitations.email, invitations.roles::text[] AS roles, inviter.name AS invited_by,
                 invitations.created_at, invitations.expires_at`;

const invitationOf = (row: InvitationRow): Invitation =>
  invitationSchema.parse({
    id: row.id,
    email: row.email,
    roles: row.roles,
    invitedBy: row.invited_by,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  });

/**
 * Invitations in Postgres.
 *
 * @param hashPassword the hash under which sign-in looks for a password.
 */
export function createInvitations(pool: Pool, hashPassword: (password: string) => Promise<string>): Invitations {
  return {
    async list(workspaceId) {
      const { rows } = await pool.query<InvitationRow>(
        `SELECT ${COLUMNS} FROM invitations JOIN people AS inviter ON inviter.id = invited_by_id
          WHERE workspace_id = $1 AND ${IS_OPEN} ORDER BY invitations.created_at DESC, invitations.id`,
        [workspaceId],
      );
      return rows.map(invitationOf);
    },

    create: (principal, { email: address, roles }) =>
      inTransaction(pool, async (client) => {
        const { workspace, person } = principal;
        const email = address.toLowerCase();
        const member = await client.query(
          `SELECT FROM memberships JOIN people ON people.id = person_id WHERE workspace_id = $1 AND lower(email) = $2`,
          [workspace.id, email],
        );
        if (member.rowCount !== 0) return err("already_member");
        await client.query(
          `UPDATE invitations SET revoked_at = now() WHERE workspace_id = $1 AND email = $2 AND ${IS_OPEN}`,
          [workspace.id, email],
        );
        const token = randomBytes(32).toString("base64url");
        const { rows } = await client.query<InvitationRow>(
          `WITH made AS (
             INSERT INTO invitations (id, workspace_id, email, roles, token_hash, invited_by_id, expires_at)
             VALUES ($1, $2, $3, $4::role[], $5, $6, now() + make_interval(days => $7)) RETURNING *
           ) SELECT ${COLUMNS} FROM made AS invitations JOIN people AS inviter ON inviter.id = invited_by_id`,
          [randomUUID(), workspace.id, email, roles, hashOf(token), person.id, INVITATION_DAYS],
        );
        const [row] = rows;
        if (row === undefined) throw new Error("The invitation was not inserted.");
        await appendAudit(client, {
          workspaceId: workspace.id,
          actor: actorOf(principal),
          action: "invitation.created",
          subject: { kind: "invitation", id: row.id, name: email },
          detail: { roles },
        });
        return ok({ invitation: invitationOf(row), token });
      }),

    revoke: (principal, invitationId) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ email: string }>(
          `UPDATE invitations SET revoked_at = now() WHERE id = $1 AND workspace_id = $2 AND ${IS_OPEN} RETURNING email`,
          [invitationId, principal.workspace.id],
        );
        const [row] = rows;
        if (row === undefined) return false;
        await appendAudit(client, {
          workspaceId: principal.workspace.id,
          actor: actorOf(principal),
          action: "invitation.revoked",
          subject: { kind: "invitation", id: invitationId, name: row.email },
        });
        return true;
      }),

    async preview(token): Promise<InvitationPreview | undefined> {
      const { rows } = await pool.query<InvitationRow & { workspace: string; known: boolean }>(
        `SELECT ${COLUMNS}, workspaces.name AS workspace,
                EXISTS (SELECT FROM people WHERE lower(people.email) = invitations.email) AS known
           FROM invitations JOIN people AS inviter ON inviter.id = invited_by_id
           JOIN workspaces ON workspaces.id = workspace_id
          WHERE token_hash = $1 AND ${IS_OPEN}`,
        [hashOf(token)],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const { workspace, known } = row;
      return invitationPreviewSchema.parse({ ...invitationOf(row), workspace, known });
    },

    async accept(token, { name, password }) {
      // Before a password is hashed, which is dear: nobody without a token may have that done.
      const preview = await this.preview(token);
      if (preview === undefined) return err("invalid");
      if (preview.known) return err("known");
      const hash = await hashPassword(password);
      return inTransaction(pool, async (client) => {
        const used = await useToken(client, token);
        if (used === undefined) return err("invalid");
        const id = randomUUID();
        const made = await client.query(
          `INSERT INTO people (id, name, email, email_verified, updated_at) VALUES ($1, $2, $3, true, now())
           ON CONFLICT (email) DO NOTHING`,
          [id, name, used.email],
        );
        if (made.rowCount === 0) throw new Error("The address was taken in this very moment.");
        await client.query(
          `INSERT INTO accounts (id, person_id, account_id, provider_id, password, updated_at)
           VALUES ($1, $2, $2, 'credential', $3, now())`,
          [randomUUID(), id, hash],
        );
        await enter(client, used, { kind: "person", id, name });
        return ok({ email: used.email });
      });
    },

    join: (token, { id, email, sessionId }) =>
      inTransaction(pool, async (client) => {
        const used = await useToken(client, token, email.toLowerCase());
        if (used === undefined) return err((await isOpen(client, token)) ? "other_person" : "invalid");
        const { rows } = await client.query<{ name: string }>("SELECT name FROM people WHERE id = $1", [id]);
        await client.query("UPDATE sessions SET active_workspace_id = $1 WHERE id = $2", [
          used.workspace_id,
          sessionId,
        ]);
        await enter(client, used, { kind: "person", id, name: rows[0]?.name ?? email });
        return ok(undefined);
      }),
  };
}

interface UsedInvitation {
  readonly id: string;
  readonly workspace_id: string;
  readonly email: string;
  readonly roles: Role[];
}

/** Marks the invitation as used, once: of two who hold its token one gets it. */
async function useToken(client: ClientBase, token: string, email?: string): Promise<UsedInvitation | undefined> {
  const { rows } = await client.query<UsedInvitation>(
    `UPDATE invitations SET accepted_at = now()
      WHERE token_hash = $1 AND ${IS_OPEN} AND ($2::text IS NULL OR email = $2)
      RETURNING id, workspace_id, email, roles::text[] AS roles`,
    [hashOf(token), email ?? null],
  );
  return rows[0];
}

async function isOpen(client: ClientBase, token: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM invitations WHERE token_hash = $1 AND ${IS_OPEN}`, [
    hashOf(token),
  ]);
  return rowCount !== 0;
}

async function enter(
  client: ClientBase,
  { id, workspace_id: workspaceId, email, roles }: UsedInvitation,
  actor: AuditActor & { readonly kind: "person" },
): Promise<void> {
  await client.query(
    `INSERT INTO memberships (workspace_id, person_id, roles) VALUES ($1, $2, $3::role[]) ON CONFLICT DO NOTHING`,
    [workspaceId, actor.id, roles],
  );
  await appendAudit(client, [
    {
      workspaceId,
      actor,
      action: "invitation.accepted",
      subject: { kind: "invitation", id, name: email },
    },
    {
      workspaceId,
      actor,
      action: "member.joined",
      subject: { kind: "person", id: actor.id, name: actor.name },
      detail: { roles },
    },
  ]);
}
