import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import type { Member } from "../support/chaos/crew";
import { Field, randomPlan } from "../support/chaos/field";
import { leasesOf, pidOf, recordLeases } from "../support/chaos/lease-history";
import { countOf, SEED } from "../support/chaos/length";
import { randomOf } from "../support/random";
import { openTestDatabase } from "../support/test-database";
import { until } from "../support/until";

/** Takeovers from a worker that stood still: a stop that met no lease is done again. */
const TAKEOVERS = countOf("CHAOS_PAUSES", 1, 40);
const STOPS_MAX = TAKEOVERS * 10;
const LEASE_MS = 600;
/** Two clocks are compared, one of them in whole milliseconds. */
const CLOCKS_APART_NS = 3_000_000n;

let database: Database;
let field: Field;
beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 10 });
  await recordLeases(database.pool);
  field = await Field.open({ database, workers: 2, order: { leaseMs: LEASE_MS, sweepMs: 100, reportsBegin: true } });
}, 120_000);
afterAll(async () => {
  await field.close();
  await database.close();
}, 60_000);

/** A worker that was continued after another had taken its run. */
interface Takeover {
  readonly runId: string;
  readonly worker: Member;
  /** Of the lease that it held when it was stopped. */
  readonly epoch: number;
  /** Monotonic nanoseconds. */
  readonly continuedAt: bigint;
}

it(`accepts no write and begins no call of a worker that stood still past its lease, ${TAKEOVERS} times`, async () => {
  const random = randomOf(SEED);
  const planId = await field.createPlan(randomPlan(random));
  const takeovers: Takeover[] = [];
  let stops = 0;
  while (takeovers.length < TAKEOVERS && stops < STOPS_MAX) {
    stops += 1;
    const takeover = await stopADriver(await field.startAgain(planId), random() * 300);
    if (takeover !== undefined) takeovers.push(takeover);
  }
  await field.untilAllEnded();
  // Whatever a continued worker had begun to do, it has done when it answers.
  for (const { worker } of takeovers) await worker.seen();
  const stale = (await Promise.all(takeovers.map(staleCalls))).flat();
  console.info(
    `CHAOS_SEED=${SEED}: ${stops} workers stopped, ${takeovers.length} runs taken over from them before they were ` +
      `continued; ${stale.length} calls begun on the lease that was lost`,
  );
  expect(takeovers.length).toBe(TAKEOVERS);
  expect(stale).toEqual([]);
  expect(await field.faults()).toEqual([]);
}, 900_000);

/**
 * Stops whoever drives the run, and continues it when another has taken the run over. Undefined when the worker did
 * not hold the run any more as it was stopped: the run had ended, waited for a person, or was between two leases.
 */
async function stopADriver(runId: string, afterMs: number): Promise<Takeover | undefined> {
  await until("the run is driven, or has ended", async () => (await leaseOf(runId))?.owner !== null);
  await delay(afterMs);
  const driver = await leaseOf(runId);
  if (driver === undefined || driver.owner === null) return undefined;
  const pid = pidOf(driver.owner);
  const worker = field.members("worker").find((member) => member.pid === pid);
  if (worker === undefined) throw new Error(`The run is driven by ${driver.owner}, which is no worker of this test.`);
  worker.signal("SIGSTOP");
  try {
    const held = await leaseOf(runId);
    if (held?.owner !== driver.owner) return undefined;
    const other = await until(
      "another has taken the run, or it ended before its worker stood still",
      async () => {
        if ((await leaseOf(runId)) === undefined) return "ended" as const;
        return (await leasesOf(database.pool, runId)).find((lease) => lease.epoch > held.epoch && lease.pid !== pid);
      },
      60_000,
    );
    return other === "ended" ? undefined : { runId, worker, epoch: held.epoch, continuedAt: process.hrtime.bigint() };
  } finally {
    worker.signal("SIGCONT");
  }
}

/** Calls begun by a worker after it was continued, until it took the run anew: those were on the lease it had lost. */
async function staleCalls({ runId, worker, epoch, continuedAt }: Takeover): Promise<string[]> {
  const leases = await leasesOf(database.pool, runId);
  const again = leases.find((lease) => lease.epoch > epoch && lease.pid === worker.pid);
  return field.ledger.begun
    .filter((call) => call.runId === runId && call.pid === worker.pid && call.at > continuedAt)
    .filter((call) => again === undefined || call.at < again.at - CLOCKS_APART_NS)
    .map((call) => `${call.taskId} of ${runId}`);
}

/** Who drives the run; undefined once it has ended. */
async function leaseOf(runId: string): Promise<{ readonly owner: string | null; readonly epoch: number } | undefined> {
  const { rows } = await database.pool.query<{ owner: string | null; epoch: number }>(
    "SELECT lease_owner AS owner, epoch FROM runs WHERE id = $1 AND finished_at IS NULL",
    [runId],
  );
  return rows[0];
}
