import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Plan } from "#kernel/plan/plan";
import type { RunEvent } from "#kernel/run/event";
import type { Database } from "../../server/db";
import { databaseNow } from "../../server/store/database-clock";
import { RunReader } from "../../server/store/run-reader";
import { Crew, type Member } from "../support/chaos/crew";
import { type Ledger, openLedger } from "../support/chaos/ledger";
import { addPeople, ask, type ChaosPeople, newRequestId } from "../support/chaos/requester";
import { brokenInvariants } from "../support/invariants";
import { planOf } from "../support/run-fixture";
import { openTestDatabase } from "../support/test-database";
import { until } from "../support/until";

/** One second is promised; a machine that does everything else beside this test is later, and no skew is so short. */
const LATE_MS_MAX = 4_000;
/** The database's clock is measured to a few milliseconds. */
const EARLY_MS_MAX = 100;

const MINUTE_MS = 60_000;

describe.each([
  ["ten minutes ahead", 10 * MINUTE_MS],
  ["ten minutes behind", -10 * MINUTE_MS],
])("with the clocks of web and worker %s", (words, clockSkewMs) => {
  let database: Database;
  let ledger: Ledger;
  let crew: Crew;
  let web: Member;
  let people: ChaosPeople;

  beforeAll(async () => {
    database = await openTestDatabase();
    ledger = await openLedger();
    crew = await Crew.open();
    people = await addPeople(database);
    const order = { url: database.url, ledgerUrl: ledger.url, clockSkewMs };
    web = await crew.start({ ...order, role: "web" });
    await crew.start({ ...order, role: "worker", leaseMs: 1_000 });
  });
  afterAll(async () => {
    await crew?.close();
    await ledger?.close();
    await database?.close();
  });

  interface EndedRun {
    readonly events: readonly RunEvent[];
    /** On the database's clock: before it was asked for, and when it was seen to have ended. */
    readonly askedAt: number;
    readonly endedAt: number;
  }

  async function play(plan: Plan): Promise<EndedRun> {
    const key = people.engineer;
    const request = async (path: string, input: object) => {
      const answer = await ask(() => web, { path, input, key });
      expect(answer.status, JSON.stringify(answer)).toBe(200);
      return answer.data;
    };
    const { planId } = await request("plans.create", { name: plan.name, plan });
    const askedAt = await databaseNow(database.pool);
    const { runId } = await request("runs.start", { planId, requestId: newRequestId() });
    await until("the run ends", async () => {
      const { rows } = await database.pool.query("SELECT FROM runs WHERE id = $1 AND finished_at IS NOT NULL", [runId]);
      return rows.length > 0;
    });
    const endedAt = await databaseNow(database.pool);
    const events = await new RunReader(database.pool, new AbortController().signal).read(runId);
    expect(await brokenInvariants(database.pool)).toEqual([]);
    return { events, askedAt, endedAt };
  }

  /** Everything happened between the question and the end, and nothing took less than no time. */
  function expectInTime({ events, askedAt, endedAt }: EndedRun): void {
    for (const event of events) {
      expect(event.at, event.type).toBeGreaterThan(askedAt - EARLY_MS_MAX);
      expect(event.at, event.type).toBeLessThan(endedAt + EARLY_MS_MAX);
      if ("startedAt" in event) expect(event.at, event.type).toBeGreaterThanOrEqual(Number(event.startedAt));
      if ("observation" in event) expect(event.observation?.latencyMs ?? 0).toBeGreaterThanOrEqual(0);
    }
  }

  const found = <Type extends RunEvent["type"]>(run: EndedRun, type: Type) => {
    const event = run.events.find((each): each is Extract<RunEvent, { type: Type }> => each.type === type);
    if (event === undefined) throw new Error(`There is no ${type} in ${run.events.map((each) => each.type).join()}`);
    return event;
  };

  it("a gate expires when its time is over on the database's clock", async () => {
    const run = await play(planOf([{ id: "a", approval: { decideWithinSeconds: 1 } }], { name: "expires" }));
    const asked = found(run, "approval_requested");
    const expired = found(run, "approval_expired");
    expectInTime(run);
    expect(asked.decideBy - asked.at).toBe(1_000);
    expect(expired.at).toBeGreaterThanOrEqual(asked.decideBy);
    expect(expired.at - asked.decideBy).toBeLessThan(LATE_MS_MAX);
    console.info(
      `${words}: a gate expired ${(expired.at - asked.decideBy).toFixed(0)} ms late, ` +
        `${(run.endedAt - run.askedAt).toFixed(0)} ms after the run was asked for`,
    );
  });

  it("a run is stopped when its deadline is over on the database's clock, in the middle of a call", async () => {
    const sleep = { id: "a", capability: "test.sleep", arguments: { ms: 60_000, value: 1 }, estimate: { seconds: 1 } };
    const run = await play(planOf([sleep], { name: "deadline", budgets: { deadlineSeconds: 2 } }));
    const deadline = found(run, "run_created").at + 2_000;
    const finished = found(run, "run_finished");
    expectInTime(run);
    expect(finished.outcome).toBe("stop_budget");
    expect(finished.at).toBeGreaterThan(deadline - EARLY_MS_MAX);
    expect(finished.at - deadline).toBeLessThan(LATE_MS_MAX);
    console.info(`${words}: a run was stopped ${(finished.at - deadline).toFixed(0)} ms after its deadline`);
  });

  it("a retry waits as long as it was told to", async () => {
    const retry = { maxAttempts: 2, backoffSeconds: 0.5 };
    const flaky = { id: "a", capability: "test.flaky", arguments: { failures: 1 }, retry };
    const run = await play(planOf([flaky], { name: "retries" }));
    const failed = found(run, "task_retry_scheduled");
    const succeeded = found(run, "task_succeeded");
    expectInTime(run);
    // Half of a wait is left to chance, so that many that failed at once do not come back at once.
    expect(succeeded.at - failed.at).toBeGreaterThan(250 - EARLY_MS_MAX);
    expect(succeeded.at - failed.at).toBeLessThan(500 + LATE_MS_MAX);
  });
});
