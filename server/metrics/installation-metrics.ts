import type { Pool } from "pg";
import type { MetricFamily, Sample } from "./exposition";
import { histogramSamples } from "./histogram";
import { type WorkerCounts, workerCountsSchema } from "./worker-counts";

/** Workers silent for longer than this are gone: their series end, as those of any process do. */
const FORGET_WORKER = "5 minutes";

/** Everything about runs, queue and gates that the database knows, in one round trip over partial indexes. */
const STATE = `
  SELECT
    (SELECT count(*) FROM graphile_worker.jobs WHERE locked_at IS NULL AND attempts < max_attempts
       AND run_at <= clock_timestamp())::int AS jobs_due,
    (SELECT count(*) FROM graphile_worker.jobs WHERE locked_at IS NULL AND attempts < max_attempts
       AND run_at > clock_timestamp())::int AS jobs_later,
    (SELECT count(*) FROM graphile_worker.jobs WHERE locked_at IS NOT NULL)::int AS jobs_locked,
    (SELECT count(*) FROM graphile_worker.jobs WHERE attempts >= max_attempts)::int AS jobs_failed,
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(run_at)), 0)::float8 FROM graphile_worker.jobs
       WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= clock_timestamp()) AS oldest_due,
    (SELECT json_object_agg(status, total) FROM (
       SELECT status, count(*) AS total FROM runs WHERE finished_at IS NULL GROUP BY status) AS unfinished) AS runs,
    live.leases_live, live.leases_expired, live.lease_overdue, live.timer_overdue, live.oldest_run,
    (SELECT count(*) FROM gates WHERE status = 'open')::int AS gates_open,
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(opened_at)), 0)::float8 FROM gates
       WHERE status = 'open') AS oldest_gate,
    (SELECT count(*) FROM gates WHERE status = 'open' AND decide_by < clock_timestamp())::int AS gates_overdue
  FROM (
    SELECT
      count(*) FILTER (WHERE lease_until >= clock_timestamp())::int AS leases_live,
      count(*) FILTER (WHERE lease_until < clock_timestamp())::int AS leases_expired,
      coalesce(max(extract(epoch FROM clock_timestamp() - lease_until))
        FILTER (WHERE lease_until < clock_timestamp()), 0)::float8 AS lease_overdue,
      coalesce(max(extract(epoch FROM clock_timestamp() - wake_at))
        FILTER (WHERE wake_at < clock_timestamp() AND lease_until IS NULL), 0)::float8 AS timer_overdue,
      coalesce(max(extract(epoch FROM clock_timestamp() - created_at)), 0)::float8 AS oldest_run
    FROM runs WHERE finished_at IS NULL) AS live`;

interface StateRow {
  readonly jobs_due: number;
  readonly jobs_later: number;
  readonly jobs_locked: number;
  readonly jobs_failed: number;
  readonly oldest_due: number;
  readonly runs: Readonly<Record<string, number>> | null;
  readonly leases_live: number;
  readonly leases_expired: number;
  readonly lease_overdue: number;
  readonly timer_overdue: number;
  readonly oldest_run: number;
  readonly gates_open: number;
  readonly oldest_gate: number;
  readonly gates_overdue: number;
}

interface WorkerRow {
  readonly worker_id: string;
  readonly age: number;
  readonly counts: string | null;
}

/** The whole installation, web and workers alike, so that one scrape of one web process gives everything. */
export async function readInstallationMetrics(pool: Pool): Promise<readonly MetricFamily[]> {
  const startedAt = performance.now();
  const [state, workers] = await Promise.all([
    pool.query<StateRow>(STATE),
    pool.query<WorkerRow>(
      `SELECT worker_id, extract(epoch FROM clock_timestamp() - seen_at)::float8 AS age, counts
       FROM worker_heartbeats WHERE seen_at > now() - $1::interval ORDER BY worker_id`,
      [FORGET_WORKER],
    ),
  ]);
  const row = state.rows[0];
  if (row === undefined) throw new Error("The database told nothing of itself");
  const scrapeSeconds = (performance.now() - startedAt) / 1_000;
  return [...stateMetrics(row), ...workerMetrics(workers.rows), ...webMetrics(scrapeSeconds)];
}

const gauge = (name: string, help: string, value: number | readonly Sample[]): MetricFamily => ({
  name: `planwright_${name}`,
  help,
  type: "gauge",
  samples: typeof value === "number" ? [{ value }] : value,
});

function stateMetrics(row: StateRow): readonly MetricFamily[] {
  return [
    gauge("queue_jobs", "Jobs in the queue, by state; failed ones are given up.", [
      { labels: { state: "due" }, value: row.jobs_due },
      { labels: { state: "later" }, value: row.jobs_later },
      { labels: { state: "locked" }, value: row.jobs_locked },
      { labels: { state: "failed" }, value: row.jobs_failed },
    ]),
    gauge("queue_oldest_due_seconds", "How long the job that waits longest has been due.", positive(row.oldest_due)),
    gauge(
      "runs_unfinished",
      "Runs that have not finished, by status.",
      ["created", "running", "paused"].map((status) => ({ labels: { status }, value: row.runs?.[status] ?? 0 })),
    ),
    gauge("run_oldest_unfinished_seconds", "Age of the oldest unfinished run.", positive(row.oldest_run)),
    gauge("leases", "Leases of unfinished runs; an expired one is about to be taken over.", [
      { labels: { state: "live" }, value: row.leases_live },
      { labels: { state: "expired" }, value: row.leases_expired },
    ]),
    gauge("lease_overdue_seconds", "How long ago the lease that expired first expired.", positive(row.lease_overdue)),
    gauge(
      "timer_oldest_due_seconds",
      "How long the run timer that is most overdue has been due.",
      positive(row.timer_overdue),
    ),
    gauge("gates_open", "Gates that wait for a person.", row.gates_open),
    gauge("gate_oldest_open_seconds", "Age of the open gate that waits longest.", positive(row.oldest_gate)),
    gauge("gates_overdue", "Open gates whose time to decide is over and that are not closed yet.", row.gates_overdue),
  ];
}

function workerMetrics(rows: readonly WorkerRow[]): readonly MetricFamily[] {
  const workers = rows.map((row) => ({
    labels: { worker: workerName(row.worker_id) },
    age: row.age,
    counts: countsOf(row),
  }));
  const each = (of: (counts: WorkerCounts, labels: { worker: string }) => readonly Sample[]): Sample[] =>
    workers.flatMap(({ labels, counts }) => (counts === undefined ? [] : of(counts, labels)));
  const one = (of: (counts: WorkerCounts) => number): Sample[] =>
    each((counts, labels) => [{ labels, value: of(counts) }]);
  const counter = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
    name: `planwright_${name}`,
    help,
    type: "counter",
    samples,
  });
  const histogram = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
    name: `planwright_${name}`,
    help,
    type: "histogram",
    samples,
  });
  return [
    gauge("workers", "Worker processes seen in the last 20 seconds.", workers.filter(({ age }) => age <= 20).length),
    gauge(
      "worker_heartbeat_age_seconds",
      "Seconds since a worker was last seen; it beats every five.",
      workers.map(({ labels, age }) => ({ labels, value: positive(age) })),
    ),
    histogram(
      "dispatch_seconds",
      "From the moment a task was ready and nothing held it until its call began.",
      each((counts, labels) => histogramSamples(counts.dispatchSeconds, labels)),
    ),
    histogram(
      "append_seconds",
      "From handing events to the database until they were durable, one observation a flush.",
      each((counts, labels) => histogramSamples(counts.appendSeconds, labels)),
    ),
    counter(
      "events_appended_total",
      "Events made durable.",
      one(({ eventsAppended }) => eventsAppended),
    ),
    counter(
      "runs_finished_total",
      "Runs that finished, by outcome.",
      each((counts, labels) =>
        Object.entries(counts.runsFinished).map(([outcome, value]) => ({ labels: { ...labels, outcome }, value })),
      ),
    ),
    counter(
      "driver_failures_total",
      "Drivers that failed and were started again.",
      one((counts) => counts.driverFailures),
    ),
    counter(
      "runs_left_behind_total",
      "Runs that the sweep found without a driver.",
      one((counts) => counts.runsLeftBehind),
    ),
    gauge(
      "runs_driven",
      "Runs that a worker drives now.",
      one(({ runsDriven }) => runsDriven),
    ),
    gauge(
      "worker_resident_bytes",
      "Memory of a worker process.",
      one(({ residentBytes }) => residentBytes),
    ),
    gauge(
      "worker_event_loop_lag_seconds",
      "How late a worker's timers ran at worst in the last five seconds.",
      one(({ eventLoopLagSeconds }) => eventLoopLagSeconds),
    ),
  ];
}

const webMetrics = (scrapeSeconds: number): readonly MetricFamily[] => [
  gauge(
    "web_uptime_seconds",
    "How long the web process that was asked has been running.",
    Math.round(process.uptime()),
  ),
  gauge("web_resident_bytes", "Memory of the web process that was asked.", process.memoryUsage.rss()),
  gauge("scrape_seconds", "How long the database took to answer this scrape.", Math.round(scrapeSeconds * 1e6) / 1e6),
];

/** Machine and process; the random part only makes the id unique over all that ever ran. */
const workerName = (workerId: string): string => workerId.split("/").slice(0, 2).join("/");

/** Undefined: a worker of another version, whose counts we cannot read. */
function countsOf({ counts }: WorkerRow): WorkerCounts | undefined {
  if (counts === null) return undefined;
  const parsed = workerCountsSchema.safeParse(JSON.parse(counts));
  return parsed.success ? parsed.data : undefined;
}

/** Clocks are read a moment apart, so an age may come out just below nothing. */
const positive = (seconds: number): number => Math.max(0, Math.round(seconds * 1_000) / 1_000);
