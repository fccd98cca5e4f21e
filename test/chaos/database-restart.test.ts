import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import type { TemporaryServer } from "../../server/postgres/temporary-server";
import { Field, randomPlan } from "../support/chaos/field";
import { countOf, SEED } from "../support/chaos/length";
import { openOwnServer } from "../support/chaos/own-server";
import { brokenInvariants } from "../support/invariants";
import { randomOf } from "../support/random";

const ROUNDS = countOf("CHAOS_RESTARTS", 1, 12);
/** Runs that a worker leaves behind in each round. */
const RUNS = countOf("CHAOS_RUNS", 12, 100);
/** After the last restart. */
const ENDED_WITHIN_MS = 120_000;

let database: Database;
let server: TemporaryServer;
let field: Field;
beforeAll(async () => {
  ({ database, server } = await openOwnServer());
  field = await Field.open({ database, workers: 2, order: { leaseMs: 2_000 } });
}, 180_000);
afterAll(async () => {
  await field.close();
  await database.close();
  await server.stop();
}, 60_000);

it(`strands no run when the database crashes while its orphans are taken over, ${ROUNDS} times`, async () => {
  const random = randomOf(SEED);
  const planId = await field.createPlan(randomPlan(random, 24));
  for (let round = 0; round < ROUNDS; round++) {
    for (let run = 0; run < RUNS; run++) await field.startAgain(planId);
    // All workers die owning runs; while those that replace them take over, the server crashes.
    await Promise.all(field.members("worker").map((member) => field.killAndReplace(member)));
    await delay(random() * 2_000);
    await server.restartAtOnce();
    await delay(random() * 500);
    if (random() < 0.5) await server.restartAtOnce();
    await field.untilAllEnded(ENDED_WITHIN_MS);
    expect(await brokenInvariants(database.pool)).toEqual([]);
  }
  console.info(
    `CHAOS_SEED=${SEED}: ${ROUNDS} rounds of a crashed database during recovery, ${field.runIds.length} runs`,
  );
  expect(await field.faults()).toEqual([]);
}, 1_200_000);
