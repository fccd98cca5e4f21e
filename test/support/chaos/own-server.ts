import path from "node:path";
import { runMigrations } from "graphile-worker";
import { type Database, openDatabase } from "../../../server/db";
import { applyMigrations } from "../../../server/migrations/apply-migrations";
import { readMigrations } from "../../../server/migrations/migration-files";
import { startTemporaryServer, type TemporaryServer } from "../../../server/postgres/temporary-server";
import { ROOT } from "../../../server/setup/checkout.mjs";

/** A database server of a test's own, with fsync on, that it may crash. */
export async function openOwnServer(): Promise<{ readonly database: Database; readonly server: TemporaryServer }> {
  const server = await startTemporaryServer(true);
  await applyMigrations(server.url, readMigrations(path.join(ROOT, "prisma", "migrations")));
  await runMigrations({ connectionString: server.url });
  const database = openDatabase(server.url, { connectionsMax: 10 });
  // Whoever comes from any address of this machine may sign in: processes with addresses of their own.
  await database.pool.query(
    `DO $$ BEGIN EXECUTE format('COPY (SELECT %L) TO %L', 'host all all 127.0.0.0/8 scram-sha-256',
                                current_setting('hba_file')); END $$`,
  );
  await database.pool.query("SELECT pg_reload_conf()");
  return { server, database };
}
