import type { ClientBase, Pool } from "pg";
import { type PersonId, personIdSchema } from "#kernel/ids";
import type { Authority, Signer } from "#kernel/run/authority";
import type { GateSigners } from "../runtime/gate-signers";

interface MemberRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly same_as: readonly string[];
}

interface DelegationRow {
  readonly delegator_id: string;
  readonly delegate_id: string;
}

/**
 * Signers as the database has them at this moment, on the caller's connection: under a lock that the caller holds, a
 * role that was taken away is gone.
 */
export const signersOn = (client: ClientBase | Pool): GateSigners => ({
  all: (workspaceId) => readSigners(client, workspaceId, undefined),
  async one(workspaceId, personId) {
    const signers = await readSigners(client, workspaceId, personId);
    return signers.find((signer) => signer.id === personId);
  },
});

async function readSigners(
  client: ClientBase | Pool,
  workspaceId: string,
  personId: PersonId | undefined,
): Promise<readonly Signer[]> {
  const delegations = await client.query<DelegationRow>(
    `SELECT delegator_id, delegate_id FROM delegations
     WHERE workspace_id = $1 AND ($2::text IS NULL OR delegate_id = $2) AND revoked_at IS NULL
       AND starts_at <= clock_timestamp() AND ends_at > clock_timestamp()
     ORDER BY created_at, id`,
    [workspaceId, personId ?? null],
  );
  const wanted = personId === undefined ? null : [personId, ...delegations.rows.map((row) => row.delegator_id)];
  const members = await client.query<MemberRow>(
    `SELECT person.id, person.name, person.email, membership.roles::text[] AS roles,
            ARRAY(SELECT other.id FROM people AS other
                  WHERE mailbox_of(other.email) = mailbox_of(person.email) AND other.id <> person.id) AS same_as
     FROM memberships AS membership JOIN people AS person ON person.id = membership.person_id
     WHERE membership.workspace_id = $1 AND ($2::text[] IS NULL OR person.id = ANY($2))
     ORDER BY person.name, person.id`,
    [workspaceId, wanted],
  );
  const authorities = new Map(members.rows.map((row) => [row.id, authorityOf(row)]));
  return [...authorities.values()].map((authority) => ({
    ...authority,
    delegators: delegations.rows.flatMap((row) => {
      const delegator = authorities.get(row.delegator_id);
      return row.delegate_id === authority.id && delegator !== undefined ? [delegator] : [];
    }),
  }));
}

const authorityOf = (row: MemberRow): Authority => ({
  id: personIdSchema.parse(row.id),
  name: row.name,
  email: row.email,
  roles: row.roles,
  sameAs: row.same_as.map((id) => personIdSchema.parse(id)),
});
