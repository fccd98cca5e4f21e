import type pg from "pg";
import type { WorkerCounts } from "./metrics/worker-counts";

const EVERY_MS = 5_000;

/** Rows of workers that nobody has seen for a day say nothing any more. */
const FORGET_AFTER = "1 day";

export interface Heartbeat {
  stop(): Promise<void>;
}

/** Says every five seconds that this worker process is alive and what it has counted, until stopped. A beat that fails is left out. */
export function startHeartbeat(
  pool: pg.Pool,
  workerId: string,
  { counts, onError }: { counts: () => WorkerCounts; onError: (error: unknown) => void },
): Heartbeat {
  const beat = () =>
    pool
      .query(
        `INSERT INTO worker_heartbeats (worker_id, counts) VALUES ($1, $2)
         ON CONFLICT (worker_id) DO UPDATE SET seen_at = clock_timestamp(), counts = excluded.counts`,
        [workerId, JSON.stringify(counts())],
      )
      .catch(onError);
  const timer = setInterval(beat, EVERY_MS);
  timer.unref();
  beat().then(() =>
    pool.query("DELETE FROM worker_heartbeats WHERE seen_at < now() - $1::interval", [FORGET_AFTER]).catch(onError),
  );
  return {
    async stop() {
      clearInterval(timer);
      await pool.query("DELETE FROM worker_heartbeats WHERE worker_id = $1", [workerId]).catch(onError);
    },
  };
}
