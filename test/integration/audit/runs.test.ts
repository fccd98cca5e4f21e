import { readFileSync } from "node:fs";
import path from "node:path";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runEventSchema } from "#kernel/run/event";
import type { Database } from "../../../server/db";
import { keepRecordedRun } from "../../../server/store/recorded-runs";
import { redactDueRuns } from "../../../server/store/run-redaction";
import { verifyAudit } from "../../../server/store/verify-audit";
import { randomOf } from "../../support/random";
import { openTestDatabase } from "../../support/test-database";

const ROUNDS = 100;
const SEED = 7;

let database: Database;
let runId: string;
let events: number;
const random = randomOf(SEED);
const pick = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));

beforeAll(async () => {
  database = await openTestDatabase();
  const file = path.join(import.meta.dirname, "../../../public/incidents/checkout-error-spike.json");
  const recorded = runEventSchema.array().parse(JSON.parse(readFileSync(file, "utf8")));
  runId = await keepRecordedRun(database.pool, "ours", recorded);
  events = recorded.length;
});
afterAll(() => database.close());

async function faultsAfter(tamper: (client: PoolClient) => Promise<unknown>): Promise<string[]> {
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica");
    await tamper(client);
    return (await verifyAudit(client, "ours")).faults.map(({ message }) => message);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

const EVENT = "run_key = (SELECT key FROM runs WHERE workspace_id = 'ours')";

/** Ways to change one event of a log. */
const TAMPERINGS: readonly ((client: PoolClient, seq: number) => Promise<unknown>)[] = [
  (client, seq) => client.query(`UPDATE run_events SET payload = payload || ' ' WHERE ${EVENT} AND seq = $1`, [seq]),
  (client, seq) => client.query(`UPDATE run_events SET at = at + 1 WHERE ${EVENT} AND seq = $1`, [seq]),
  (client, seq) => client.query(`UPDATE run_events SET task_id = 'another' WHERE ${EVENT} AND seq = $1`, [seq]),
  (client, seq) => client.query(`UPDATE run_events SET type = 'task_failed' WHERE ${EVENT} AND seq = $1`, [seq]),
  (client, seq) => client.query(`DELETE FROM run_events WHERE ${EVENT} AND seq = $1`, [seq]),
  async (client, seq) => {
    await client.query(`UPDATE run_events SET seq = seq + 100000 WHERE ${EVENT} AND seq > $1`, [seq]);
    await client.query(
      `INSERT INTO run_events (run_key, seq, at, type, payload)
       SELECT run_key, seq + 1, at, 'run_paused', '{}' FROM run_events WHERE ${EVENT} AND seq = $1`,
      [seq],
    );
    await client.query(`UPDATE run_events SET seq = seq - 99999 WHERE ${EVENT} AND seq > 100000`);
  },
  async (client, seq) => {
    const other = seq === 1 ? 2 : seq - 1;
    await client.query(`UPDATE run_events SET seq = 100000 WHERE ${EVENT} AND seq = $1`, [seq]);
    await client.query(`UPDATE run_events SET seq = $1 WHERE ${EVENT} AND seq = $2`, [seq, other]);
    await client.query(`UPDATE run_events SET seq = $1 WHERE ${EVENT} AND seq = 100000`, [other]);
  },
  // Made to look redacted: the hash of what was there, beside other words.
  (client, seq) =>
    client.query(
      `UPDATE run_events SET hash = run_event_hash(run_events), payload = '{}' WHERE ${EVENT} AND seq = $1`,
      [seq],
    ),
];

test("a run enters the audit as it starts and as it ends, with its log's digest", async () => {
  const entries = await database.prisma.auditEntry.findMany({
    where: { subjectId: runId },
    orderBy: { number: "asc" },
  });
  expect(entries.map(({ action }) => action)).toEqual(["run.started", "run.finished"]);
  expect(JSON.parse(entries[1]?.payload ?? "").detail).toMatchObject({
    events,
    digest: expect.stringMatching(/^\w{64}$/),
  });
  expect(await faultsAfter(async () => {})).toEqual([]);
});

test(`a changed, removed, inserted or moved event is found and its run named (${ROUNDS} times, seed ${SEED})`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const tamper = TAMPERINGS[round % TAMPERINGS.length] as (typeof TAMPERINGS)[number];
    const faults = await faultsAfter((client) => tamper(client, pick(1, events)));
    expect(faults.join(), `round ${round}`).toContain(runId);
  }
});

test.each([
  ["removed", "DELETE FROM runs"],
  ["moved to another workspace", "UPDATE runs SET workspace_id = 'theirs'"],
  ["swapped for one that nobody started", "UPDATE runs SET id = 'another'"],
])("a run that was %s is found and named", async (_name, statement) => {
  expect((await faultsAfter((client) => client.query(statement))).join()).toContain(runId);
});

test("what redaction left cannot be changed unseen either", async () => {
  const { pool } = database;
  await pool.query("UPDATE runs SET finished_at = now() - interval '40 days'");
  await pool.query(
    `INSERT INTO retention_policies (workspace_id, keep_days, updated_by_id, updated_by_name)
     VALUES ('ours', 30, 'p', 'P')`,
  );
  expect((await redactDueRuns(pool, () => undefined)).runs).toBe(1);
  expect(await faultsAfter(async () => {})).toEqual([]);
  const faults = await faultsAfter((client) =>
    client.query(`UPDATE run_events SET payload = payload || ' ' WHERE ${EVENT} AND seq = 3`),
  );
  expect(faults.join()).toContain(runId);
});
