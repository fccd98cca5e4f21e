import { type Database, database } from "./db";

export type HealthStatus = "ok" | "degraded" | "down";

/** How the installation is, for people and monitors. Ages are in seconds; null: there is nothing to be old. */
export interface Health {
  readonly status: HealthStatus;
  readonly web: { readonly status: HealthStatus; readonly uptimeSeconds: number };
  readonly database: { readonly status: HealthStatus; readonly latencyMs: number | null };
  /** `oldestDueSeconds`: how long the job that waits longest has been due. */
  readonly jobs: { readonly status: HealthStatus; readonly oldestDueSeconds: number | null };
  /** `heartbeatAgeSeconds`: since the liveliest worker was last seen. */
  readonly worker: { readonly status: HealthStatus; readonly heartbeatAgeSeconds: number | null };
}

/** A job that is due this long and not taken up means that no worker takes jobs. */
const DUE_SECONDS_MAX = 30;
/** A worker beats every five seconds. */
const HEARTBEAT_SECONDS_MAX = 20;

const AGES = `
  SELECT (SELECT extract(epoch FROM clock_timestamp() - min(run_at))::float8 FROM graphile_worker.jobs
           WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= clock_timestamp()) AS due,
         (SELECT extract(epoch FROM clock_timestamp() - max(seen_at))::float8 FROM worker_heartbeats) AS heartbeat`;

/**
 * Looks at everything once. A slow or absent database is an answer, not an exception, and comes within `timeoutMs`.
 */
export async function checkHealth({ pool }: Pick<Database, "pool">, timeoutMs = 3_000): Promise<Health> {
  const web = { status: "ok", uptimeSeconds: Math.round(process.uptime()) } as const;
  const startedAt = performance.now();
  try {
    const { rows } = await within(timeoutMs, pool.query<{ due: number | null; heartbeat: number | null }>(AGES));
    const ages = rows[0];
    const jobs = judged(ages?.due ?? null, (seconds) => (seconds ?? 0) <= DUE_SECONDS_MAX);
    const worker = judged(ages?.heartbeat ?? null, (seconds) => seconds !== null && seconds <= HEARTBEAT_SECONDS_MAX);
    return {
      status: jobs.status === "ok" && worker.status === "ok" ? "ok" : "degraded",
      web,
      database: { status: "ok", latencyMs: Math.round(performance.now() - startedAt) },
      jobs: { status: jobs.status, oldestDueSeconds: jobs.seconds },
      worker: { status: worker.status, heartbeatAgeSeconds: worker.seconds },
    };
  } catch {
    return {
      status: "down",
      web,
      database: { status: "down", latencyMs: null },
      jobs: { status: "degraded", oldestDueSeconds: null },
      worker: { status: "degraded", heartbeatAgeSeconds: null },
    };
  }
}

/** The health of the installation that this web process is part of. */
export const checkProcessHealth = (): Promise<Health> => checkHealth(database());

function judged(age: number | null, isWell: (seconds: number | null) => boolean) {
  // Clocks are read a moment apart, so an age may come out just below nothing.
  const seconds = age === null ? null : Math.max(0, Math.round(age * 10) / 10);
  const status: HealthStatus = isWell(seconds) ? "ok" : "degraded";
  return { status, seconds };
}

function within<Value>(timeoutMs: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
