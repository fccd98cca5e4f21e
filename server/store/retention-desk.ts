import type { Pool, PoolClient } from "pg";
import { actorOf, type NewAuditEntry } from "../runtime/audit-log";
import type { Principal } from "../runtime/principal";
import {
  type Retention,
  type RetentionDesk,
  type RetentionPreview,
  retentionPreviewSchema,
  retentionSchema,
} from "../runtime/retention";
import { appendAudit } from "./audit-log";
import { inTransaction } from "./transaction";

const HOLDS_MAX = 500;

/** Milliseconds since 1970 of a time, as a number however the driver is set. */
const epochMs = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

export function createRetentionDesk(pool: Pool): RetentionDesk {
  return {
    async get(workspaceId): Promise<Retention> {
      const [policy, holds, redacted] = await Promise.all([
        pool.query(
          `SELECT keep_days AS "keepDays", updated_by_name AS "updatedBy", ${epochMs("updated_at")} AS "updatedAt"
           FROM retention_policies WHERE workspace_id = $1`,
          [workspaceId],
        ),
        pool.query(
          `SELECT runs.id AS "runId", runs.name AS "runName", placed_by_name AS "placedBy", reason,
                  ${epochMs("placed_at")} AS "placedAt"
           FROM run_holds JOIN runs ON runs.key = run_holds.run_key
           WHERE runs.workspace_id = $1 ORDER BY placed_at DESC LIMIT ${HOLDS_MAX}`,
          [workspaceId],
        ),
        pool.query(
          `SELECT count(*)::int AS runs, ${epochMs("max(at)")} AS "lastAt"
           FROM run_redactions JOIN runs ON runs.key = run_key WHERE workspace_id = $1`,
          [workspaceId],
        ),
      ]);
      const { runs, lastAt } = redacted.rows[0];
      return retentionSchema.parse({
        keepDays: null,
        ...policy.rows[0],
        holds: holds.rows,
        redacted: { runs, ...(lastAt === null ? {} : { lastAt }) },
      });
    },

    async preview(workspaceId, keepDays): Promise<RetentionPreview> {
      const { rows } = await pool.query(
        `SELECT count(*) FILTER (WHERE hold.run_key IS NULL)::int AS runs,
                coalesce(sum(runs.seq) FILTER (WHERE hold.run_key IS NULL), 0)::int AS events,
                (SELECT count(*) FROM artifacts JOIN runs AS owner ON owner.key = artifacts.run_key
                 WHERE owner.workspace_id = $1 AND owner.finished_at < now() - $2::int * interval '1 day'
                   AND NOT EXISTS (SELECT FROM run_holds WHERE run_key = owner.key))::int AS artifacts,
                count(hold.run_key)::int AS held,
                ${epochMs("min(finished_at) FILTER (WHERE hold.run_key IS NULL)")} AS "oldestFinishedAt"
         FROM runs LEFT JOIN run_holds AS hold ON hold.run_key = runs.key
         WHERE workspace_id = $1 AND finished_at < now() - $2::int * interval '1 day'
           AND NOT EXISTS (SELECT FROM run_redactions WHERE run_key = runs.key)`,
        [workspaceId, keepDays],
      );
      const { oldestFinishedAt, ...counts } = rows[0];
      return retentionPreviewSchema.parse({ ...counts, ...(oldestFinishedAt === null ? {} : { oldestFinishedAt }) });
    },

    set: (principal, keepDays) =>
      inTransaction(pool, async (client) => {
        const { person, workspace } = principal;
        await client.query(
          `INSERT INTO retention_policies (workspace_id, keep_days, updated_by_id, updated_by_name) VALUES ($1, $2, $3, $4)
           ON CONFLICT (workspace_id) DO UPDATE SET keep_days = excluded.keep_days, updated_at = now(),
             updated_by_id = excluded.updated_by_id, updated_by_name = excluded.updated_by_name`,
          [workspace.id, keepDays, person.id, person.name],
        );
        await audit(client, principal, {
          action: "retention.changed",
          subject: { kind: "workspace", id: workspace.id, name: workspace.name },
          detail: { keepDays },
        });
      }),

    hold: (principal, runId, reason) =>
      inTransaction(pool, async (client) => {
        const run = await findRun(client, principal, runId);
        if (run === undefined) return undefined;
        const { person } = principal;
        await client.query(
          `INSERT INTO run_holds (run_key, placed_by_id, placed_by_name, reason) VALUES ($1, $2, $3, $4)
           ON CONFLICT (run_key) DO UPDATE SET reason = excluded.reason`,
          [run.key, person.id, person.name, reason],
        );
        await audit(client, principal, { action: "run.held", subject: { kind: "run", id: runId }, detail: { reason } });
        return true;
      }),

    release: (principal, runId) =>
      inTransaction(pool, async (client) => {
        const run = await findRun(client, principal, runId);
        if (run === undefined) return undefined;
        const { rowCount } = await client.query("DELETE FROM run_holds WHERE run_key = $1", [run.key]);
        if (rowCount !== 0)
          await audit(client, principal, { action: "run.released", subject: { kind: "run", id: runId } });
        return true;
      }),
  };
}

/** Locked, so that a hold and the redaction of the same run exclude each other. */
async function findRun(
  client: PoolClient,
  { workspace }: Principal,
  runId: string,
): Promise<{ readonly key: string } | undefined> {
  const { rows } = await client.query<{ key: string }>(
    "SELECT key::text FROM runs WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE",
    [runId, workspace.id],
  );
  return rows[0];
}

const audit = (
  client: PoolClient,
  principal: Principal,
  entry: Pick<NewAuditEntry, "action" | "subject" | "detail">,
): Promise<void> => appendAudit(client, { workspaceId: principal.workspace.id, actor: actorOf(principal), ...entry });
