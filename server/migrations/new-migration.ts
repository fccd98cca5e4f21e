import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf, PlainError } from "../plain-error";
import { createScratchDatabase } from "../postgres/scratch-database";
import { startTemporaryServer } from "../postgres/temporary-server";
import { ROOT } from "../setup/checkout.mjs";
import { applyMigrations } from "./apply-migrations";
import { readMigrations } from "./migration-files";
import { migrationSql } from "./schema-engine";

/**
 * `npm run db:migration -- NAME`: writes the migration from what `prisma/migrations` makes to what `prisma/schema`
 * says. It is a proposal: read it, and add what the schema language cannot say (triggers, partial indexes).
 */
async function writeMigration(name: string | undefined): Promise<void> {
  if (!name || !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) {
    throw new PlainError("Give the migration a name in snake_case: npm run db:migration -- add_run_labels");
  }
  const schemaFolder = path.join(ROOT, "prisma", "schema");
  const migrationsFolder = path.join(ROOT, "prisma", "migrations");
  const schema = readdirSync(schemaFolder)
    .sort()
    .map((file) => ({ path: file, content: readFileSync(path.join(schemaFolder, file), "utf8") }));
  const server = await startTemporaryServer();
  try {
    const { url } = await createScratchDatabase(server.url, "migration");
    await applyMigrations(url, readMigrations(migrationsFolder));
    const sql = await migrationSql(url, schema);
    if (!sql) {
      console.log("The migrations already make what the schema says.");
      return;
    }
    const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
    const folder = path.join(migrationsFolder, `${time}_${name}`);
    mkdirSync(folder);
    writeFileSync(path.join(folder, "migration.sql"), sql);
    console.log(`Wrote ${path.relative(ROOT, folder)}/migration.sql. Read it before you commit it.`);
  } finally {
    await server.stop();
  }
}

writeMigration(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof PlainError ? error.message : `Failed: ${messageOf(error)}`);
  process.exitCode = 1;
});
