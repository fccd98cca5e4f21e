import type { Pool } from "pg";
import { personIdSchema, planIdSchema, runIdSchema } from "#kernel/ids";
import type { RunOutcome } from "#kernel/run/event";
import type { RunStatus } from "#kernel/run/status";
import type { RunFilter } from "../runtime/run-desk";
import type { RunSummary } from "../runtime/run-records";

interface SummaryRow {
  readonly id: string;
  readonly name: string;
  readonly plan_id: string | null;
  readonly plan_version_number: number | null;
  readonly imported_from: string | null;
  readonly started_by_id: string;
  readonly started_by_name: string;
  readonly created_at: Date;
  readonly status: RunStatus;
  readonly outcome: RunOutcome | null;
  readonly outcome_reason: string | null;
  readonly finished_at: Date | null;
  readonly seq: number;
  readonly tasks_total: number;
  readonly tasks_succeeded: number;
  readonly tasks_failed: number;
  readonly tasks_omitted: number;
  readonly open_gates: number;
}

const COLUMNS = `
  id, name, plan_id, plan_version_number, imported_from, started_by_id, started_by_name, created_at, status, outcome,
  outcome_reason, finished_at, seq, tasks_total, tasks_succeeded, tasks_failed, tasks_omitted,
  (SELECT count(*)::int FROM gates WHERE gates.run_key = runs.key AND gates.status = 'open') AS open_gates`;

/** Runs of a workspace, newest first. Keyset pages: a run that starts meanwhile moves nobody. */
export async function listRuns(pool: Pool, workspaceId: string, filter: RunFilter): Promise<readonly RunSummary[]> {
  const result = await pool.query<SummaryRow>(
    `SELECT ${COLUMNS} FROM runs
     WHERE workspace_id = $1
       AND ($2::text IS NULL OR plan_id = $2)
       AND ($3::run_status IS NULL OR status = $3)
       AND ($4::run_outcome IS NULL OR outcome = $4)
       AND ($5::text IS NULL OR position(lower($5) IN lower(name)) > 0 OR id = $5)
       AND ($6::text IS NULL OR number < (SELECT number FROM runs WHERE id = $6 AND workspace_id = $1))
     ORDER BY number DESC LIMIT $7`,
    [
      workspaceId,
      filter.planId ?? null,
      filter.status ?? null,
      filter.outcome ?? null,
      filter.search?.trim() || null,
      filter.beforeRunId ?? null,
      filter.limit,
    ],
  );
  return result.rows.map(toSummary);
}

export async function findRun(pool: Pool, workspaceId: string, runId: string): Promise<RunSummary | undefined> {
  const result = await pool.query<SummaryRow>(`SELECT ${COLUMNS} FROM runs WHERE id = $1 AND workspace_id = $2`, [
    runId,
    workspaceId,
  ]);
  return result.rows.map(toSummary)[0];
}

function toSummary(row: SummaryRow): RunSummary {
  return {
    id: runIdSchema.parse(row.id),
    name: row.name,
    planId: row.plan_id === null ? null : planIdSchema.parse(row.plan_id),
    planVersion: row.plan_version_number,
    status: row.status,
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    ...(row.outcome_reason === null ? {} : { outcomeReason: row.outcome_reason }),
    startedBy: { id: personIdSchema.parse(row.started_by_id), name: row.started_by_name },
    createdAt: row.created_at.getTime(),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at.getTime() }),
    lastSeq: row.seq,
    tasks: {
      total: row.tasks_total,
      done: row.tasks_succeeded + row.tasks_failed + row.tasks_omitted,
      failed: row.tasks_failed,
    },
    openGates: row.open_gates,
    ...(row.imported_from === null ? {} : { importedFrom: row.imported_from }),
  };
}
