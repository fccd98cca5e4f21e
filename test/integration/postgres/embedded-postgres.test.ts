import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../server/postgres/embedded-postgres";
import { findPostmaster, lockFile } from "../../../server/postgres/postmaster";
import { MACHINE_FOLDER } from "../../../server/state-folder";

let folder: string;
let data: string;
let running: EmbeddedPostgres | undefined;

beforeAll(() => {
  // As root the database's own user must reach it.
  const home = process.getuid?.() === 0 ? MACHINE_FOLDER : tmpdir();
  mkdirSync(home, { recursive: true });
  folder = mkdtempSync(path.join(home, "embedded-"));
  data = path.join(folder, "data");
});
afterAll(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function start(): Promise<EmbeddedPostgres> {
  running = await startEmbeddedPostgres({ folder, durable: false });
  return running;
}

test("a first start that was killed halfway is begun anew", async () => {
  mkdirSync(path.join(folder, "new"));
  writeFileSync(path.join(folder, "new", "half"), "");
  const server = await start();
  expect(server.adopted).toBe(false);
  await query(server.url, "CREATE TABLE kept AS SELECT 1 AS number");
});

test("nobody gets in without the password", async () => {
  const url = new URL(running?.url ?? "");
  url.password = "wrong";
  await expect(query(url.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
});

test("a server that outlived its starter is adopted", async () => {
  const again = await start();
  expect(again.adopted).toBe(true);
  expect(await query(again.url, "SELECT number FROM kept")).toEqual([{ number: 1 }]);
});

test("what was committed survives kill -9 of the server", async () => {
  const postmaster = findPostmaster(data);
  if (!postmaster) throw new Error("no server runs");
  process.kill(postmaster.pid, "SIGKILL");
  const again = await start();
  expect(again.adopted).toBe(false);
  expect(await query(again.url, "SELECT number FROM kept")).toEqual([{ number: 1 }]);
});

test("a lock file that names a living process of somebody else does not block the start", async () => {
  await running?.stop();
  expect(findPostmaster(data)).toBeUndefined();
  writeFileSync(lockFile(data), `${process.pid}\n${data}\n0\n1\n\n\n`);
  const again = await start();
  expect(await query(again.url, "SELECT number FROM kept")).toEqual([{ number: 1 }]);
});

test("stopping cuts open sessions, and twice is once", async () => {
  const client = new pg.Client({ connectionString: running?.url });
  const cut = new Promise((resolve) => client.on("error", resolve));
  await client.connect();
  await running?.stop();
  await cut;
  await running?.stop();
  expect(findPostmaster(data)).toBeUndefined();
});
