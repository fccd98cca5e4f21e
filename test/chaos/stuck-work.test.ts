import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ok } from "#kernel/result";
import { capabilityExecutor } from "../../server/capabilities/executor";
import type { Database } from "../../server/db";
import { openPool } from "../../server/pool";
import { PostgresRunDesk } from "../../server/store/run-desk";
import { sweepRuns } from "../../server/store/run-sweep";
import { startWorker, type Worker } from "../../server/worker-services";
import { type Ledger, openLedger } from "../support/chaos/ledger";
import { ledgerCapabilities } from "../support/chaos/ledger-capabilities";
import { countOf } from "../support/chaos/length";
import { approved, driveGate } from "../support/gate-driver";
import { brokenInvariants } from "../support/invariants";
import { MemoryLog } from "../support/memory-log";
import { planOf } from "../support/run-fixture";
import { createRun, creatorOf, openStore, WORKSPACE } from "../support/stored-runs";
import { openTestDatabase } from "../support/test-database";
import { until } from "../support/until";

let database: Database;
let ledger: Ledger;
const log = new MemoryLog();
beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 30 });
  ledger = await openLedger();
});
afterEach(async () => expect(await brokenInvariants(database.pool)).toEqual([]));
afterAll(async () => {
  await ledger.close();
  await database.close();
});

const start = (options: { readonly leaseMs?: number; readonly pool?: pg.Pool } = {}): Promise<Worker> =>
  startWorker({
    database: { pool: options.pool ?? database.pool, url: database.url },
    executor: capabilityExecutor(ledgerCapabilities(ledger.url, false)),
    log,
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs, sweepIntervalMs: 50 }),
  });

const ended = (runId: string, timeoutMs?: number) =>
  until(
    `${runId} ends`,
    async () => {
      const { rows } = await database.pool.query("SELECT outcome FROM runs WHERE id = $1 AND finished_at IS NOT NULL", [
        runId,
      ]);
      return rows[0]?.outcome as string | undefined;
    },
    timeoutMs,
  );

describe("work that got stuck elsewhere", () => {
  const BOOTS = countOf("CHAOS_BOOTS", 6, 200);
  it(`calls once what is started while a worker boots, ${BOOTS} times`, async () => {
    const plan = planOf([{ id: "count", capability: "test.count", arguments: { key: "boot" } }]);
    for (let boot = 0; boot < BOOTS; boot++) {
      const [worker, runId] = await Promise.all([start(), createRun(creatorOf(database), plan)]);
      expect(await ended(runId)).toBe("completed");
      // Sent once: nobody recovered what was live.
      expect([...ledger.effectsOf(runId, "count").values()]).toEqual([1]);
      await worker.stop();
    }
  });

  it("a sweep that was slow to act undoes nothing of what the run did meanwhile", async () => {
    const store = await openStore(database, 200);
    const runId = await createRun(creatorOf(database), planOf([{ id: "a" }]));
    // A worker took the run and died: its lease runs out, and a sweep sees it.
    await database.pool.query(
      `UPDATE runs SET lease_owner = 'dead', lease_until = clock_timestamp() - interval '1 s', epoch = epoch + 1
       WHERE id = $1`,
      [runId],
    );
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let looked = (): void => {};
    const hasLooked = new Promise<void>((resolve) => {
      looked = resolve;
    });
    // Stands still between its look and its act.
    class SlowClient extends pg.Client {
      // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has eight forms
      override query(...words: any[]): any {
        if (words[0] !== "BEGIN") return Reflect.apply(super.query, this, words);
        looked();
        return held.then(() => Reflect.apply(super.query, this, words));
      }
    }
    const slow = openPool(database.url, { Client: SlowClient });
    const sweep = sweepRuns(slow);
    await hasLooked;
    await driveGate(store, runId);
    release();
    const report = await sweep;
    expect([...report.expired, ...report.unattended]).toEqual([]);
    const { rows } = await database.pool.query(
      "SELECT count(*)::int AS gates, max(gates.status::text) AS status FROM gates JOIN runs ON runs.key = run_key WHERE runs.id = $1",
      [runId],
    );
    expect(rows[0]).toEqual({ gates: 1, status: "open" });
    const desk = new PostgresRunDesk(database.pool, new AbortController().signal);
    await desk.submit(WORKSPACE, runId, () => ok([approved(runId)]));
    await driveGate(store, runId);
    await slow.end();
    await store.close();
  });

  it("a worker that was too busy to renew its lease records nothing over what another recorded", async () => {
    const workers = [await start({ leaseMs: 400 }), await start({ leaseMs: 400 })];
    // The first call blocks its process's only thread for three leases.
    const runId = await createRun(
      creatorOf(database),
      planOf([{ id: "spin", arguments: { value: { spinMs: 1_200 } } }]),
    );
    expect(await ended(runId)).toBe("completed");
    for (const worker of workers) await worker.stop();
  });

  it("ends every wait whatever the driver makes of the database's times", async () => {
    const types = [pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.INT8, pg.types.builtins.FLOAT8] as const;
    const parsers = types.map((type) => pg.types.getTypeParser(type));
    for (const type of types) pg.types.setTypeParser(type, (text: string) => text);
    try {
      const worker = await start();
      const retry = { maxAttempts: 3, backoffSeconds: 0.1 };
      const plan = planOf([{ id: "waits", capability: "test.flaky", arguments: { failures: 2 }, retry }]);
      expect(await ended(await createRun(creatorOf(database), plan))).toBe("completed");
      await worker.stop();
    } finally {
      for (const [index, type] of types.entries())
        pg.types.setTypeParser(type, parsers[index] as (text: string) => unknown);
    }
  });

  it("one bad sweep is one bad sweep", async () => {
    let failures = 0;
    class FailingClient extends pg.Client {
      // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has eight forms
      override query(...words: any[]): any {
        if (words[0]?.name === "sweep_look" && failures++ < 3) {
          const problem = new Error("dbTime.getTime is not a function");
          const callback = words.find((word) => typeof word === "function");
          if (callback === undefined) return Promise.reject(problem);
          callback(problem);
          return undefined;
        }
        return Reflect.apply(super.query, this, words);
      }
    }
    const pool = openPool(database.url, { Client: FailingClient });
    const runId = await createRun(creatorOf(database), planOf([{ id: "a" }]));
    // Only a sweep can find it: its owner died.
    await database.pool.query("DELETE FROM graphile_worker._private_jobs");
    await database.pool.query(
      "UPDATE runs SET lease_owner = 'dead', lease_until = clock_timestamp(), epoch = epoch + 1 WHERE id = $1",
      [runId],
    );
    const worker = await start({ pool, leaseMs: 1_000 });
    expect(await ended(runId)).toBe("completed");
    expect(failures).toBeGreaterThan(3);
    await worker.stop();
    await pool.end();
  });
});
