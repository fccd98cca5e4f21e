import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

export interface DatabaseReading {
  readonly commits: number;
  readonly rows: number;
  readonly walBytes: number;
  /** Processor time of the server and all its backends, milliseconds; NaN where /proc does not tell. */
  readonly cpuMs: number;
}

/** Reads what a database has done. WAL is the whole server's, so only one system may be busy meanwhile. */
export class DatabaseMeter {
  readonly #client: pg.Client;
  readonly #database: string;
  #postmaster = 0;

  constructor(serverUrl: string, database: string) {
    this.#client = new pg.Client({ connectionString: serverUrl });
    this.#database = database;
  }

  async open(): Promise<void> {
    this.#client.on("error", () => {});
    await this.#client.connect();
    const backend = await this.#client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    this.#postmaster = parentOf(backend.rows[0]?.pid ?? 0);
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async read(): Promise<DatabaseReading> {
    const { rows } = await this.#client.query<{ commits: string; rows: string; wal: string }>(
      `SELECT xact_commit AS commits, tup_inserted + tup_updated + tup_deleted AS rows,
              pg_current_wal_lsn() - '0/0'::pg_lsn AS wal
       FROM pg_stat_database WHERE datname = $1`,
      [this.#database],
    );
    const row = rows[0];
    return {
      commits: Number(row?.commits),
      rows: Number(row?.rows),
      walBytes: Number(row?.wal),
      cpuMs: cpuMsOf(this.#postmaster),
    };
  }
}

const TICK_MS = 10;

function statOf(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function parentOf(pid: number): number {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return 0;
  }
}

/** The server's own time, that of children it has waited for, and that of children that run. */
function cpuMsOf(postmaster: number): number {
  try {
    let ticks = 0;
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      const pid = Number(name);
      if (pid !== postmaster && parentOf(pid) !== postmaster) continue;
      const stat = statOf(pid);
      ticks += Number(stat[11]) + Number(stat[12]) + (pid === postmaster ? Number(stat[13]) + Number(stat[14]) : 0);
    }
    return ticks * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
