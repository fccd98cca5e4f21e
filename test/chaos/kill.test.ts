import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import type { Member } from "../support/chaos/crew";
import { Field, randomPlan } from "../support/chaos/field";
import { countOf, LONG, SEED } from "../support/chaos/length";
import { randomOf } from "../support/random";
import { openTestDatabase } from "../support/test-database";
import { until } from "../support/until";

const KILLS = countOf("CHAOS_KILLS", 5, 500);
/** Runs of 200 tasks under way at once. */
const RUNS = LONG ? 6 : 2;
const LEASE_MS = 2_000;
/** A machine that does everything else beside this test may be late with a few takeovers. */
const TAKEOVER_MS_MAX = 30_000;

let database: Database;
let field: Field;
beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 20 });
  field = await Field.open({ database, workers: 5, webs: 1, order: { leaseMs: LEASE_MS } });
}, 120_000);
afterAll(async () => {
  await field.close();
  await database.close();
}, 60_000);

it(`loses nothing and doubles nothing under ${KILLS} kills with -9 of workers and of the web process`, async () => {
  const random = randomOf(SEED);
  const planIds = await Promise.all(Array.from({ length: 3 }, () => field.createPlan(randomPlan(random))));
  const addRun = () => field.startAgain(planIds[Math.floor(random() * planIds.length)] ?? "");
  for (let run = 0; run < RUNS; run++) await addRun();
  const takeovers: Promise<number>[] = [];
  let webKills = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await delay(random() * 400);
    if ((await field.unfinished()) < RUNS) void field.startAgain(planIds[0] ?? "").catch(() => {});
    const web = random() < 0.2 ? field.web() : undefined;
    if (web !== undefined) {
      webKills += 1;
      await field.killAndReplace(web);
      continue;
    }
    const victim = await aDriver(random, addRun);
    const replaced = field.killAndReplace(victim.member);
    takeovers.push(takeoverOf(victim.runId));
    await replaced;
  }
  const takeoverMs = (await Promise.all(takeovers)).sort((left, right) => left - right);
  await field.untilAllEnded();
  console.info(
    `CHAOS_SEED=${SEED}: ${KILLS} kills with -9 (${KILLS - webKills} workers, ${webKills} web), ` +
      `${field.runIds.length} runs of 200 tasks; takeover median ${takeoverMs[takeoverMs.length >> 1]?.toFixed(0)} ms, ` +
      `longest ${takeoverMs.at(-1)?.toFixed(0)} ms`,
  );
  expect(await field.faults()).toEqual([]);
  expect(takeoverMs.at(-1) ?? 0).toBeLessThan(TAKEOVER_MS_MAX);
}, 1_200_000);

/** The worker that drives some run just then. */
async function aDriver(
  random: () => number,
  addRun: () => Promise<string>,
): Promise<{ readonly member: Member; readonly runId: string }> {
  return until("a run is driven", async () => {
    const driven = await field.driven();
    if (driven.length === 0) await addRun();
    const chosen = driven[Math.floor(random() * driven.length)];
    const member = field.members("worker").find(({ pid }) => pid === chosen?.pid);
    return chosen !== undefined && member !== undefined && { member, runId: chosen.runId };
  });
}

/** From the kill of a run's owner to the next event of that run, or its end. */
async function takeoverOf(runId: string): Promise<number> {
  const killedAt = performance.now();
  const before = await positionOf(runId);
  await until(`${runId} goes on`, async () => (await positionOf(runId)) > before || before === ENDED, 60_000);
  return performance.now() - killedAt;
}

const ENDED = Number.POSITIVE_INFINITY;

async function positionOf(runId: string): Promise<number> {
  const { rows } = await database.pool.query<{ seq: number; waits: boolean }>(
    `SELECT seq, finished_at IS NOT NULL
              OR EXISTS (SELECT FROM gates WHERE run_key = runs.key AND status = 'open') AS waits
     FROM runs WHERE id = $1`,
    [runId],
  );
  // A run that has ended, or waits for a person, needs nobody to go on with it.
  return rows[0]?.waits ? ENDED : (rows[0]?.seq ?? 0);
}
