import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ok } from "#kernel/result";
import type { Database } from "../../../server/db";
import { GraphileEngine } from "../../../server/engine/graphile-engine";
import type { DriverStore } from "../../../server/store/driver-store";
import { PostgresRunDesk } from "../../../server/store/run-desk";
import { sweepRuns } from "../../../server/store/run-sweep";
import { approved, driveGate } from "../../support/gate-driver";
import { brokenInvariants } from "../../support/invariants";
import { MemoryLog } from "../../support/memory-log";
import { planOf } from "../../support/run-fixture";
import { createRun, creatorOf, openStore, WORKSPACE } from "../../support/stored-runs";
import { openTestDatabase } from "../../support/test-database";
import { until } from "../../support/until";

const ROUNDS = 400;

let database: Database;
let workers: { readonly store: DriverStore; readonly engine: GraphileEngine }[];
let desk: PostgresRunDesk;
const log = new MemoryLog();

beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 30 });
  desk = new PostgresRunDesk(database.pool, new AbortController().signal);
  workers = await Promise.all(
    [0, 1].map(async () => {
      const store = await openStore(database);
      const engine = new GraphileEngine({
        pool: database.pool,
        drive: (runId) => driveGate(store, runId),
        sweep: async () => ({ ...(await sweepRuns(database.pool)) }),
        log,
      });
      await engine.start();
      return { store, engine };
    }),
  );
});
afterAll(async () => {
  for (const worker of workers) {
    await worker.engine.stop();
    await worker.store.close();
  }
  await database.close();
});

/** Approves as soon as the gate is there, after `afterMs`; gives up the ones that never open. */
async function approve(runId: string, afterMs: number): Promise<void> {
  await until(`${runId} asks`, async () => {
    const summary = await desk.get(WORKSPACE, runId);
    return (summary?.openGates ?? 0) > 0;
  });
  await delay(afterMs);
  const decided = await desk.submit(WORKSPACE, runId, () => ok([approved(runId)]));
  expect(decided).toEqual({ ok: true, value: 4 });
}

describe("waking a run", () => {
  it(`loses no decision that races with a driver letting go, in ${ROUNDS} rounds`, async () => {
    const creator = creatorOf(database);
    const plan = planOf([{ id: "a" }]);
    for (let round = 0; round < ROUNDS; round += 40) {
      const runIds = await Promise.all(Array.from({ length: 40 }, () => createRun(creator, plan)));
      // From "at once", while the driver still holds the lease, to well after it let go.
      await Promise.all(runIds.map((runId, index) => approve(runId, index % 2 === 0 ? 0 : (index * 7) % 20)));
      await until("all of them ended", async () => {
        const open = await database.pool.query("SELECT count(*)::int FROM runs WHERE finished_at IS NULL");
        return open.rows[0].count === 0;
      });
    }
    // Nobody needed the sweep: each wake-up came by itself.
    expect(log.lines.filter((line) => line.message === "runs were left behind")).toEqual([]);
    expect(await brokenInvariants(database.pool)).toEqual([]);
  });
});
