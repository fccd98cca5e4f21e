import { openPool } from "../../../server/pool";
import { runningDatabaseUrl } from "../../../server/postgres/embedded-postgres";
import { ROOT } from "../../../server/setup/checkout.mjs";
import { openStateFolder } from "../../../server/state-folder";

/**
 * Runs one statement on the database of the server under test with every trigger off: for what no screen can do, such as
 * letting a day go by, or changing what is never changed.
 */
export async function changeDatabase(statement: string, values: readonly unknown[]): Promise<void> {
  const url = runningDatabaseUrl(openStateFolder(ROOT, process.env.PLANWRIGHT_E2E_STATE).postgresPath);
  if (url === undefined) throw new Error("The server under test has no database of its own.");
  const pool = openPool(url, { connectionsMax: 1 });
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica");
    const { rowCount } = await client.query(statement, [...values]);
    if (rowCount === 0) throw new Error(`Nothing was changed by: ${statement}`);
    await client.query("COMMIT");
  } finally {
    client.release();
    await pool.end();
  }
}
