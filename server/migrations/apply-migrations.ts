import { randomUUID } from "node:crypto";
import pg from "pg";
import { messageOf, PlainError } from "../plain-error";
import type { Migration } from "./migration-files";

/** The number Prisma's own tools lock, so that theirs and ours exclude each other. */
const MIGRATION_LOCK = 72_707_369;

/** As Prisma makes it: its tools can read what we wrote. */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

const OLDEST_SERVER_VERSION = 150_000;

/**
 * Brings the database up to date and returns the names of what was applied. Costs one query when it is current, which
 * is why starting does not go through Prisma's command line. Each migration and its record commit together.
 */
export async function applyMigrations(databaseUrl: string, migrations: readonly Migration[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new PlainError(`Cannot connect to the database: ${messageOf(error)}.`);
  }
  try {
    await refuseOldServer(client);
    if (pending(await appliedMigrations(client), migrations).length === 0) return [];
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(CREATE_TABLE);
    // Whoever held the lock before us may have done it all.
    const todo = pending(await appliedMigrations(client), migrations);
    for (const migration of todo) await apply(client, migration);
    return todo.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int AS version");
  const version = Number(rows[0]?.version);
  if (version >= OLDEST_SERVER_VERSION) return;
  throw new PlainError(`The database is Postgres ${Math.floor(version / 10_000)}; Planwright needs 15 or newer.`);
}

/** Name → checksum of every migration that took effect. */
async function appliedMigrations(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows: found } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS yes");
  if (!found[0]?.yes) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function pending(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  const newer = [...applied.keys()].find((name) => !known.has(name));
  if (newer) {
    throw new PlainError(
      `The database has the migration "${newer}", which this checkout does not know: it was used with a newer one.`,
    );
  }
  const edited = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (edited) {
    throw new PlainError(
      `The migration "${edited.name}" was edited after this database had it. Write a new one instead; ` +
        'on a development machine "npm run db:reset" empties the local database.',
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw new Error(`Migration "${migration.name}" failed: ${messageOf(error)}`, { cause: error });
  }
}
