import type { Pool } from "pg";

/** Makes each connection of the pool report its counts; otherwise a busy one does so once a second at most. */
export async function settleStatistics(pool: Pool, connections: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  try {
    await Promise.all(clients.map((client) => client.query("SELECT pg_stat_force_next_flush()")));
  } finally {
    for (const client of clients) client.release();
  }
}
