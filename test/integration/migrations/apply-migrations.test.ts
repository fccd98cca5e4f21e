import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { applyMigrations } from "../../../server/migrations/apply-migrations";
import { readMigrations } from "../../../server/migrations/migration-files";
import { migrationSql } from "../../../server/migrations/schema-engine";
import { createScratchDatabase, type ScratchDatabase } from "../../../server/postgres/scratch-database";
import { ROOT } from "../../../server/setup/checkout.mjs";

const migrations = readMigrations(path.join(ROOT, "prisma", "migrations"));
const first = { name: "20260101000000_first", sql: "CREATE TABLE first (id INT)", checksum: "1" };
const second = { name: "20260102000000_second", sql: "CREATE TABLE second (id INT)", checksum: "2" };

async function rowsOf(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("applying migrations", () => {
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    scratch = await createScratchDatabase(inject("serverUrl"), "migrations");
  });
  afterAll(() => scratch.drop());

  test("makes exactly what the Prisma schema says", async () => {
    expect(await applyMigrations(scratch.url, migrations)).toEqual(migrations.map(({ name }) => name));
    const folder = path.join(ROOT, "prisma", "schema");
    const schema = readdirSync(folder).map((file) => ({
      path: file,
      content: readFileSync(path.join(folder, file), "utf8"),
    }));
    expect(await migrationSql(scratch.url, schema)).toBe("");
  });

  test("does nothing the second time", async () => {
    expect(await applyMigrations(scratch.url, migrations)).toEqual([]);
  });

  test("refuses a migration that was edited after it was applied", async () => {
    const edited = migrations.map((migration) => ({ ...migration, checksum: "other" }));
    await expect(applyMigrations(scratch.url, edited)).rejects.toThrow(/was edited/);
  });

  test("refuses a database that is newer than the checkout", async () => {
    await expect(applyMigrations(scratch.url, [])).rejects.toThrow(/newer/);
  });
});

test("two starts at once apply each migration once", async () => {
  const scratch = await createScratchDatabase(inject("serverUrl"), "migrations");
  const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(scratch.url, [first, second])));
  expect(applied.flat().sort()).toEqual([first.name, second.name]);
  await scratch.drop();
});

test("a migration that fails leaves nothing of itself, and those before it stay", async () => {
  const scratch = await createScratchDatabase(inject("serverUrl"), "migrations");
  const broken = { ...second, sql: `${second.sql}; SELECT 1 / 0` };
  await expect(applyMigrations(scratch.url, [first, broken])).rejects.toThrow(/division by zero/);
  expect(await rowsOf(scratch.url, "SELECT migration_name FROM _prisma_migrations")).toEqual([
    { migration_name: first.name },
  ]);
  expect(await applyMigrations(scratch.url, [first, second])).toEqual([second.name]);
  await scratch.drop();
});

test("the WebAssembly schema engine is the one that this Prisma version belongs to", () => {
  const versionOf = (name: string): unknown =>
    JSON.parse(readFileSync(path.join(ROOT, "node_modules", "@prisma", name, "package.json"), "utf8")).version;
  expect(versionOf("schema-engine-wasm")).toBe(versionOf("engines-version"));
});
