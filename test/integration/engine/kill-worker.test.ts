import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../server/db";
import { killWorkers } from "../../support/chaos";
import { openTestDatabase } from "../../support/test-database";

const KILLS = 20;
/** The promise; a machine that does everything else beside this test may be late with a few of them. */
const TAKEOVER_MS = 5_000;
const LATE_MS_MAX = 20_000;

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it(`ends every run right although its worker is killed with -9, ${KILLS} times at random`, async () => {
  const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`CHAOS_SEED=${seed}`);
  const report = await killWorkers({ database, seed, kills: KILLS, workers: 2, runs: 4 });
  const takeovers = [...report.takeoverMs].sort((left, right) => left - right);
  console.info(`takeovers, ms: ${takeovers.map((ms) => ms.toFixed(0)).join(" ")}`);
  expect(report.faults).toEqual([]);
  expect(takeovers[Math.floor(KILLS / 2)]).toBeLessThan(TAKEOVER_MS);
  expect(takeovers.at(-1)).toBeLessThan(LATE_MS_MAX);
}, 600_000);
