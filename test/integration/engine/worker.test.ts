import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { testImplementations } from "../../../server/capabilities/testing";
import type { Database } from "../../../server/db";
import { PostgresRunDesk } from "../../../server/store/run-desk";
import { startWorker, type Worker } from "../../../server/worker-services";
import { brokenInvariants } from "../../support/invariants";
import { MemoryLog } from "../../support/memory-log";
import { planOf } from "../../support/run-fixture";
import { createRun, creatorOf, WORKSPACE } from "../../support/stored-runs";
import { openTestDatabase } from "../../support/test-database";
import { until } from "../../support/until";

let database: Database;
let worker: Worker;
let desk: PostgresRunDesk;
const log = new MemoryLog();

beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 20 });
  desk = new PostgresRunDesk(database.pool, new AbortController().signal);
  worker = await startWorker({ database, executor: capabilityExecutor(testImplementations("/dev/null")), log });
});
afterAll(async () => {
  await worker.stop();
  await database.close();
});

const finished = (runId: string) =>
  until(`${runId} ends`, async () => {
    const run = await desk.get(WORKSPACE, runId);
    return run?.status === "finished" && run;
  });

describe("a worker", () => {
  it("drives a run from its creation to its end", async () => {
    const plan = planOf([
      { id: "a" },
      { id: "b", arguments: { value: { $output: "a#/value" } } },
      { id: "c", dependsOn: ["a"], capability: "test.sleep", arguments: { ms: 50, value: "late" } },
      { id: "d", dependsOn: ["b", "c"] },
    ]);
    const runId = await createRun(creatorOf(database), plan);
    expect(await finished(runId)).toMatchObject({ outcome: "completed", tasks: { total: 4, done: 4, failed: 0 } });
    const events = await desk.events(WORKSPACE, runId, 0);
    expect(events?.filter((event) => event.type === "task_succeeded").map((event) => event.taskId)).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
    expect(await brokenInvariants(database.pool)).toEqual([]);
  });

  it("starts a task when its own parents allow it, not when a wave ends", async () => {
    const plan = planOf([
      { id: "a" },
      { id: "b", dependsOn: ["a"] },
      { id: "d", dependsOn: ["b"] },
      { id: "c", dependsOn: ["a"], capability: "test.sleep", arguments: { ms: 2_000, value: "slow" } },
    ]);
    const runId = await createRun(creatorOf(database), plan);
    await finished(runId);
    const events = (await desk.events(WORKSPACE, runId, 0)) ?? [];
    const ended = (taskId: string) =>
      events.find((event) => event.type === "task_succeeded" && event.taskId === taskId);
    const d = ended("d");
    if (d?.type !== "task_succeeded") throw new Error("d did not succeed");
    expect(d.startedAt - (ended("b")?.at ?? 0)).toBeLessThan(500);
    expect(ended("c")?.seq).toBeGreaterThan(d.seq);
  });

  it("keeps outputs above the inline limit out of the log and still hands them on", async () => {
    const value = "x".repeat(100_000);
    const plan = planOf([
      { id: "big", arguments: { value } },
      { id: "next", arguments: { value: { $output: "big#/value" } } },
    ]);
    const runId = await createRun(creatorOf(database), plan);
    expect(await finished(runId)).toMatchObject({ outcome: "completed" });
    const events = (await desk.events(WORKSPACE, runId, 2)) ?? [];
    for (const event of events) expect(JSON.stringify(event).length).toBeLessThan(2_000);
    const stored = await database.pool.query(
      "SELECT task_id, bytes FROM artifacts JOIN runs ON runs.key = artifacts.run_key WHERE runs.id = $1 ORDER BY 1",
      [runId],
    );
    expect(stored.rows).toMatchObject([{ task_id: "big" }, { task_id: "next" }]);
  });
});
