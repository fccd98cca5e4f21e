import type { Pool } from "pg";
import { planIdSchema, runIdSchema } from "#kernel/ids";
import type { RunOutcome } from "#kernel/run/event";
import {
  REVIEWED_EVENTS,
  type ReviewedEvent,
  type ReviewedHistory,
  type ReviewedPlan,
} from "#kernel/view/review/facts";
import { ROLE_SCOPES } from "../runtime/call-scopes";
import { roleSchema } from "../runtime/principal";
import type { ReviewRecord, ReviewRecords } from "../runtime/review-records";
import { decodeEvent, type EventRow } from "./event-codec";
import { readPlanDocument } from "./plan-documents";

/** Plans and runs that one review looks at; it says how many there are. */
const PLANS_MAX = 200;
const RUNS_MAX = 200;
/** Events of one run: a run of many thousand failures shows nothing more by its last one. */
const EVENTS_OF_RUN_MAX = 500;

/** Reviews read from Postgres. */
export const createReviewRecords = (pool: Pool): ReviewRecords => ({
  async read(workspaceId, planId) {
    const [plans, history, roleScopes, ceilingBudgets] = await Promise.all([
      readPlans(pool, workspaceId, planId),
      readHistory(pool, workspaceId, planId),
      readRoleScopes(pool, workspaceId),
      readCeilingBudgets(pool, workspaceId),
    ]);
    if (planId !== undefined && plans.total === 0) return undefined;
    return { plans: plans.plans, plansTotal: plans.total, history, roleScopes, ceilingBudgets };
  },
});

async function readPlans(
  pool: Pool,
  workspaceId: string,
  planId: string | undefined,
): Promise<{ readonly plans: readonly ReviewedPlan[]; readonly total: number }> {
  const { rows } = await pool.query<{ id: string; document: string; total: number }>(
    `SELECT plans.id, version.document, (count(*) OVER ())::int AS total
     FROM plans JOIN plan_versions AS version ON version.plan_id = plans.id AND version.number = plans.latest_version
     WHERE plans.workspace_id = $1 AND plans.archived_at IS NULL AND ($2::text IS NULL OR plans.id = $2)
     ORDER BY plans.updated_at DESC, plans.id LIMIT ${PLANS_MAX}`,
    [workspaceId, planId ?? null],
  );
  return {
    plans: rows.map(({ id, document }) => ({ planId: planIdSchema.parse(id), plan: readPlanDocument(document) })),
    total: rows[0]?.total ?? 0,
  };
}

async function readRoleScopes(pool: Pool, workspaceId: string): Promise<ReviewRecord["roleScopes"]> {
  const { rows } = await pool.query<{ role: string; scopes: string[] | null }>(
    `SELECT held.role, narrowed.scopes
     FROM (SELECT DISTINCT unnest(roles)::text AS role FROM memberships WHERE workspace_id = $1) AS held
     LEFT JOIN role_scopes AS narrowed ON narrowed.workspace_id = $1 AND narrowed.role::text = held.role
     ORDER BY held.role`,
    [workspaceId],
  );
  return rows.map(({ role, scopes }) => {
    const known = roleSchema.safeParse(role);
    return { role, scopes: scopes ?? (known.success ? ROLE_SCOPES[known.data] : []) };
  });
}

async function readCeilingBudgets(pool: Pool, workspaceId: string): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ budget: string }>(
    "SELECT DISTINCT budget FROM ceilings WHERE workspace_id = $1 AND person_id = ''",
    [workspaceId],
  );
  return new Set(rows.map(({ budget }) => budget));
}

interface RunRow {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly finished: boolean;
  readonly outcome: RunOutcome | null;
  readonly outcome_reason: string | null;
  readonly total: number;
}

/** Imported traces are other people's runs: they say nothing of this runtime. */
async function readHistory(pool: Pool, workspaceId: string, planId: string | undefined): Promise<ReviewedHistory> {
  const { rows } = await pool.query<RunRow>(
    `SELECT id, key::text, name, finished_at IS NOT NULL AS finished, outcome, outcome_reason,
            (count(*) OVER ())::int AS total
     FROM runs
     WHERE workspace_id = $1 AND imported_from IS NULL AND ($2::text IS NULL OR plan_id = $2)
     ORDER BY number DESC LIMIT ${RUNS_MAX}`,
    [workspaceId, planId ?? null],
  );
  return {
    runsTotal: rows[0]?.total ?? 0,
    runs: rows.map(({ id, name, finished, outcome, outcome_reason }) => ({
      runId: runIdSchema.parse(id),
      name,
      finished,
      ...(outcome === null ? {} : { outcome }),
      ...(outcome_reason === null ? {} : { reason: outcome_reason }),
    })),
    events: await readEvents(pool, rows),
  };
}

/** The newest run's events first; the last ones of each run. */
async function readEvents(pool: Pool, runs: readonly RunRow[]): Promise<readonly ReviewedEvent[]> {
  const { rows } = await pool.query<EventRow>(
    `SELECT event.* FROM unnest($1::bigint[]) WITH ORDINALITY AS run(key, place)
     CROSS JOIN LATERAL (
       SELECT run_key::text, seq, at, type, task_id, payload FROM run_events
       WHERE run_key = run.key AND type = ANY($2::run_event_type[])
       ORDER BY seq DESC LIMIT ${EVENTS_OF_RUN_MAX}) AS event
     ORDER BY run.place, event.seq DESC`,
    [runs.map(({ key }) => key), [...REVIEWED_EVENTS]],
  );
  const runIdOf = new Map(runs.map(({ key, id }) => [key, runIdSchema.parse(id)]));
  const noDocuments = new Map<string, unknown>();
  return rows.flatMap((row) => {
    const runId = runIdOf.get(row.run_key);
    return runId === undefined ? [] : [{ runId, event: decodeEvent(row, noDocuments) }];
  });
}
