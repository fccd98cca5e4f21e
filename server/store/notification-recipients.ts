import type { Pool } from "pg";
import { personIdSchema } from "#kernel/ids";
import { authorityFor } from "#kernel/run/authority";
import type { RunEventOf } from "#kernel/run/event";
import { databaseNow } from "./database-clock";
import { signersOn } from "./gate-signers";

/** Notifications of a gate that still waits; the others are for whoever started the run. */
const ASKS: ReadonlySet<string> = new Set(["gate_opened", "gate_reminder", "gate_escalated"]);

/** E-mail addresses of the people whom a notification concerns, as the workspace is now. */
export async function concernedAddresses(
  pool: Pool,
  about: {
    readonly workspaceId: string;
    readonly runId: string | null;
    readonly gateId: string | null;
    readonly kind: string;
  },
): Promise<readonly string[]> {
  if (about.gateId !== null && ASKS.has(about.kind)) return signerAddresses(pool, about.workspaceId, about.gateId);
  if (about.runId === null) return [];
  const { rows } = await pool.query<{ email: string }>(
    `SELECT person.email FROM runs
     JOIN people AS person ON person.id = runs.started_by_id
     JOIN memberships ON memberships.person_id = person.id AND memberships.workspace_id = runs.workspace_id
     WHERE runs.id = $1 AND runs.workspace_id = $2`,
    [about.runId, about.workspaceId],
  );
  return rows.map(({ email }) => email);
}

/** Everybody who can sign the gate now, for themselves or in somebody's place. */
async function signerAddresses(pool: Pool, workspaceId: string, gateId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ payload: string }>(
    `SELECT event.payload FROM gates JOIN run_events AS event ON event.run_key = gates.run_key AND event.seq = gates.opened_seq
     WHERE gates.id = $1 AND gates.workspace_id = $2 AND gates.status = 'open'`,
    [gateId, workspaceId],
  );
  const [opening] = rows;
  if (opening === undefined) return [];
  const request: RunEventOf<"approval_requested"> = JSON.parse(opening.payload);
  const decisions = await pool.query<{ person_id: string; person_name: string; on_behalf_of_id: string | null }>(
    "SELECT person_id, person_name, on_behalf_of_id FROM gate_decisions WHERE gate_id = $1",
    [gateId],
  );
  const terms = {
    ...request,
    decisions: decisions.rows.map(({ person_id, person_name, on_behalf_of_id }) => ({
      by: { id: personIdSchema.parse(person_id), name: person_name },
      ...(on_behalf_of_id === null ? {} : { onBehalfOf: { id: personIdSchema.parse(on_behalf_of_id), name: "" } }),
    })),
  };
  const [signers, now] = await Promise.all([signersOn(pool).all(workspaceId), databaseNow(pool)]);
  return signers.flatMap((signer) =>
    signer.email !== undefined && authorityFor(terms, signer, now).ok ? [signer.email] : [],
  );
}
