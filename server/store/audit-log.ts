import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import { canonicalJson } from "#kernel/json";
import { auditPayload, type NewAuditEntry } from "../runtime/audit-log";

/**
 * Appends to the audit in the caller's transaction: the fact and its record are durable together or not at all.
 *
 * Call it as the last statement before the commit. It takes the lock of the workspace's chain, and a transaction that
 * holds that lock must wait for nothing else; entries of several workspaces go in one call, which takes the locks in
 * one order. Together these two rules exclude deadlocks.
 */
export async function appendAudit(
  client: Pick<ClientBase, "query">,
  entries: NewAuditEntry | readonly NewAuditEntry[],
): Promise<void> {
  const list = [entries].flat();
  if (list.length === 0) return;
  // A stable sort: the order within a workspace is the caller's.
  const sorted = list.toSorted((left, right) => compare(left.workspaceId, right.workspaceId));
  const column = (of: (entry: NewAuditEntry) => string): string[] => sorted.map((entry) => storable(of(entry)));
  await client.query(
    `SELECT append_audit(workspace_id, actor_kind, actor_id, action, subject_kind, subject_id, payload)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
         AS entry(workspace_id, actor_kind, actor_id, action, subject_kind, subject_id, payload)`,
    [
      column((entry) => entry.workspaceId),
      column((entry) => entry.actor.kind),
      column((entry) => entry.actor.id),
      column((entry) => entry.action),
      column((entry) => entry.subject.kind),
      column((entry) => entry.subject.id),
      sorted.map((entry) => canonicalJson(auditPayload(entry, randomUUID()))),
    ],
  );
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Text columns hold no U+0000 and no half of a surrogate pair; what is hashed must be what is stored. */
const storable = (text: string): string => Buffer.from(text, "utf8").toString("utf8").replaceAll("\u0000", "\uFFFD");
