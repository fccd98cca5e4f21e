import type { Pool, PoolClient } from "pg";

/** Runs `work` in one transaction; anything thrown rolls it back. A connection that broke is not given back. */
export async function inTransaction<Value>(pool: Pool, work: (client: PoolClient) => Promise<Value>): Promise<Value> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection may break while nothing is asked of it; unheard, that would end the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    const value = await work(client);
    await client.query("COMMIT");
    return value;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}
