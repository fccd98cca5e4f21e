import { afterAll, beforeAll, expect, it } from "vitest";
import { capabilityExecutor } from "../../server/capabilities/executor";
import { testImplementations } from "../../server/capabilities/testing";
import type { Database } from "../../server/db";
import { renderMetrics } from "../../server/metrics/exposition";
import { readInstallationMetrics } from "../../server/metrics/installation-metrics";
import { startWorker, type Worker } from "../../server/worker-services";
import { MemoryLog } from "../support/memory-log";
import { readExposition } from "../support/read-exposition";
import { planOf } from "../support/run-fixture";
import { createRun, creatorOf } from "../support/stored-runs";
import { openTestDatabase } from "../support/test-database";
import { until } from "../support/until";

let database: Database;
let worker: Worker | undefined;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await worker?.stop();
  await database.close();
});

const scrape = async () => readExposition(renderMetrics(await readInstallationMetrics(database.pool)));
const sampleOf = (metrics: Awaited<ReturnType<typeof scrape>>, name: string, labels: Record<string, string> = {}) =>
  metrics
    .get(name)
    ?.samples.find((sample) => Object.entries(labels).every(([label, value]) => sample.labels.get(label) === value))
    ?.value;

it("shows a job that nobody takes, a gate that waits, and a timer that rings for nobody", async () => {
  const runId = await createRun(creatorOf(database), planOf([{ id: "a" }]));
  const before = await scrape();
  expect(sampleOf(before, "planwright_workers")).toBe(0);
  expect(sampleOf(before, "planwright_queue_jobs", { state: "due" })).toBe(1);
  expect(sampleOf(before, "planwright_runs_unfinished", { status: "running" })).toBe(1);
  await database.pool.query("UPDATE graphile_worker._private_jobs SET run_at = now() - interval '90 s'");
  await database.pool.query("UPDATE runs SET wake_at = now() - interval '40 s' WHERE id = $1", [runId]);
  const later = await scrape();
  expect(sampleOf(later, "planwright_queue_oldest_due_seconds")).toBeGreaterThanOrEqual(90);
  expect(sampleOf(later, "planwright_timer_oldest_due_seconds")).toBeGreaterThanOrEqual(40);
});

it("gives what every worker has counted in one scrape", async () => {
  const executor = capabilityExecutor(testImplementations("/dev/null"));
  worker = await startWorker({ database, executor, log: new MemoryLog() });
  await createRun(creatorOf(database), planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }]));
  await until("the runs end", async () => {
    const { rows } = await database.pool.query("SELECT FROM runs WHERE finished_at IS NULL");
    return rows.length === 0;
  });
  const metrics = await until("the worker has told", async () => {
    const told = await scrape();
    return (sampleOf(told, "planwright_runs_finished_total", { outcome: "completed" }) ?? 0) >= 2 && told;
  });
  expect(sampleOf(metrics, "planwright_workers")).toBe(1);
  expect(sampleOf(metrics, "planwright_events_appended_total")).toBeGreaterThan(2);
  for (const name of ["planwright_dispatch_seconds", "planwright_append_seconds"]) {
    const histogram = metrics.get(name);
    expect(histogram?.type).toBe("histogram");
    const count = histogram?.samples.find((sample) => sample.name === `${name}_count`)?.value;
    expect(count).toBeGreaterThan(0);
    expect(sampleOf(metrics, name, { le: "+Inf" })).toBe(count);
  }
  for (const [name, { help, type }] of metrics) {
    expect(name).toMatch(/^planwright_[a-z_]+$/);
    expect(help).toMatch(/\.$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
  }
});
