import { describe, expect, it } from "vitest";
import type { Observation } from "#kernel/capability/observation";
import { isTerminal } from "#kernel/run/status";
import { DrivenRun } from "../../support/driven-run";
import { quiet } from "../../support/fake-time";
import { FAILURE, SUCCESS } from "../../support/model-run";
import { person, planOf } from "../../support/run-fixture";

/** Branch, join, retry, gate, fan-out, a keyed write and a completion check in twelve tasks. */
const PLAN = planOf(
  [
    { id: "start" },
    { id: "left", dependsOn: ["start"] },
    { id: "right", dependsOn: ["start"] },
    { id: "flaky", dependsOn: ["left"], retry: { maxAttempts: 3, backoffSeconds: 0.5 } },
    { id: "never", dependsOn: ["left"], when: false },
    { id: "either", dependsOn: ["never", "right"], join: "any_succeeded" },
    { id: "signed", dependsOn: ["right"], approval: {} },
    { id: "each", forEach: { $output: "start#/items" }, arguments: { value: "${item}" } },
    { id: "count", capability: "test.count", arguments: { key: "count" }, dependsOn: ["flaky", "either"] },
    { id: "fails", dependsOn: ["each"], onFailure: "continue" },
    { id: "after-failure", dependsOn: ["fails"], join: "all_done" },
    { id: "end", dependsOn: ["count", "signed", "after-failure"] },
  ],
  { completion: [{ check: "predicate", when: { status: "end", is: "succeeded" } }] },
);

const answer = ({ taskId, attempt }: { taskId: string; attempt: number }): Observation => {
  if (taskId === "start") return { ...SUCCESS, output: { items: ["x", "y"] } };
  if (taskId === "flaky" && attempt < 3) return { ...FAILURE, status: "retryable", errorCategory: "unavailable" };
  if (taskId === "fails") return FAILURE;
  return { ...SUCCESS, output: `${taskId} done` };
};

/** Drives to the end as a supervisor would: signs what is asked, lets time pass, starts a driver when none is there. */
async function finish(run: DrivenRun): Promise<void> {
  for (let step = 0; step < 100 && !run.log.finished; step++) {
    if (!run.log.owned) await run.drive();
    await run.time.advance(600);
    for (const gate of run.state.gates.values()) {
      const { gateId, argumentsHash } = gate.request;
      if (gate.status !== "open") continue;
      const by = person("approver");
      run.log.submit({ type: "approval_decided", at: run.time.now(), gateId, decision: "approve", by, argumentsHash });
      await quiet();
    }
  }
}

const summary = (run: DrivenRun) => ({
  outcome: run.state.outcome,
  tasks: Object.fromEntries([...run.state.tasks].map(([id, task]) => [id, [task.status, task.output]])),
});

/** Ends of tasks, each of which may be recorded once only. */
const ENDS = /^task_(succeeded|failed|cancelled|skipped|stopped)$/;

async function runWith(crashAt?: DrivenRun["log"]["crashAt"]): Promise<DrivenRun> {
  const run = new DrivenRun(PLAN);
  run.executor.auto = answer;
  run.log.crashAt = crashAt;
  await finish(run);
  return run;
}

describe("crash at every append", () => {
  it("comes to the same end wherever the process dies, with no result recorded twice and no lost task", async () => {
    const calm = await runWith();
    expect(calm.state.outcome).toBe("completed");
    const expected = summary(calm);
    const appends = calm.log.batches.length;
    expect(appends).toBeGreaterThan(5);
    for (let append = 0; append < appends; append++) {
      for (const when of ["before", "after"] as const) {
        const run = await runWith({ append, when });
        expect(summary(run), `died ${when} append ${append}`).toEqual(expected);
        const ends = run.log.events.filter((event) => ENDS.test(event.type));
        const ids = ends.map((event) => ("taskId" in event ? event.taskId : ""));
        expect(new Set(ids).size).toBe(ids.length);
        expect([...run.state.tasks.values()].every((task) => isTerminal(task.status))).toBe(true);
        const keys = run.executor.calls.filter((call) => call.taskId === "count").map((call) => call.idempotencyKey);
        expect(new Set(keys).size).toBe(1);
        expect(run.log.events.map((event) => event.seq)).toEqual(run.log.events.map((_, index) => index + 1));
      }
    }
  }, 120_000);

  it("makes no more calls than its budget allows although the process dies again and again", async () => {
    const tasks = Array.from({ length: 30 }, (_, index) => ({ id: `t${index}` }));
    for (let append = 0; append < 6; append++) {
      const run = new DrivenRun(planOf(tasks, { budgets: { toolCalls: 10 }, maxParallel: 4 }));
      run.log.crashAt = { append, when: append % 2 === 0 ? "before" : "after" };
      await finish(run);
      const begun = new Set(run.executor.calls.map((call) => `${call.taskId}#${call.attempt}`));
      expect(begun.size).toBeLessThanOrEqual(10);
      expect(run.state.outcome).toBe("stop_budget");
    }
  });

  it("loses no decision that lands at any moment", async () => {
    for (let turns = 0; turns < 30; turns++) {
      const run = new DrivenRun(planOf([{ id: "a" }, { id: "g", approval: {} }, { id: "z", dependsOn: ["a", "g"] }]));
      run.executor.held.add("a");
      void run.drive();
      await quiet(turns % 10);
      run.executor.answer("a");
      await quiet(Math.floor(turns / 10));
      await quiet();
      run.executor.held.clear();
      run.executor.answer("a");
      const gate = [...run.state.gates.values()][0]?.request;
      if (gate !== undefined) {
        const { gateId, argumentsHash } = gate;
        const by = person("approver");
        run.log.submit({
          type: "approval_decided",
          at: run.time.now(),
          gateId,
          decision: "approve",
          by,
          argumentsHash,
        });
      }
      await finish(run);
      expect(run.state.outcome).toBe("completed");
    }
  });
});
