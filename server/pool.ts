import pg from "pg";

export interface PoolOptions {
  /** Connections at most. Default 10: two processes of ours leave most of the server's to others. */
  readonly connectionsMax?: number;
  /** Hears of idle connections that broke. The pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
  /** Makes the connections, for tests that let statements fail. Default: the driver's own. */
  readonly Client?: typeof pg.Client;
}

/** A pool for hand-written SQL. Opens lazily: the first query connects. */
export function openPool(url: string, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: 10_000,
    application_name: "planwright",
    ...(options.Client && { Client: options.Client }),
  });
  // Without a listener a restart of the database would end the process; so would a break of a connection in use.
  pool.on("error", (error) => options.onIdleError?.(error));
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
