import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Plan } from "#kernel/plan/plan";

import type { Database } from "../../server/db";
import { ROOT } from "../../server/setup/checkout.mjs";
import { bundleForNode } from "./bundle";
import { brokenInvariants } from "./invariants";
import { randomOf } from "./random";
import { planOf } from "./run-fixture";
import { createRun, creatorOf } from "./stored-runs";
import { until } from "./until";

export interface ChaosOptions {
  readonly database: Database;
  readonly seed: number;
  readonly kills: number;
  readonly workers: number;
  /** Runs of 200 tasks under way at once. */
  readonly runs: number;
}

export interface ChaosReport {
  readonly kills: number;
  /** From each kill of a run's owner to the next event of that run, milliseconds. */
  readonly takeoverMs: readonly number[];
  /** What is wrong; empty when all is well. */
  readonly faults: readonly string[];
}

/**
 * Kills workers with -9 at random moments, always the one that drives a run just then, while others live on and a new
 * one takes its place. Then looks at what is left.
 */
export async function killWorkers(options: ChaosOptions): Promise<ChaosReport> {
  const { database, seed, kills } = options;
  const random = randomOf(seed);
  const folder = mkdtempSync(path.join(tmpdir(), "chaos-"));
  const ledgerFile = path.join(folder, "ledger.jsonl");
  const bundle = await bundleForNode(path.join(ROOT, "test", "support", "chaos-worker.ts"));
  const workers = new Map<number, ChildProcess>();
  const start = async (): Promise<void> => {
    const child = fork(bundle.script, [database.url, ledgerFile], { cwd: ROOT, stdio: ["ignore", 2, 2, "ipc"] });
    workers.set(child.pid ?? 0, child);
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve());
      child.once("exit", (code) => reject(new Error(`A worker ended with code ${code} before it was ready`)));
    });
  };
  const creator = creatorOf(database);
  const runIds: string[] = [];
  const addRun = async (): Promise<void> => {
    runIds.push(await createRun(creator, randomPlan(random)));
  };
  const takeoverMs: number[] = [];
  try {
    await Promise.all(Array.from({ length: options.workers }, start));
    for (let run = 0; run < options.runs; run++) await addRun();
    while (takeoverMs.length < kills) {
      await delay(random() * 600);
      const victim = await until("a run is driven", async () => {
        const driven = await drivenRuns(database);
        if (driven.length === 0) await addRun();
        return driven[Math.floor(random() * driven.length)];
      });
      const child = workers.get(victim.pid);
      if (child === undefined) throw new Error(`Nobody knows worker ${victim.pid}`);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      const killedAt = performance.now();
      workers.delete(victim.pid);
      const replacement = start();
      await gone;
      const seqBefore = await seqOf(database, victim.runId);
      // It may have ended in the last moment: then nothing was cut short, and another kill has to count.
      if (seqBefore < Number.POSITIVE_INFINITY) {
        await until(`${victim.runId} goes on`, async () => (await seqOf(database, victim.runId)) > seqBefore, 60_000);
        takeoverMs.push(performance.now() - killedAt);
      }
      await replacement;
    }
    await until("every run has ended", async () => (await unfinishedRuns(database)) === 0, 180_000);
    const faults = [...(await brokenInvariants(database.pool)), ...(await lostWork(database, runIds, ledgerFile))];
    return { kills, takeoverMs, faults };
  } finally {
    for (const child of workers.values()) child.kill("SIGKILL");
    bundle.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 200 tasks in random layers: values handed on, sleeps, effects with a key, calls that fail first. */
function randomPlan(random: () => number): Plan {
  const width = 8;
  return planOf(
    Array.from({ length: 200 }, (_, index) => {
      const layer = Math.floor(index / width);
      const parent = (layer - 1) * width + Math.floor(random() * width);
      const dependsOn = layer === 0 ? [] : [`t${parent}`];
      const id = `t${index}`;
      const kind = random();
      if (kind < 0.4) return { id, dependsOn, arguments: { value: index } };
      if (kind < 0.75) {
        const ms = 5 + Math.floor(random() * 60);
        return { id, dependsOn, capability: "test.sleep", arguments: { ms, value: index } };
      }
      if (kind < 0.9) return { id, dependsOn, capability: "test.count", arguments: { key: `k${index}` } };
      const retry = { maxAttempts: 5, backoffSeconds: 0.05 };
      return { id, dependsOn, capability: "test.flaky", arguments: { failures: 1 + Math.floor(random() * 2) }, retry };
    }),
    { name: "chaos", maxParallel: 4 },
  );
}

async function drivenRuns(database: Database): Promise<readonly { readonly runId: string; readonly pid: number }[]> {
  const { rows } = await database.pool.query<{ id: string; owner: string }>(
    `SELECT id, lease_owner AS owner FROM runs
     WHERE finished_at IS NULL AND lease_until > clock_timestamp() AND seq > 2 ORDER BY key`,
  );
  return rows.map((row) => ({ runId: row.id, pid: Number(row.owner.split("/")[1]) }));
}

async function seqOf(database: Database, runId: string): Promise<number> {
  const { rows } = await database.pool.query<{ seq: number; ended: boolean }>(
    "SELECT seq, finished_at IS NOT NULL AS ended FROM runs WHERE id = $1",
    [runId],
  );
  // A run that has ended needs nobody to go on with it.
  return rows[0]?.ended ? Number.POSITIVE_INFINITY : (rows[0]?.seq ?? 0);
}

async function unfinishedRuns(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ left: number }>(
    "SELECT count(*)::int AS left FROM runs WHERE finished_at IS NULL",
  );
  return rows[0]?.left ?? 0;
}

/** Runs that did not end right, and effects that did not happen exactly once by their key. */
async function lostWork(database: Database, runIds: readonly string[], ledgerFile: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string; outcome: string; succeeded: number }>(
    `SELECT runs.id, runs.outcome::text, count(*) FILTER (WHERE event.type = 'task_succeeded')::int AS succeeded
     FROM runs JOIN run_events AS event ON event.run_key = runs.key WHERE runs.id = ANY($1::text[]) GROUP BY runs.key`,
    [[...runIds]],
  );
  const faults = rows
    .filter((run) => run.outcome !== "completed" || run.succeeded !== 200)
    .map((run) => `run ${run.id} ended ${run.outcome} with ${run.succeeded} of 200 tasks`);
  if (rows.length !== runIds.length) faults.push(`${runIds.length - rows.length} runs are gone`);
  const counted = await database.pool.query<{ id: string; task_id: string }>(
    `SELECT runs.id, event.task_id FROM run_events AS event JOIN runs ON runs.key = event.run_key
     WHERE event.type = 'task_succeeded' AND event.payload::json #>> '{observation,output,count}' IS NOT NULL`,
  );
  const effects = new Map<string, number>();
  for (const line of readFileSync(ledgerFile, "utf8").split("\n").filter(Boolean)) {
    const [, key] = JSON.parse(line) as [string, string];
    effects.set(key, (effects.get(key) ?? 0) + 1);
  }
  for (const { id, task_id } of counted.rows) {
    const keys = [...effects.keys()].filter((key) => key.startsWith(`${id}:${task_id}:`));
    if (keys.length !== 1) faults.push(`${id}/${task_id} took effect under ${keys.length} keys`);
  }
  return faults;
}
