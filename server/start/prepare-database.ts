import path from "node:path";
import { runMigrations } from "graphile-worker";
import { applyMigrations } from "../migrations/apply-migrations";
import { readMigrations } from "../migrations/migration-files";
import { startEmbeddedPostgres } from "../postgres/embedded-postgres";
import { ROOT } from "../setup/checkout.mjs";

export interface PreparedDatabase {
  readonly url: string;
  /** Starts our own server again if it has died. True: it had. */
  revive(): Promise<boolean>;
  stop(): Promise<void>;
}

/** A migrated database: the one at `givenUrl`, or our own in `folder`. */
export async function prepareDatabase(givenUrl: string | undefined, folder: string): Promise<PreparedDatabase> {
  const server = givenUrl ? external(givenUrl) : await startEmbeddedPostgres({ folder });
  try {
    const applied = await applyMigrations(server.url, readMigrations(path.join(ROOT, "prisma", "migrations")));
    if (applied.length > 0) console.log(`Database brought up to date (${applied.length} migrations).`);
    await runMigrations({ connectionString: server.url });
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Somebody else's server: it is theirs to start and stop. */
const external = (url: string): PreparedDatabase => ({ url, revive: async () => false, stop: async () => {} });
