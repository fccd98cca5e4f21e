import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineBuiltIn } from "#kernel/capability/built-in/define";
import { type Capability, type CapabilitySnapshot, snapshotCapability } from "#kernel/capability/capability";
import { runIdSchema } from "#kernel/ids";
import type { Plan } from "#kernel/plan/plan";
import { succeeded } from "../../../server/capabilities/definition";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { type Database, openDatabase } from "../../../server/db";
import type { CallContext } from "../../../server/runtime/ports";
import { PostgresCeilingStore } from "../../../server/store/ceiling-store";
import { PostgresPermitBook } from "../../../server/store/permit-book";
import { countRun } from "../../../server/store/run-ceilings";
import { PostgresRunDesk } from "../../../server/store/run-desk";
import { newRunId } from "../../../server/store/run-id";
import { inTransaction } from "../../../server/store/transaction";
import { startWorker, type Worker } from "../../../server/worker-services";
import { MemoryLog } from "../../support/memory-log";
import { person, planOf } from "../../support/run-fixture";
import { creatorOf, WORKSPACE } from "../../support/stored-runs";
import { openTestDatabase } from "../../support/test-database";
import { until } from "../../support/until";

/** Calls as the callee sees them: the judge of every limit, outside the product. */
class Callee {
  readonly starts: { readonly at: number; readonly runId: string }[] = [];
  running = 0;
  most = 0;
  #waiting: (() => void)[] = [];
  held = false;

  async call({ runId, signal }: CallContext): Promise<void> {
    this.starts.push({ at: performance.now(), runId });
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    await new Promise<void>((resolve) => {
      if (!this.held) setTimeout(resolve, 5);
      else this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.running -= 1;
  }

  letGo(): void {
    this.held = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const define = (name: string, more: Partial<Capability>): CapabilitySnapshot =>
  snapshotCapability(
    defineBuiltIn({
      name,
      title: name,
      description: name,
      inputSchema: { type: "object" },
      outputSchema: {},
      sideEffect: "none",
      timeoutSeconds: 60,
      estimate: { p50Seconds: 0.01, p95Seconds: 0.02 },
      ...more,
    }),
  );

const NARROW = define("limit.narrow", { concurrency: 2 });
const SLOW = define("limit.slow", { rateLimit: { calls: 4, perSeconds: 0.5 } });
const WRITE = define("limit.write", { sideEffect: "write", writes: ["row:${row}"] });
const PAID = define("limit.paid", { costUsd: 0.1 });
const CAPABILITIES = [NARROW, SLOW, WRITE, PAID];

let first: Database;
let second: Database;
let desk: PostgresRunDesk;
let callees: Map<string, Callee>;
let workers: Worker[];
const log = new MemoryLog();
const by = person("admin");

const executor = () =>
  capabilityExecutor(
    CAPABILITIES.map((capability) => ({
      capability,
      async call(_arguments, context) {
        await callees.get(capability.name)?.call(context);
        return succeeded(null);
      },
    })),
  );

beforeAll(async () => {
  callees = new Map(CAPABILITIES.map(({ name }) => [name, new Callee()]));
  first = await openTestDatabase({ connectionsMax: 10 });
  second = openDatabase(first.url, { connectionsMax: 10 });
  desk = new PostgresRunDesk(first.pool, new AbortController().signal);
  workers = await Promise.all([first, second].map((database) => startWorker({ database, executor: executor(), log })));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await second.close();
  await first.close();
});

async function start(plan: Plan, who = "requester"): Promise<string> {
  const runId = newRunId();
  const at = Date.now();
  const startedBy = person(who);
  const policy = { budgetBeforeCompletion: false, fourEyes: true };
  await creatorOf(first).create({
    workspaceId: WORKSPACE,
    events: [
      { type: "run_created", at, runId: runIdSchema.parse(runId), name: plan.name, startedBy, policy },
      { type: "plan_accepted", at, revision: 1, plan, capabilities: CAPABILITIES },
    ],
  });
  return runId;
}

const many = (count: number, capability: string, rest: object = {}) =>
  planOf(Array.from({ length: count }, (_, index) => ({ id: `t${index}`, capability, arguments: {}, ...rest })));

const ended = (runId: string) =>
  until(`${runId} ends`, async () => {
    const run = await desk.get(WORKSPACE, runId);
    return run?.status === "finished" && run;
  });

const calleeOf = ({ name }: CapabilitySnapshot): Callee => {
  const callee = callees.get(name);
  if (callee === undefined) throw new Error(`No callee for ${name}`);
  return callee;
};

/** Every permit is given back once nothing runs. */
const permitsLeft = async () =>
  (await first.pool.query("SELECT state FROM call_permits WHERE state <> 'over'")).rows.length;

describe("two workers on two pools", () => {
  it("make no more calls of a capability at once than it allows, over all runs", async () => {
    const runs = await Promise.all([1, 2, 3, 4].map(() => start(many(8, "limit.narrow"))));
    for (const run of await Promise.all(runs.map(ended))) expect(run.outcome).toBe("completed");
    expect(calleeOf(NARROW).most).toBe(2);
    expect(calleeOf(NARROW).starts).toHaveLength(32);
    await until("all permits are back", async () => (await permitsLeft()) === 0);
  });

  it("share a narrow capability between runs, so that a crowd in front keeps nobody out", async () => {
    const callee = calleeOf(NARROW);
    callee.starts.length = 0;
    const crowd = await start(many(30, "limit.narrow"));
    await until("the crowd has begun", () => callee.starts.length > 2);
    const late = await start(many(3, "limit.narrow"));
    await Promise.all([crowd, late].map(ended));
    const lastOfLate = callee.starts.findLastIndex(({ runId }) => runId === late);
    expect(lastOfLate).toBeLessThan(callee.starts.length - 5);
  });

  it("keep to a rate limit in every window", async () => {
    await Promise.all((await Promise.all([1, 2].map(() => start(many(6, "limit.slow"))))).map(ended));
    const starts = calleeOf(SLOW).starts.map(({ at }) => at);
    expect(starts).toHaveLength(12);
    // The window is judged at the callee, a moment after the start that was counted.
    for (const [index, at] of starts.entries()) {
      const fifth = starts[index + 4];
      if (fifth !== undefined) expect(fifth - at).toBeGreaterThan(400);
    }
  });

  it("never write one resource from two runs at once", async () => {
    const writes = (row: number) => many(4, "limit.write", { arguments: { row } });
    await Promise.all((await Promise.all([1, 1, 1].map((row) => start(writes(row))))).map(ended));
    expect(calleeOf(WRITE).most).toBe(1);
    expect(calleeOf(WRITE).starts).toHaveLength(12);
  });

  it("stop runs at a ceiling above their budgets, together and by name", async () => {
    const ceilings = new PostgresCeilingStore(first.pool);
    await first.pool.query(
      `INSERT INTO people (id, name, email, updated_at) VALUES ('ann', 'ann', 'ann@example.test', now());
       INSERT INTO workspaces (id, name) VALUES ('${WORKSPACE}', 'w');
       INSERT INTO memberships (workspace_id, person_id, roles) VALUES ('${WORKSPACE}', 'ann', '{engineer}')`,
    );
    expect(await ceilings.set(WORKSPACE, { personId: "nobody", period: "day", budget: "costUsd", limit: 1 }, by)).toBe(
      false,
    );
    expect(await ceilings.set(WORKSPACE, { personId: "ann", period: "day", budget: "costUsd", limit: 1 }, by)).toBe(
      true,
    );
    const runs = await Promise.all([1, 2, 3].map(() => start(many(20, "limit.paid"), "ann")));
    const outcomes = await Promise.all(runs.map(ended));
    expect(calleeOf(PAID).starts).toHaveLength(10);
    for (const run of outcomes) {
      expect(run).toMatchObject({ outcome: "stop_budget", outcomeReason: expect.stringContaining("ceiling") });
    }
    expect((await ceilings.list(WORKSPACE))[0]?.spent).toBeCloseTo(1);
    const count = (personId: string) => inTransaction(first.pool, (client) => countRun(client, WORKSPACE, personId));
    expect(await count("ann")).toContain("1 USD a day");
    expect(await count("bob")).toBeUndefined();
    const free = await ended(await start(many(2, "limit.paid"), "bob"));
    expect(free.outcome).toBe("completed");
  });

  it("make no call more than a budget allows with 160 ready tasks, and name it", async () => {
    const callee = calleeOf(PAID);
    callee.starts.length = 0;
    const run = await ended(await start({ ...many(160, "limit.paid"), budgets: { toolCalls: 20 } }, "bob"));
    expect(run).toMatchObject({ outcome: "stop_budget", outcomeReason: expect.stringContaining("toolCalls") });
    expect(callee.starts).toHaveLength(20);
  });

  it("give back what a dead worker held", async () => {
    const callee = calleeOf(NARROW);
    callee.held = true;
    await first.pool.query(
      `INSERT INTO permit_holders VALUES ('dead/worker', clock_timestamp() - interval '1 second');
       INSERT INTO call_permits (id, workspace_id, run_id, task_id, owner, demand, state, wanted_at, started_at)
       SELECT 'dead-' || n, '${WORKSPACE}', 'gone', 't' || n, 'dead/worker',
              '{"capability":"limit.narrow@1","concurrency":2,"locks":[],"charges":[]}', 'granted', now(), now()
       FROM generate_series(1, 2) AS n`,
    );
    const run = await start(many(2, "limit.narrow"));
    await until("the slots are given to somebody else", () => callee.running === 2);
    callee.letGo();
    expect((await ended(run)).outcome).toBe("completed");
  });

  it("charge what a worker that lost its run may have used, whose starts count as any", async () => {
    const workspaceId = "taken-over";
    await first.pool.query(
      `INSERT INTO workspaces (id, name) VALUES ('${workspaceId}', 'w');
       INSERT INTO permit_holders VALUES ('long/gone', clock_timestamp() - interval '2 hours')`,
    );
    const ceilings = new PostgresCeilingStore(first.pool);
    expect(await ceilings.set(workspaceId, { period: "day", budget: "toolCalls", limit: 9 }, by)).toBe(true);
    const spent = async () => (await ceilings.list(workspaceId))[0]?.spent;
    const bookOf = (owner: string) =>
      new PostgresPermitBook({
        ...{ pool: first.pool, owner, signal: new AbortController().signal },
        wakeups: { onNews: () => () => {} },
      });
    const demand = {
      capability: "limit.rare@1",
      rateLimit: { calls: 1, perSeconds: 60 },
      locks: [],
      charges: [["toolCalls", 1] as const],
    };
    const asking = (id: string) => ({ asks: [{ id, runId: "r", taskId: "t", demand }], withdrawn: [], ended: [] });
    const old = bookOf("old/worker");
    expect(await old.exchange(workspaceId, asking("p1"))).toEqual([{ id: "p1", type: "granted" }]);
    expect(await bookOf("new/worker").exchange(workspaceId, asking("p2"))).toMatchObject([
      { id: "p2", type: "waits", on: { limit: "rate" } },
    ]);
    expect(await spent()).toBe(1);
    await old.exchange(workspaceId, { asks: [], withdrawn: [], ended: [{ id: "p1", startedAt: Date.now() }] });
    expect(await spent()).toBe(1);
    const holders = await first.pool.query("SELECT FROM permit_holders WHERE owner = 'long/gone'");
    expect(holders.rows).toHaveLength(0);
  });
});
