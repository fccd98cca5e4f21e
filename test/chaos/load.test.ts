import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import { Field } from "../support/chaos/field";
import { countOf, SEED } from "../support/chaos/length";
import { viewFaults, viewRuns } from "../support/chaos/viewer";
import { randomOf } from "../support/random";
import { planOf } from "../support/run-fixture";
import { openTestDatabase } from "../support/test-database";

const VIEWERS = countOf("LOAD_VIEWERS", 20, 100);
const RUNS = countOf("LOAD_RUNS", 10, 50);
const TASKS = countOf("LOAD_TASKS", 20, 40);
/** How often each viewer loses its connection and takes the stream up again. */
const CUTS = countOf("LOAD_CUTS", 2, 5);
/** Messages of a connection before it is cut, at most: each says of every run at least that it has caught up. */
const MESSAGES_MAX = RUNS;

let database: Database;
let field: Field;
beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 10 });
  field = await Field.open({ database, workers: 2 });
}, 120_000);
afterAll(async () => {
  await field.close();
  await database.close();
}, 60_000);

it(`shows every event once, in order, to ${VIEWERS} viewers of ${RUNS} runs at once, each cut ${CUTS} times`, async () => {
  const random = randomOf(SEED);
  const tasks = Array.from({ length: TASKS }, (_, index) => ({
    id: `t${index}`,
    ...(index === 0 ? {} : { dependsOn: [`t${Math.floor(random() * index)}`] }),
    capability: "test.sleep",
    arguments: { ms: 20 + Math.floor(random() * 80), value: index },
  }));
  const planId = await field.createPlan(planOf(tasks, { name: "load" }));
  const { rows } = await database.pool.query<{ now: string }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS now",
  );
  const offset = Number(rows[0]?.now) - Date.now();
  const startedAt = performance.now();
  const runIds = await Promise.all(Array.from({ length: RUNS }, () => field.startAgain(planId)));
  const view = () => {
    let cutsLeft = CUTS;
    return viewRuns({
      runIds,
      key: field.people.engineer,
      web: field.web,
      cutAfter: () => (cutsLeft-- > 0 ? 1 + Math.floor(random() * MESSAGES_MAX) : undefined),
    });
  };
  const viewers = await Promise.all(Array.from({ length: VIEWERS }, view));
  const seconds = (performance.now() - startedAt) / 1_000;
  const lastSeqs = await database.pool.query<{ id: string; seq: number }>(
    "SELECT id, seq FROM runs WHERE id = ANY($1)",
    [runIds],
  );
  const logs = new Map(lastSeqs.rows.map(({ id, seq }) => [id, seq]));
  const faults = viewers.flatMap((viewed, index) =>
    viewFaults(viewed, logs).map((fault) => `viewer ${index} ${fault}`),
  );
  const delivered = viewers.flatMap(({ events }) => events);
  const cuts = viewers.reduce((sum, viewed) => sum + viewed.cuts, 0);
  const delays = delivered
    .filter(({ live }) => live)
    .map(({ at, cameAt }) => cameAt + offset - at)
    .sort((left, right) => left - right);
  const late = (share: number): string => delays[Math.floor((delays.length - 1) * share)]?.toFixed(0) ?? "?";
  console.info(
    `CHAOS_SEED=${SEED}: ${VIEWERS} viewers of ${RUNS} runs of ${TASKS} tasks, ${cuts} connections cut: ` +
      `${delivered.length} events delivered in ${seconds.toFixed(1)} s, median ${late(0.5)} ms and p99 ${late(0.99)} ms ` +
      `after they happened, ${faults.length} faults`,
  );
  expect(logs.size).toBe(RUNS);
  expect(cuts).toBeGreaterThanOrEqual(VIEWERS);
  expect(faults).toEqual([]);
  expect(await field.faults()).toEqual([]);
}, 600_000);
