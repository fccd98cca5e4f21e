import { randomBytes } from "node:crypto";
import pg from "pg";

export interface ScratchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * A new database with a name of its own on the server at `serverUrl`: a copy of `template`, or empty.
 * Nobody may be connected to the template meanwhile.
 */
export async function createScratchDatabase(
  serverUrl: string,
  purpose: string,
  template = "template1",
): Promise<ScratchDatabase> {
  const name = `planwright_${purpose}_${randomBytes(6).toString("hex")}`;
  await execute(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) };
}

/** The name of the database that `url` points at. */
export const databaseName = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
