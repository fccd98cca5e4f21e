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
  return { server, database: openDatabase(server.url, { connectionsMax: 10 }) };
}
