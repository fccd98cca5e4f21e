import type { Pool, PoolClient } from "pg";
import { inTransaction } from "./transaction";

export interface SweepReport {
  /** Runs whose owner let the lease run out: it died, or stood still. */
  readonly expired: readonly string[];
  /** Runs that were to be driven and whose job is gone, failed for good, or held by a worker that does nothing. */
  readonly unattended: readonly string[];
  /** Workers whose jobs were set free. */
  readonly unlocked: readonly string[];
}

/** A job held this long by a worker that has not taken its run's lease is held by a dead one. */
const JOB_HELD_MS_MAX = 4_000;
/** A timer this late whose job is gone rings for nobody. */
const TIMER_LATE_MS_MAX = 1_000;
/** Runs a sweep takes on at once. */
const BATCH = 500;

interface FoundRun {
  readonly key: string;
  readonly id: string;
  readonly locked_by: string | null;
}

/**
 * Finds runs that nobody drives although somebody should, and gives each a new job. Everything is judged and changed
 * on the locked row, so a sweep never undoes what a run has done since it looked; a doubled job is harmless, since the
 * lease admits one driver.
 *
 * @param sweeper who sweeps, as it signs its leases. Its own are passed over: it is alive, and a renewal that was late
 * because the process was busy comes right after.
 */
export async function sweepRuns(pool: Pool, sweeper = ""): Promise<SweepReport> {
  // Most sweeps find nothing: look without locking first.
  const suspicious = await pool.query<{ found: boolean }>({
    name: "sweep_look",
    text: `SELECT EXISTS (SELECT FROM ${RUNS_AND_JOBS}
                          WHERE ${EXPIRED} OR ${UNATTENDED}) AS found`,
    values: [sweeper],
  });
  if (!suspicious.rows[0]?.found) return { expired: [], unattended: [], unlocked: [] };
  return inTransaction(pool, async (client) => {
    const expired = await client.query<FoundRun>(
      `SELECT key::text, id, NULL AS locked_by FROM runs WHERE ${EXPIRED}
       ORDER BY key LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`,
      [sweeper],
    );
    const unattended = await client.query<FoundRun>(
      `SELECT runs.key::text, runs.id, coalesce(job.locked_by, timer.locked_by) AS locked_by FROM ${RUNS_AND_JOBS}
       WHERE ${UNATTENDED} ORDER BY runs.key LIMIT ${BATCH} FOR NO KEY UPDATE OF runs SKIP LOCKED`,
    );
    await requeue(client, [...expired.rows, ...unattended.rows]);
    const unlocked = [...new Set(unattended.rows.flatMap((run) => run.locked_by ?? []))];
    if (unlocked.length > 0) await client.query("SELECT graphile_worker.force_unlock_workers($1::text[])", [unlocked]);
    return {
      expired: expired.rows.map((run) => run.id),
      unattended: unattended.rows.map((run) => run.id),
      unlocked,
    };
  });
}

const EXPIRED =
  "runs.finished_at IS NULL AND runs.lease_until < clock_timestamp() AND runs.lease_owner IS DISTINCT FROM $1";

const RUNS_AND_JOBS = `
  runs
  LEFT JOIN graphile_worker.jobs AS job ON job.id = runs.job_id
  LEFT JOIN graphile_worker.jobs AS timer ON timer.id = runs.wake_job_id`;

/** The job is gone, has failed for good, or is held by a worker that does nothing with it. */
const dead = (job: string): string => `(
  ${job}.id IS NULL
  OR ${job}.locked_at < clock_timestamp() - interval '${JOB_HELD_MS_MAX} ms'
  OR ${job}.locked_at IS NULL AND ${job}.attempts >= ${job}.max_attempts)`;

const UNATTENDED = `
  runs.finished_at IS NULL AND runs.lease_until IS NULL AND (
    runs.job_id IS NOT NULL AND ${dead("job")}
    OR runs.wake_at < clock_timestamp() - interval '${TIMER_LATE_MS_MAX} ms' AND ${dead("timer")})`;

async function requeue(client: PoolClient, runs: readonly FoundRun[]): Promise<void> {
  if (runs.length === 0) return;
  await client.query(
    `UPDATE runs SET
       lease_owner = NULL,
       lease_until = NULL,
       wake_at = CASE WHEN wake_at > clock_timestamp() THEN wake_at END,
       wake_job_id = CASE WHEN wake_at > clock_timestamp() THEN wake_job_id END,
       job_id = (graphile_worker.add_job('drive_run', json_build_object('runId', id), max_attempts => 1000)).id
     WHERE key = ANY($1::bigint[])`,
    [runs.map((run) => run.key)],
  );
}
