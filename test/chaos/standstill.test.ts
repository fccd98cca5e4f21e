import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import { Field, randomPlan } from "../support/chaos/field";
import { countOf, SEED } from "../support/chaos/length";
import { randomOf } from "../support/random";
import { openTestDatabase } from "../support/test-database";
import { until } from "../support/until";

const ROUNDS = countOf("CHAOS_PAUSES", 1, 40);
const LEASE_MS = 600;

let database: Database;
let field: Field;
beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 10 });
  field = await Field.open({ database, workers: 2, order: { leaseMs: LEASE_MS, sweepMs: 100, reportsBegin: true } });
}, 120_000);
afterAll(async () => {
  await field.close();
  await database.close();
}, 60_000);

it(`accepts no write and begins no call of a worker that stood still past its lease, ${ROUNDS} times`, async () => {
  const random = randomOf(SEED);
  const planId = await field.createPlan(randomPlan(random));
  const stale: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const runId = await field.startAgain(planId);
    const { pid, epoch } = await until("the run is driven", () => ownerOf(runId));
    await delay(random() * 300);
    const worker = field.members("worker").find((member) => member.pid === pid);
    worker?.signal("SIGSTOP");
    // Either the other worker has it, or it had ended, or waited for a person, before the signal came.
    await until("another has the run", async () => ((await ownerOf(runId))?.epoch ?? epoch + 1) > epoch, 60_000);
    const takenAt = process.hrtime.bigint();
    worker?.signal("SIGCONT");
    await delay(50);
    await until("the run ends", async () => !(await isUnfinished(runId)), 120_000);
    const regained = await epochsOf(runId, pid);
    for (const call of field.ledger.begun) {
      if (call.runId === runId && call.pid === pid && call.at > takenAt && !regained) {
        stale.push(`${call.taskId} of ${runId}`);
      }
    }
  }
  console.info(`CHAOS_SEED=${SEED}: ${ROUNDS} workers stopped past their lease and continued`);
  expect(stale).toEqual([]);
  expect(await field.faults()).toEqual([]);
}, 900_000);

async function ownerOf(runId: string): Promise<{ readonly pid: number; readonly epoch: number } | undefined> {
  const { rows } = await database.pool.query<{ owner: string; epoch: number }>(
    "SELECT lease_owner AS owner, epoch FROM runs WHERE id = $1 AND lease_owner IS NOT NULL",
    [runId],
  );
  return rows[0] && { pid: Number(rows[0].owner.split("/")[1]), epoch: rows[0].epoch };
}

/** A worker that was continued may take the run again later, and then its calls are in order. */
async function epochsOf(runId: string, pid: number): Promise<boolean> {
  const { rows } = await database.pool.query<{ epoch: number }>("SELECT epoch FROM runs WHERE id = $1", [runId]);
  const owner = await ownerOf(runId);
  return (rows[0]?.epoch ?? 0) > 2 || owner?.pid === pid;
}

async function isUnfinished(runId: string): Promise<boolean> {
  const { rows } = await database.pool.query("SELECT FROM runs WHERE id = $1 AND finished_at IS NULL", [runId]);
  return rows.length > 0;
}
