import type { Pool } from "pg";
import type { PlanSummary } from "../runtime/plan-records";

type LastRun = NonNullable<PlanSummary["lastRun"]>;

interface LastRunRow {
  readonly plan_id: string;
  readonly id: string;
  readonly status: LastRun["status"];
  readonly outcome: LastRun["outcome"] | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

/** The newest run of each plan that has one. */
export async function latestRuns(pool: Pool, planIds: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const { rows } = await pool.query<LastRunRow>(
    `SELECT DISTINCT ON (plan_id) plan_id, id, status, outcome, created_at, finished_at
       FROM runs WHERE plan_id = ANY($1::text[]) ORDER BY plan_id, key DESC`,
    [planIds],
  );
  return new Map(
    rows.map((row) => [
      row.plan_id,
      {
        id: row.id,
        status: row.status,
        ...(row.outcome === null ? {} : { outcome: row.outcome }),
        createdAt: row.created_at.getTime(),
        ...(row.finished_at === null ? {} : { finishedAt: row.finished_at.getTime() }),
      },
    ]),
  );
}
