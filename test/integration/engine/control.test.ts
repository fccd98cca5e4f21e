import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Plan } from "#kernel/plan/plan";
import { ok } from "#kernel/result";
import { fold } from "#kernel/run/reduce";
import type { GateState, RunState } from "#kernel/run/state";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { testImplementations } from "../../../server/capabilities/testing";
import type { Database } from "../../../server/db";
import { PostgresRunDesk } from "../../../server/store/run-desk";
import { startWorker, type Worker } from "../../../server/worker-services";
import { brokenInvariants } from "../../support/invariants";
import { MemoryLog } from "../../support/memory-log";
import { CAPABILITIES, person, planOf } from "../../support/run-fixture";
import { createRun, creatorOf, WORKSPACE } from "../../support/stored-runs";
import { openTestDatabase } from "../../support/test-database";
import { until } from "../../support/until";

let database: Database;
let worker: Worker;
let desk: PostgresRunDesk;

beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 20 });
  desk = new PostgresRunDesk(database.pool, new AbortController().signal);
  const executor = capabilityExecutor(testImplementations("/dev/null"));
  worker = await startWorker({ database, executor, log: new MemoryLog() });
});
afterAll(async () => {
  await worker.stop();
  await database.close();
});

const stateOf = async (runId: string): Promise<RunState> => fold((await desk.events(WORKSPACE, runId, 0)) ?? []);

const finished = (runId: string): Promise<RunState> =>
  until(`${runId} ends`, async () => {
    const state = await stateOf(runId);
    return state.status === "finished" && state;
  });

const start = (plan: Plan): Promise<string> => createRun(creatorOf(database), plan);

const openGate = (runId: string): Promise<GateState> =>
  until(`${runId} asks a person`, async () => {
    const { gates } = await stateOf(runId);
    return [...gates.values()].find((gate) => gate.status === "open");
  });

async function decide(runId: string, decision: "approve" | "reject"): Promise<void> {
  const { gateId, argumentsHash } = (await openGate(runId)).request;
  const by = person("approver");
  await desk.submit(WORKSPACE, runId, (_state, at) =>
    ok([{ type: "approval_decided", at, gateId, decision, by, reason: "checked", argumentsHash }]),
  );
}

const verdictsOf = async (runId: string): Promise<string[]> =>
  ((await desk.events(WORKSPACE, runId, 0)) ?? []).flatMap((event) =>
    event.type === "repetition_detected" ? [event.verdict] : [],
  );

describe("control of a run on Postgres", () => {
  it("polls until the answer is final, and does not take polls for a stall", async () => {
    const plan = planOf([
      { id: "wait", capability: "test.poll", arguments: { polls: 6 } },
      { id: "after", arguments: { value: { $output: "wait#/status" } } },
    ]);
    const runId = await start(plan);
    const state = await finished(runId);
    expect(state).toMatchObject({ outcome: "completed" });
    expect(state.tasks.get("wait")?.attempts).toHaveLength(7);
    expect(state.tasks.get("after")?.output).toEqual({ value: "done" });
    expect(await verdictsOf(runId)).toEqual([...Array(5).fill("polling"), "new_evidence"]);
  });

  it("ends a run as stalled whose revision only asks again what was answered", async () => {
    const ask = (id: string) => ({ id, arguments: { value: "the same" } });
    const hold = { id: "hold", approval: {} };
    const runId = await start(planOf([ask("a"), hold]));
    await openGate(runId);
    await until("a has its answer", async () => (await stateOf(runId)).tasks.get("a")?.status === "succeeded");
    await desk.submit(WORKSPACE, runId, (state, at) =>
      ok([
        {
          type: "plan_revised",
          at,
          revision: 2,
          reason: "new_information",
          triggerSeq: state.lastSeq,
          by: "planner",
          author: { kind: "planner", name: "planner" },
          plan: planOf([ask("b")]),
          capabilities: [...CAPABILITIES],
          diff: { added: [], removed: [], changed: [], kept: [], planFields: [] },
        },
      ]),
    );
    const state = await finished(runId);
    expect(state.outcome).toBe("stop_stalled");
    expect(state.outcomeReason).toContain("“b” made a call for the 2nd time");
    expect(await verdictsOf(runId)).toEqual(["stall"]);
  });

  it.each([
    ["json_schema", { check: "json_schema", task: "a", schema: { required: ["value"] } }, "completed"],
    ["json_schema", { check: "json_schema", task: "a", schema: { required: ["text"] } }, "evidence_gap"],
    ["predicate", { check: "predicate", when: { value: "${a#/value}", equals: "made" } }, "completed"],
    ["predicate", { check: "predicate", when: { value: "${a#/value}", equals: "other" } }, "evidence_gap"],
    [
      "capability",
      { check: "capability", capability: "test.echo", arguments: { value: { $output: "a" } } },
      "completed",
    ],
    ["capability", { check: "capability", capability: "test.fail", arguments: {} }, "evidence_gap"],
  ])("decides a check of the kind %s (%o): %s", async (_kind, check, outcome) => {
    const runId = await start(planOf([{ id: "a", arguments: { value: "made" } }], { completion: [check] }));
    const state = await finished(runId);
    expect(state.outcome).toBe(outcome);
    expect(state.completion).toHaveLength(1);
  });

  it("asks a person where a check is a question, and ends as the person says", async () => {
    for (const [decision, outcome] of [
      ["approve", "completed"],
      ["reject", "evidence_gap"],
    ] as const) {
      const runId = await start(planOf([{ id: "a" }], { completion: [{ check: "human", question: "Is it good?" }] }));
      await decide(runId, decision);
      expect((await finished(runId)).outcome).toBe(outcome);
    }
  });

  it("starts nothing after a cancellation was acknowledged, whenever it comes, and aborts what runs", async () => {
    // The later ones are long: however slowly this test looks, the run has not ended when it is cancelled.
    const tasks = Array.from({ length: 50 }, (_, index) => ({
      id: `t${index}`,
      capability: "test.sleep",
      arguments: { ms: index < 32 ? 5 : 60_000, value: index },
      ...(index < 4 ? {} : { dependsOn: [`t${index - 4}`] }),
    }));
    for (const after of [1, 7, 20]) {
      const runId = await start(planOf(tasks));
      await until(`${after} tasks have ended`, async () => {
        const summary = await desk.get(WORKSPACE, runId);
        return (summary?.tasks.done ?? 0) >= after;
      });
      const acknowledged = await desk.submit(WORKSPACE, runId, (_state, at) =>
        ok([{ type: "run_cancelled", at, by: person("engineer") }]),
      );
      if (acknowledged?.ok !== true) throw new Error("the cancellation was refused");
      const state = await finished(runId);
      expect(state.outcome).toBe("cancelled");
      const later = (await desk.events(WORKSPACE, runId, acknowledged.value)) ?? [];
      const types = later.map((event) => event.type);
      expect(types.filter((type) => type === "task_dispatched" || type === "task_started")).toEqual([]);
      // What was in flight answers late, or not at all: nothing of it counts.
      expect(types).not.toContain("task_succeeded");
      const startedAt = later.flatMap((event) => (event.type === "task_observed" ? [event.startedAt] : []));
      const cancelledAt = state.lastAt;
      for (const at of startedAt) expect(at).toBeLessThanOrEqual(cancelledAt);
    }
    expect(await brokenInvariants(database.pool)).toEqual([]);
  });
});
