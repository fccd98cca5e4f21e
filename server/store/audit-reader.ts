import type { ClientBase } from "pg";
import type { AuditHead } from "../runtime/audit-chain";
import { type AuditRecord, auditRecordSchema } from "../runtime/audit-log";
import type { AuditFilter } from "../runtime/audit-reader";

/** A pool, or one connection whose snapshot is to be read. */
export type Queryable = Pick<ClientBase, "query">;

const COLUMNS = `workspace_id AS "workspaceId", number, at::float8 AS at, actor_kind AS "actorKind", actor_id AS "actorId",
  action, subject_kind AS "subjectKind", subject_id AS "subjectId", payload, payload_hash AS "payloadHash",
  previous_hash AS "previousHash", hash`;

const PAGE = 2_000;

/** The newest entries that fit, newest first. */
export async function listAudit(
  database: Queryable,
  workspaceId: string,
  filter: AuditFilter,
): Promise<readonly AuditRecord[]> {
  const { rows } = await database.query(
    `SELECT ${COLUMNS} FROM audit_entries
      WHERE workspace_id = $1 AND ($2::text IS NULL OR actor_id = $2) AND ($3::text IS NULL OR action = $3)
        AND ($4::text IS NULL OR subject_id = $4) AND ($5::bigint IS NULL OR at >= $5)
        AND ($6::bigint IS NULL OR at < $6) AND ($7::int IS NULL OR number < $7)
      ORDER BY number DESC LIMIT $8`,
    [
      workspaceId,
      filter.actorId ?? null,
      filter.action ?? null,
      filter.subjectId ?? null,
      filter.since ?? null,
      filter.until ?? null,
      filter.before ?? null,
      filter.limit,
    ],
  );
  return auditRecordSchema.array().parse(rows);
}

/** A workspace's whole audit in the order of its numbers, a page at a time. */
export async function* readAudit(
  database: Queryable,
  workspaceId: string,
): AsyncGenerator<readonly AuditRecord[], void> {
  let after: number | undefined;
  for (;;) {
    const { rows } = await database.query(
      `SELECT ${COLUMNS} FROM audit_entries WHERE workspace_id = $1 AND ($2::int IS NULL OR number > $2)
        ORDER BY number LIMIT ${PAGE}`,
      [workspaceId, after ?? null],
    );
    const page = auditRecordSchema.array().parse(rows);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < PAGE) return;
    after = last.number;
  }
}

/** What the database keeps as the end of the chain; undefined: nothing was ever recorded. */
export async function storedHead(database: Queryable, workspaceId: string): Promise<AuditHead | undefined> {
  const { rows } = await database.query<AuditHead>(
    `SELECT workspace_id AS "workspaceId", number, hash FROM audit_heads WHERE workspace_id = $1`,
    [workspaceId],
  );
  return rows[0];
}

/** Every workspace that has an audit, also one whose rows are gone. */
export async function auditedWorkspaces(database: Queryable): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>(
    "SELECT workspace_id AS id FROM audit_heads UNION SELECT workspace_id FROM audit_entries ORDER BY 1",
  );
  return rows.map(({ id }) => id);
}

/** The words of actions that occur, and who acted, for the filters. */
export async function auditFacets(
  database: Queryable,
  workspaceId: string,
): Promise<{ readonly actions: readonly string[]; readonly actorIds: readonly string[] }> {
  // Each step jumps to the next value through the index, so that a long audit costs no more than a varied one.
  const distinct = async (column: "action" | "actor_id"): Promise<string[]> => {
    const { rows } = await database.query<{ value: string }>(
      `WITH RECURSIVE step AS (
         SELECT min(${column}) AS value FROM audit_entries WHERE workspace_id = $1
         UNION ALL
         SELECT (SELECT min(${column}) FROM audit_entries WHERE workspace_id = $1 AND ${column} > step.value)
           FROM step WHERE step.value IS NOT NULL
       ) SELECT value FROM step WHERE value IS NOT NULL LIMIT 500`,
      [workspaceId],
    );
    return rows.map(({ value }) => value);
  };
  return { actions: await distinct("action"), actorIds: await distinct("actor_id") };
}
