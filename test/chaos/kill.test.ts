import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import type { Member } from "../support/chaos/crew";
import { Field, randomPlan } from "../support/chaos/field";
import { pidOf } from "../support/chaos/lease-history";
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
  const takeovers: Promise<number | undefined>[] = [];
  const starts: Promise<string | undefined>[] = [];
  let webKills = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await delay(random() * 400);
    if ((await field.unfinished()) < RUNS) {
      // Not waited for: a kill may come between it and its answer.
      starts.push(addRun().then(() => undefined, String));
    }
    // The first is of a worker, so that there is a takeover to judge.
    const web = kill > 0 && random() < 0.2 ? field.web() : undefined;
    if (web !== undefined) {
      webKills += 1;
      await field.killAndReplace(web);
      continue;
    }
    const victim = await aDriver(random, addRun);
    const replaced = field.killAndReplace(victim.member);
    takeovers.push(takeoverOf(victim.runId, victim.member));
    await replaced;
  }
  const refusedStarts = (await Promise.all(starts)).filter((refusal) => refusal !== undefined);
  const takeoverMs = (await Promise.all(takeovers))
    .filter((ms) => ms !== undefined)
    .sort((left, right) => left - right);
  await field.untilAllEnded();
  console.info(
    `CHAOS_SEED=${SEED}: ${KILLS} kills with -9 (${KILLS - webKills} workers, ${webKills} web), ` +
      `${field.runIds.length} runs of 200 tasks; ${takeoverMs.length} takeovers, median ${takeoverMs[takeoverMs.length >> 1]?.toFixed(0)} ms, ` +
      `longest ${takeoverMs.at(-1)?.toFixed(0)} ms`,
  );
  expect(refusedStarts).toEqual([]);
  expect(await field.faults()).toEqual([]);
  expect(takeoverMs.length).toBeGreaterThan(0);
  expect(takeoverMs.at(-1)).toBeLessThan(TAKEOVER_MS_MAX);
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

/**
 * From the kill of a run's owner to the next lease of that run, ms. Undefined when there was nothing to take over: what
 * the owner had sent last ended the run, or gave it back.
 */
async function takeoverOf(runId: string, victim: Member): Promise<number | undefined> {
  const killedAt = performance.now();
  const before = await leaseOf(runId);
  if (before === undefined || before.pid !== victim.pid) return undefined;
  return until(
    `${runId} goes on`,
    async () => {
      const now = await leaseOf(runId);
      if (now === undefined) return { tookMs: undefined };
      return now.epoch > before.epoch && { tookMs: performance.now() - killedAt };
    },
    60_000,
  ).then(({ tookMs }) => tookMs);
}

/** Who holds a run that has not ended. */
async function leaseOf(runId: string): Promise<{ readonly epoch: number; readonly pid: number } | undefined> {
  const { rows } = await database.pool.query<{ epoch: number; owner: string | null }>(
    "SELECT epoch, lease_owner AS owner FROM runs WHERE id = $1 AND finished_at IS NULL",
    [runId],
  );
  return rows[0] && { epoch: rows[0].epoch, pid: pidOf(rows[0].owner ?? "") };
}
