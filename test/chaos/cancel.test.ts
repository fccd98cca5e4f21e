import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import { Field } from "../support/chaos/field";
import { countOf, SEED } from "../support/chaos/length";
import { ask, newRequestId } from "../support/chaos/requester";
import { brokenInvariants } from "../support/invariants";
import { randomOf } from "../support/random";
import { planOf } from "../support/run-fixture";
import { openTestDatabase } from "../support/test-database";

const ROUNDS = countOf("CHAOS_CANCELS", 8, 500);
const AT_ONCE = 4;

let database: Database;
let field: Field;
beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 10 });
  field = await Field.open({ database, workers: 2, order: { reportsBegin: true } });
}, 120_000);
afterAll(async () => {
  await field.close();
  await database.close();
}, 60_000);

it(`begins no call after a cancellation was answered, at ${ROUNDS} random moments`, async () => {
  const random = randomOf(SEED);
  // Effect-free calls, a few at a time: what a driver begins without asking the database first.
  const tasks = Array.from({ length: 200 }, (_, index) => ({ id: `t${index}`, arguments: { value: index } }));
  const planId = await field.createPlan(planOf(tasks, { name: "cancelled", maxParallel: 3 }));
  const answered: { readonly runId: string; readonly answeredAt: bigint }[] = [];
  let cancelled = 0;
  const round = async (): Promise<void> => {
    const runId = await field.startAgain(planId);
    await delay(random() * 250);
    const input = { runId, requestId: newRequestId() };
    const answer = await ask(field.web, { path: "runs.cancel", input, key: field.people.engineer });
    answered.push({ runId, answeredAt: process.hrtime.bigint() });
    // It may have ended by itself just before.
    if (answer.status === 200) cancelled += 1;
  };
  for (let done = 0; done < ROUNDS; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, round));
  await field.untilAllEnded();
  // Whatever a worker had begun to do, it has done when it answers: only now is it known that no call came.
  for (const worker of field.members("worker")) await worker.seen();
  const late = answered.flatMap(({ runId, answeredAt }) =>
    field.ledger.begun
      .filter((call) => call.runId === runId && call.at > answeredAt)
      .map((call) => `${call.taskId} of ${runId}`),
  );
  console.info(
    `CHAOS_SEED=${SEED}: ${ROUNDS} runs, ${cancelled} of them cancelled under way; ${late.length} calls after`,
  );
  expect(cancelled).toBeGreaterThan(ROUNDS / 2);
  expect(late).toEqual([]);
  expect(await brokenInvariants(database.pool)).toEqual([]);
}, 600_000);
