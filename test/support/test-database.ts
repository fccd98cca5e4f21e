import { inject } from "vitest";
import { type Database, type DatabaseOptions, openDatabase } from "../../server/db";
import { createScratchDatabase } from "../../server/postgres/scratch-database";

/**
 * A migrated, empty database for one test file: `beforeAll(async () => { database = await openTestDatabase(); })`.
 * `close` also drops it.
 */
export async function openTestDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const scratch = await createScratchDatabase(inject("serverUrl"), "test", inject("templateDatabase"));
  const database = openDatabase(scratch.url, options);
  return {
    ...database,
    async close() {
      await database.close();
      await scratch.drop();
    },
  };
}
