import pg from "pg";
import { runFloor } from "./floor-owner";
import { settleStatistics } from "./settle-statistics";
import type { System } from "./system";

const TABLE = `
CREATE TABLE IF NOT EXISTS floor_events (run int, seq int, at timestamptz DEFAULT now(), payload text,
                                         PRIMARY KEY (run, seq))`;

interface Row {
  readonly run: number;
  readonly seq: number;
  readonly payload: string;
  readonly resolve: () => void;
}

/** One flusher: what finished while a commit was in flight goes into the next. */
export async function groupCommitFloor(url: string): Promise<System> {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  await pool.query(TABLE);
  let waiting: Row[] = [];
  let flushing = false;
  const flush = async (): Promise<void> => {
    flushing = true;
    while (waiting.length > 0) {
      const rows = waiting;
      waiting = [];
      await pool.query({
        name: "flush",
        text: `WITH inserted AS (
                 INSERT INTO floor_events (run, seq, payload)
                 SELECT * FROM unnest($1::int[], $2::int[], string_to_array($3, E'\\n')))
               SELECT pg_notify('floor', '')`,
        values: [
          `{${rows.map((row) => row.run).join(",")}}`,
          `{${rows.map((row) => row.seq).join(",")}}`,
          rows.map((row) => row.payload).join("\n"),
        ],
      });
      for (const row of rows) row.resolve();
      await new Promise(setImmediate);
    }
    flushing = false;
  };
  let runs = 0;
  return {
    run: (workload) => {
      const firstRun = runs;
      runs += workload.dags.length;
      return runFloor(workload, firstRun, (run, seq, payload) => {
        const done = new Promise<void>((resolve) => waiting.push({ run, seq, payload, resolve }));
        if (!flushing) void flush();
        return done;
      });
    },
    settle: () => settleStatistics(pool, 4),
    stop: () => pool.end(),
  };
}

/** One transaction a finished task, sixteen connections. */
export async function commitPerTaskFloor(url: string): Promise<System> {
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  await pool.query(TABLE);
  let runs = 0;
  return {
    run: (workload) => {
      const firstRun = runs;
      runs += workload.dags.length;
      return runFloor(workload, firstRun, async (run, seq, payload) => {
        await pool.query({
          name: "insert",
          text: `WITH inserted AS (INSERT INTO floor_events (run, seq, payload) VALUES ($1, $2, $3))
                 SELECT pg_notify('floor', '')`,
          values: [run, seq, payload],
        });
      });
    },
    settle: () => settleStatistics(pool, 16),
    stop: () => pool.end(),
  };
}
