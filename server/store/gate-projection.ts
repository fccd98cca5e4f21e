import type { ClientBase } from "pg";
import type { NewRunEvent, RunEventOf } from "#kernel/run/event";
import { tellOfGates } from "./gate-notices";
import type { PlacedEvent } from "./placed-event";
import { plainText } from "./run-projection";

/** True for events that open, decide, close or use a gate. */
export const touchesGates = (event: NewRunEvent): boolean =>
  event.type === "approval_requested" ||
  event.type === "approval_decided" ||
  event.type === "approval_revoked" ||
  event.type === "approval_reminded" ||
  event.type === "approval_escalated" ||
  event.type === "approval_expired" ||
  (event.type === "task_dispatched" && event.gateId !== undefined);

/** Writes what `events` mean for gates and decisions, in the transaction that appends them. */
export async function projectGates(client: ClientBase, events: readonly PlacedEvent[]): Promise<void> {
  for (const { runKey, seq, event } of events) {
    if (event.type === "approval_requested") await open(client, runKey, seq, event);
    else if (event.type === "approval_decided") await decide(client, seq, event);
    else if (event.type === "approval_expired") await expire(client, event);
    else if (event.type === "approval_revoked") await revoke(client, event);
    else if (event.type === "task_dispatched" && event.gateId !== undefined) await use(client, event.gateId);
  }
  await tellOfGates(client, events);
}

type Unplaced<Event> = Omit<Event, "seq">;

async function open(
  client: ClientBase,
  runKey: string,
  seq: number,
  event: Unplaced<RunEventOf<"approval_requested">>,
): Promise<void> {
  await client.query(
    `INSERT INTO gates (id, run_key, workspace_id, task_id, opened_seq, opened_at, decide_by,
                        role, quorum)
     SELECT $1, key, workspace_id, $3, $4, to_timestamp($5::float8 / 1000), to_timestamp($6::float8 / 1000), $7, $8
     FROM runs WHERE key = $2`,
    [event.gateId, runKey, event.taskId ?? null, seq, event.at, event.decideBy, plainText(event.role), event.quorum],
  );
}

async function decide(client: ClientBase, seq: number, event: Unplaced<RunEventOf<"approval_decided">>): Promise<void> {
  await client.query(
    `INSERT INTO gate_decisions (gate_id, person_id, person_name, decision, reason, seq, decided_at, on_behalf_of_id)
     VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), $8)`,
    [
      event.gateId,
      event.by.id,
      plainText(event.by.name),
      event.decision,
      event.reason === undefined ? null : plainText(event.reason),
      seq,
      event.at,
      event.onBehalfOf?.id ?? null,
    ],
  );
  if (event.decision !== "approve") {
    await close(client, event.gateId, event.decision === "reject" ? "rejected" : "sent_back", event.at);
    return;
  }
  await client.query(
    `UPDATE gates SET
       approvals = approvals + 1,
       status = CASE WHEN approvals + 1 >= quorum THEN 'approved'::gate_status ELSE status END,
       closed_at = CASE WHEN approvals + 1 >= quorum THEN to_timestamp($2::float8 / 1000) END
     WHERE id = $1`,
    [event.gateId, event.at],
  );
}

async function expire(client: ClientBase, event: Unplaced<RunEventOf<"approval_expired">>): Promise<void> {
  const superseded = event.which === "superseded" || event.which === "run_ended";
  await close(client, event.gateId, superseded ? "superseded" : "expired", event.at);
}

/** A used one too: its next attempt waits for the new round. */
async function revoke(client: ClientBase, event: Unplaced<RunEventOf<"approval_revoked">>): Promise<void> {
  await client.query(
    `UPDATE gates SET status = 'revoked', closed_at = to_timestamp($2::float8 / 1000)
     WHERE id = $1 AND status IN ('open', 'approved', 'used')`,
    [event.gateId, event.at],
  );
}

async function close(client: ClientBase, gateId: string, status: string, at: number): Promise<void> {
  await client.query(
    `UPDATE gates SET status = $2::gate_status, closed_at = to_timestamp($3::float8 / 1000)
     WHERE id = $1 AND status IN ('open', 'approved')`,
    [gateId, status, at],
  );
}

async function use(client: ClientBase, gateId: string): Promise<void> {
  await client.query("UPDATE gates SET status = 'used' WHERE id = $1 AND status = 'approved'", [gateId]);
}
