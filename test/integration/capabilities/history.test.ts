import { afterAll, beforeAll, expect, test } from "vitest";
import { objectSchema } from "#kernel/capability/built-in/define";
import { BUILT_IN_CAPABILITIES } from "#kernel/capability/built-in/registry";
import { snapshotCapability } from "#kernel/capability/capability";
import type { NewRunEvent } from "#kernel/run/event";
import type { Database } from "../../../server/db";
import { createCapabilityHistory } from "../../../server/store/capability-history";
import { countHistory } from "../../../server/store/count-history";
import { RunCreator } from "../../../server/store/run-creator";
import { newRunId } from "../../../server/store/run-id";
import { httpCapability } from "../../support/http-capability";
import { person, planOf } from "../../support/run-fixture";
import { breaksOnPurpose, openTestDatabase } from "../../support/test-database";

let database: Database;
let creator: RunCreator;
const RUNS = 400;
const shop = (version: number) =>
  snapshotCapability({ ...httpCapability("shop.getOrder", { outputSchema: objectSchema({}) }), version });
const plan = planOf([
  { id: "a", capability: "shop.getOrder" },
  { id: "b", capability: "shop.getOrder@1" },
  { id: "each", capability: "shop.getOrder", forEach: [1, 2], arguments: { orderId: "${item}" } },
  { id: "ask", capability: "human.ask", arguments: {} },
]);

const WRITTEN_BY_HAND = "hundreds of logs are written as they are counted, without a driver that keeps their rows";
breaksOnPurpose("a run's row says finished if and only if its log does", WRITTEN_BY_HAND);
breaksOnPurpose("the counts of a run's row are those of its log", WRITTEN_BY_HAND);

beforeAll(async () => {
  database = await openTestDatabase();
  creator = new RunCreator(database.pool, new AbortController().signal);
});
afterAll(() => database.close());

const observed = (latencyMs: number, errorCategory?: "timeout") => ({
  status: errorCategory === undefined ? ("ok" as const) : ("terminal" as const),
  output: "\u0000 \ud800",
  sideEffect: "none" as const,
  latencyMs,
  ...(errorCategory === undefined ? {} : { errorCategory }),
});

/** A run whose calls took `latencyMs`, and of which one task failed. */
function run(workspaceId: string, latencyMs: number, finished: boolean) {
  const at = Date.now() - 60_000;
  const ended = (taskId: string, ms: number): NewRunEvent =>
    ({
      type: "task_succeeded",
      at,
      taskId,
      attempt: 1,
      startedAt: at,
      observation: observed(ms),
    }) as unknown as NewRunEvent;
  const events = [
    ended("a", latencyMs),
    { type: "task_expanded", at, taskId: "each", items: [1, 2] },
    ended("each[0]", latencyMs),
    ended("each[1]", latencyMs),
    ended("each", 0),
    ended("ask", 86_400_000),
    {
      type: "task_failed",
      at,
      taskId: "b",
      attempt: 1,
      startedAt: at,
      observation: observed(5, "timeout"),
      cause: { code: "call_failed", message: "late" },
    },
    ...(finished ? [{ type: "run_finished", at, outcome: "completed", reason: "", causeSeq: 1 }] : []),
  ] as unknown as NewRunEvent[];
  return creator.create({
    workspaceId,
    planId: `plan-${workspaceId}`,
    events: [
      {
        type: "run_created",
        at,
        runId: newRunId(),
        name: "run",
        startedBy: person("p"),
        policy: { budgetBeforeCompletion: false, fourEyes: true },
      } as never,
      { type: "plan_accepted", at, revision: 1, plan, capabilities: [...BUILT_IN_CAPABILITIES, shop(1), shop(2)] },
      ...events,
    ],
  });
}

/** What an append does to the row of a run that ends. */
const finish = () =>
  database.pool.query("UPDATE runs SET finished_at = now() WHERE finished_at IS NULL AND name = 'run'");

test("calls are counted once, by version and outcome, however often and by however many it is asked", async () => {
  await Promise.all(Array.from({ length: RUNS }, (_, index) => run("w1", index + 1, true)));
  await run("w2", 10, true);
  await finish();
  await run("w1", 10_000, false);
  const begun = performance.now();
  const counted = await Promise.all([0, 0, 0].map((settledSeconds) => countHistory(database.pool, { settledSeconds })));
  expect(counted.reduce((sum, each) => sum + each, 0)).toBe(RUNS + 1);
  process.stdout.write(`counted ${RUNS + 1} runs in ${Math.round(performance.now() - begun)} ms\n`);
  const history = createCapabilityHistory(database.pool);
  const mine = (await history.ofWorkspace("w1")).get("shop.getOrder");
  expect(mine).toMatchObject({ calls: RUNS * 4, failed: RUNS });
  expect(mine?.outcomes).toEqual([
    { outcome: "ok", calls: RUNS * 3 },
    { outcome: "timeout", calls: RUNS },
  ]);
  // Durations of 1 to 400 ms: the steps of the scale are 8 % wide.
  expect(Math.abs((mine?.p50Seconds ?? 0) / 0.2 - 1)).toBeLessThan(0.05);
  expect(Math.abs((mine?.p95Seconds ?? 0) / 0.38 - 1)).toBeLessThan(0.05);
  const versions = await history.ofVersions("w1", "shop.getOrder");
  expect([...versions.keys()].sort()).toEqual([1, 2]);
  expect(versions.get(1)).toMatchObject({ calls: RUNS, failed: RUNS });
  expect((await history.ofWorkspace("w1")).has("human.ask")).toBe(false);
  expect((await history.ofWorkspace("w2")).get("shop.getOrder")?.calls).toBe(4);
  expect((await history.ofTasks("plan-w1")).get("a")).toMatchObject({ calls: RUNS });
  expect(await history.ofWorkspace("w3")).toEqual(new Map());
});

test("a run that was passed while it was unfinished is counted when it ends", async () => {
  await finish();
  expect(await countHistory(database.pool, { settledSeconds: 0 })).toBe(1);
  expect(await countHistory(database.pool, { settledSeconds: 0 })).toBe(0);
  const history = createCapabilityHistory(database.pool);
  expect((await history.ofWorkspace("w1")).get("shop.getOrder")?.calls).toBe((RUNS + 1) * 4);
});

test("answers that say not yet are no failures, a call that was not made is none, and a revised plan's names are known", async () => {
  const at = Date.now() - 60_000;
  const end = (type: string, taskId: string, attempt: number, observation: object, rest: object = {}) =>
    ({ type, at, taskId, attempt, startedAt: at, observation, ...rest }) as unknown as NewRunEvent;
  const revised = (revision: number, tasks: Parameters<typeof planOf>[0], capabilities: readonly unknown[]) =>
    ({
      type: "plan_revised",
      at,
      revision,
      plan: planOf(tasks),
      capabilities,
      diff: { added: [], removed: [], changed: [], kept: [] },
    }) as unknown as NewRunEvent;
  const unmet = { ...observed(0), status: "terminal", errorCategory: "conflict", errorCode: "precondition_failed" };
  await creator.create({
    workspaceId: "w4",
    planId: "plan-w4",
    events: [
      {
        type: "run_created",
        at,
        runId: newRunId(),
        name: "run",
        startedBy: person("p"),
        policy: { budgetBeforeCompletion: false, fourEyes: true },
      } as never,
      { type: "plan_accepted", at, revision: 1, plan, capabilities: [...BUILT_IN_CAPABILITIES, shop(1)] },
      // Polled twice, then done.
      end("task_observed", "a", 1, observed(10)),
      end("task_observed", "a", 2, observed(10)),
      end("task_succeeded", "a", 3, observed(10)),
      end("task_failed", "b", 0, unmet, { cause: { code: "precondition_failed", message: "no" } }),
      // Bare names of a revision that pins nothing new, and of one that pins a newer version.
      revised(2, [{ id: "second", capability: "shop.getOrder" }], []),
      end("task_observed", "second", 1, observed(10, "timeout")),
      revised(3, [{ id: "second", capability: "shop.getOrder" }], [shop(2)]),
      end("task_succeeded", "second", 2, observed(10)),
      { type: "task_added", at, task: { ...planOf([{ id: "streamed", capability: "shop.getOrder@1" }]).tasks[0] } },
      end("task_succeeded", "streamed", 1, observed(10)),
    ] as unknown as Parameters<typeof creator.create>[0]["events"],
  });
  await finish();
  await countHistory(database.pool, { settledSeconds: 0 });
  const history = createCapabilityHistory(database.pool);
  const versions = await history.ofVersions("w4", "shop.getOrder");
  expect(versions.get(1)?.outcomes).toEqual([
    { outcome: "ok", calls: 4 },
    { outcome: "timeout", calls: 1 },
  ]);
  expect(versions.get(2)?.outcomes).toEqual([{ outcome: "ok", calls: 1 }]);
  const tasks = await history.ofTasks("plan-w4");
  expect([...tasks].map(([id, { calls }]) => [id, calls]).sort()).toEqual([
    ["a", 1],
    ["second", 1],
    ["streamed", 1],
  ]);
});
