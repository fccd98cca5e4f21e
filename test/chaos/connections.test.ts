import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import type { TemporaryServer } from "../../server/postgres/temporary-server";
import { type CutProxy, openCutProxy } from "../support/chaos/cut-proxy";
import { Field, randomPlan } from "../support/chaos/field";
import { countOf, SEED } from "../support/chaos/length";
import { openOwnServer } from "../support/chaos/own-server";
import { randomOf } from "../support/random";
import { until } from "../support/until";

const CUTS = countOf("CHAOS_CUTS", 8, 300);
const LEASE_MS = 800;

let database: Database;
let server: TemporaryServer;
let proxies: readonly CutProxy[];
let field: Field;
beforeAll(async () => {
  ({ database, server } = await openOwnServer());
  // Each process comes from an address of its own: the database sees 127.0.0.2, .3 and .4.
  proxies = await Promise.all(["127.0.0.2", "127.0.0.3", "127.0.0.4"].map((host) => openCutProxy(database.url, host)));
  const urlOf = (role: string, index: number): string => proxies[role === "web" ? 2 : index]?.url ?? database.url;
  field = await Field.open({ database, workers: 2, urlOf, order: { leaseMs: LEASE_MS, sweepMs: 100 } });
}, 120_000);
afterAll(async () => {
  await field.close();
  for (const proxy of proxies ?? []) await proxy.close();
  await database.close();
  await server.stop();
}, 60_000);

it(`loses nothing and doubles nothing when connections drop, ${CUTS} times`, async () => {
  const random = randomOf(SEED);
  const planId = await field.createPlan(randomPlan(random));
  let away = 0;
  for (let cut = 0; cut < CUTS; cut++) {
    if ((await field.unfinished()) < 3) await field.startAgain(planId);
    await delay(random() * 250);
    const proxy = proxies[Math.floor(random() * proxies.length)];
    const kind = random();
    if (kind < 0.5) {
      proxy?.cut();
    } else if (kind < 0.7) {
      // Cut off for longer than its lease: it comes back to runs that somebody else has.
      away += 1;
      proxy?.sever();
      await delay(LEASE_MS * 1.5);
      proxy?.mend();
    } else {
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'planwright%'
           AND client_addr IN ('127.0.0.2', '127.0.0.3', '127.0.0.4') AND random() < 0.5`,
      );
    }
  }
  await field.untilAllEnded();
  console.info(
    `CHAOS_SEED=${SEED}: ${CUTS} times connections were dropped, ${away} of them for longer than a lease, ` +
      `${field.runIds.length} runs of 200 tasks`,
  );
  expect(await field.faults()).toEqual([]);
}, 900_000);

it("loses nothing but a worker when one of two addresses is gone", async () => {
  const planId = await field.createPlan(randomPlan(randomOf(SEED + 1)));
  const addresses = async (): Promise<readonly string[]> => {
    const { rows } = await database.pool.query<{ address: string }>(
      `SELECT DISTINCT host(client_addr) AS address FROM pg_stat_activity
       WHERE datname = current_database() AND client_addr IN ('127.0.0.2', '127.0.0.3') ORDER BY 1`,
    );
    return rows.map(({ address }) => address);
  };
  await until("both are connected", async () => (await addresses()).length === 2);
  for (let run = 0; run < 6; run++) await field.startAgain(planId);
  // Nothing says which worker takes which run: more are started until each has one.
  await until(
    "both drive",
    async () => {
      if (new Set((await field.driven()).map(({ pid }) => pid)).size === 2) return true;
      if ((await field.unfinished()) < 6) await field.startAgain(planId);
      return false;
    },
    60_000,
  );
  proxies[0]?.sever();
  await field.untilAllEnded();
  expect(await addresses()).toEqual(["127.0.0.3"]);
  expect(await field.faults()).toEqual([]);
  proxies[0]?.mend();
}, 300_000);
