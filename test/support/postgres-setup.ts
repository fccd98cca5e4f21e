import path from "node:path";
import { runMigrations } from "graphile-worker";
import type { TestProject } from "vitest/node";
import { applyMigrations } from "../../server/migrations/apply-migrations";
import { readMigrations } from "../../server/migrations/migration-files";
import { createScratchDatabase, databaseName } from "../../server/postgres/scratch-database";
import { startTemporaryServer } from "../../server/postgres/temporary-server";
import { ROOT } from "../../server/setup/checkout.mjs";
import { generateClient } from "../../server/setup/generate-client.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** A server on which tests make databases. */
    serverUrl: string;
    /** The name of a migrated, empty database to copy. Nobody connects to it. */
    templateDatabase: string;
  }
}

/**
 * Brings Postgres for a run of the tests: a temporary server without fsync, or the one at `TEST_DATABASE_URL`.
 * Its data go when the run ends; those of a run that was killed go when the next begins.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await generateClient();
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? { url: given, stop: async () => {} } : await startTemporaryServer();
  const template = await createScratchDatabase(server.url, "template");
  await applyMigrations(template.url, readMigrations(path.join(ROOT, "prisma", "migrations")));
  await runMigrations({ connectionString: template.url });
  project.provide("serverUrl", server.url);
  project.provide("templateDatabase", databaseName(template.url));
  return async () => {
    if (given) await template.drop();
    await server.stop();
  };
}
