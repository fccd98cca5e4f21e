import path from "node:path";
import { runMigrations } from "graphile-worker";
import { applyMigrations } from "../migrations/apply-migrations";
import { readMigrations } from "../migrations/migration-files";
import { startEmbeddedPostgres } from "../postgres/embedded-postgres";
import { ROOT } from "../setup/checkout.mjs";

export interface PreparedDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** A migrated database: the one at `givenUrl`, or our own in `folder`. */
export async function prepareDatabase(givenUrl: string | undefined, folder: string): Promise<PreparedDatabase> {
  const server = givenUrl ? { url: givenUrl, stop: async () => {} } : await startEmbeddedPostgres({ folder });
  try {
    const applied = await applyMigrations(server.url, readMigrations(path.join(ROOT, "prisma", "migrations")));
    if (applied.length > 0) console.log(`Database brought up to date (${applied.length} migrations).`);
    await runMigrations({ connectionString: server.url });
    return { url: server.url, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
