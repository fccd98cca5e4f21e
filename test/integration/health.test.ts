import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../server/db";
import { checkHealth } from "../../server/health";
import { startHeartbeat } from "../../server/heartbeat";
import { WorkerMeter } from "../../server/metrics/worker-counts";
import { openTestDatabase } from "../support/test-database";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const fail = (error: unknown): void => {
  throw error;
};

test("without a worker the installation is degraded, with one it is well, and it says how old things are", async () => {
  expect(await checkHealth(database)).toMatchObject({
    status: "degraded",
    worker: { status: "degraded", heartbeatAgeSeconds: null },
    jobs: { status: "ok", oldestDueSeconds: null },
  });
  const heartbeat = startHeartbeat(database.pool, "worker-1", {
    counts: () => new WorkerMeter().counts({ runsDriven: 0, eventLoopLagMs: 0 }),
    onError: fail,
  });
  await expect.poll(async () => (await checkHealth(database)).status).toBe("ok");
  await heartbeat.stop();
  expect((await checkHealth(database)).status).toBe("degraded");
});

test("a job that nobody takes up for a minute shows", async () => {
  await database.pool.query(
    "SELECT graphile_worker.add_job('nobody_takes_this', run_at => clock_timestamp() - interval '60 s')",
  );
  const health = await checkHealth(database);
  expect(health.jobs.status).toBe("degraded");
  expect(health.jobs.oldestDueSeconds).toBeGreaterThanOrEqual(60);
});

test("without a database the answer comes all the same", async () => {
  const nowhere = openDatabase("postgresql://nobody@127.0.0.1:1/none");
  expect(await checkHealth(nowhere)).toMatchObject({ status: "down", database: { status: "down" } });
  await nowhere.close();
});
