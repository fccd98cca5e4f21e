import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../server/db";
import { killWorkers } from "../support/chaos";
import { openTestDatabase } from "../support/test-database";

/** The long form of the test of every commit: `CHAOS_ROUNDS` rounds of 25 kills with five workers. */
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 20);
const KILLS = 25;
const FIRST_SEED = Number(process.env.CHAOS_SEED ?? 1);

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase({ connectionsMax: 5 });
});
afterEach(() => database.close());

it.each(Array.from({ length: ROUNDS }, (_, round) => FIRST_SEED + round))(
  `ends every run right under ${KILLS} kills, seed %i`,
  async (seed) => {
    const report = await killWorkers({ database, seed, kills: KILLS, workers: 5, runs: 8 });
    expect(report.faults).toEqual([]);
  },
  900_000,
);
