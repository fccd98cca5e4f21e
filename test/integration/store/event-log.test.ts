import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../server/db";
import type { DriverStore } from "../../../server/store/driver-store";
import type { RunCreator } from "../../../server/store/run-creator";
import { planOf } from "../../support/run-fixture";
import { createRun, creatorOf, openStore, succeeded } from "../../support/stored-runs";
import { openTestDatabase } from "../../support/test-database";

let database: Database;
let store: DriverStore;
let creator: RunCreator;

beforeAll(async () => {
  database = await openTestDatabase();
  store = await openStore(database);
  creator = creatorOf(database);
});
afterAll(async () => {
  await store.close();
  await database.close();
});

const acquired = async (runId: string, by: DriverStore = store) => {
  const lease = await by.leases.acquire(runId);
  if (lease === undefined) throw new Error("no lease");
  return lease;
};

describe("the log in Postgres", () => {
  it("gives back every string exactly, U+0000 and lone surrogates included", async () => {
    const runId = await createRun(creator, planOf([{ id: "a" }]));
    const lease = await acquired(runId);
    const output = {
      text: "nul \u0000 lone \ud800 pair \ud83d\ude00 line\nbreak \u2028 , ' \\ {}",
      ["__proto__"]: 1,
      constructor: "x",
    };
    const event = succeeded("a", JSON.parse(JSON.stringify(output)));
    expect(await store.log.append(lease, 2, [event])).toEqual({ status: "appended", lastSeq: 3 });
    const [read] = await store.log.read(runId, 2);
    expect(read).toEqual({ ...event, seq: 3 });
    expect(JSON.stringify(read)).toContain('"__proto__":1');
  });

  it("stores a plan once and shows it in every event that accepted it", async () => {
    const plan = planOf([{ id: "a" }, { id: "null" }], { name: "stored once" });
    const runs = await Promise.all([createRun(creator, plan), createRun(creator, plan)]);
    for (const runId of runs) {
      const events = await store.log.read(runId);
      expect(events.map((event) => event.seq)).toEqual([1, 2]);
      expect(events[1]).toMatchObject({ type: "plan_accepted", plan });
    }
    const documents = await database.pool.query(
      "SELECT count(*)::int FROM documents WHERE content LIKE '%stored once%'",
    );
    expect(documents.rows[0].count).toBe(1);
  });

  it("refuses a second append after the same seq and says where the log ends", async () => {
    const runId = await createRun(creator, planOf([{ id: "a" }, { id: "b" }]));
    const lease = await acquired(runId);
    expect(await store.log.append(lease, 2, [succeeded("a")])).toEqual({ status: "appended", lastSeq: 3 });
    expect(await store.log.append(lease, 2, [succeeded("b")])).toEqual({ status: "conflict", lastSeq: 3 });
    expect(await store.log.read(runId, 2)).toHaveLength(1);
  });

  it("appends to many runs in one transaction, and a conflict in one leaves the others alone", async () => {
    const runIds = await Promise.all(Array.from({ length: 50 }, () => createRun(creator, planOf([{ id: "null" }]))));
    const leases = await Promise.all(runIds.map((runId) => acquired(runId)));
    const outcomes = await Promise.all(
      leases.map((lease, index) => store.log.append(lease, index === 7 ? 1 : 2, [succeeded("null")])),
    );
    outcomes.forEach((outcome, index) => {
      expect(outcome).toEqual(index === 7 ? { status: "conflict", lastSeq: 2 } : { status: "appended", lastSeq: 3 });
    });
    const writers = await database.pool.query(
      "SELECT count(DISTINCT xmin::text)::int AS transactions FROM run_events WHERE seq = 3 AND task_id = 'null'",
    );
    expect(writers.rows[0].transactions).toBeLessThanOrEqual(2);
  });

  it("fences an owner whose lease was taken over, and tells it", async () => {
    const runId = await createRun(creator, planOf([{ id: "a" }, { id: "b" }]));
    const lease = await acquired(runId);
    const other = await openStore(database);
    expect(await other.leases.acquire(runId)).toBeUndefined();
    await database.pool.query("UPDATE runs SET lease_until = now() - interval '1 s' WHERE id = $1", [runId]);
    const taken = await acquired(runId, other);
    expect(taken.epoch).toBeGreaterThan(lease.epoch);
    expect(await store.log.append(lease, 2, [succeeded("a")])).toEqual({ status: "fenced" });
    expect(lease.lost?.aborted).toBe(true);
    expect(await other.log.append(taken, 2, [succeeded("a")])).toEqual({ status: "appended", lastSeq: 3 });
    await other.close();
  });

  it("lets go only while the log ends where the driver saw it end", async () => {
    const runId = await createRun(creator, planOf([{ id: "a" }, { id: "b" }]));
    const lease = await acquired(runId);
    await store.log.append(lease, 2, [succeeded("a")]);
    expect(await store.leases.release(lease, 2)).toBe(false);
    expect(await store.leases.release(lease, 3, Date.now() + 60_000)).toBe(true);
    const row = await database.pool.query(
      `SELECT lease_owner, wake_at > now() AS waits, job_id, wake_job_id IN (SELECT id FROM graphile_worker.jobs) AS has_job
       FROM runs WHERE id = $1`,
      [runId],
    );
    expect(row.rows[0]).toEqual({ lease_owner: null, waits: true, job_id: null, has_job: true });
  });

  it("refuses to change or remove an event, whoever asks", async () => {
    for (const statement of ["UPDATE run_events SET seq = 9", "DELETE FROM run_events", "TRUNCATE run_events"]) {
      await expect(database.pool.query(statement)).rejects.toThrow(/append-only/);
    }
  });
});
