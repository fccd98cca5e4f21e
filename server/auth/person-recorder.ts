import type { Pool } from "pg";
import type { JsonObject } from "#kernel/json";
import type { AuditSubject, NewAuditEntry } from "../runtime/audit-log";
import { appendAudit } from "../store/audit-log";

/** Somebody whose sign-in is to be noted. An address alone: whoever it belongs to, if anybody. */
type Whoever = { readonly id: string; readonly name: string } | { readonly email: string };

export type PersonRecorder = (
  person: Whoever,
  action: NewAuditEntry["action"],
  subject: AuditSubject,
  detail?: JsonObject,
) => Promise<void>;

/** Enters what somebody did outside any one workspace into the audit of every workspace they are in. */
export function personRecorder(pool: Pool): PersonRecorder {
  return async (person, action, subject, detail) => {
    const { rows } = await pool.query<{ workspace_id: string; id: string; name: string }>(
      `SELECT workspace_id, people.id, people.name FROM memberships JOIN people ON people.id = person_id
        WHERE ${"id" in person ? "people.id = $1" : "lower(people.email) = lower($1)"} ORDER BY workspace_id`,
      ["id" in person ? person.id : person.email],
    );
    await appendAudit(
      pool,
      rows.map(({ workspace_id: workspaceId, id, name }) => ({
        workspaceId,
        actor: { kind: "person", id, name, via: "session" },
        action,
        subject: subject.kind === "person" ? { kind: "person", id, name } : subject,
        ...(detail === undefined ? {} : { detail }),
      })),
    );
  };
}
