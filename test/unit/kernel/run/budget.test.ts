import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FAILURE, ModelRun } from "../../../support/model-run";
import { planOf } from "../../../support/run-fixture";

const many = (count: number, rest: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, ...rest }));

describe("R10 budgets", () => {
  it("starts exactly as many calls as the budget allows, however many tasks are ready at once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 16 }), (toolCalls, inFlightLimit) => {
        const run = new ModelRun(planOf(many(40), { budgets: { toolCalls } }), { inFlightLimit }).decide();
        while (run.calls.size > 0) run.answer([...run.calls.keys()][0] ?? "");
        expect(run.dispatched).toHaveLength(toolCalls);
        expect(run.state.outcome).toBe("stop_budget");
        expect(run.state.outcomeReason).toContain("toolCalls");
      }),
      { numRuns: 100 },
    );
  });

  it("counts a retry as a call, and every call of an attempt once", () => {
    const run = new ModelRun(
      planOf([{ id: "a", retry: { maxAttempts: 5, backoffSeconds: 0 } }], { budgets: { toolCalls: 2 } }),
    ).decide();
    run.answer("a", { ...FAILURE, status: "retryable" }).answer("a", { ...FAILURE, status: "retryable" });
    expect(run.dispatched).toHaveLength(2);
    expect(run.statusOf("a")).toBe("stopped_budget");
    expect(run.state.tasks.get("a")?.cause?.code).toBe("budget.toolCalls");
  });

  it("keeps the budget of one capability apart, whatever its name", () => {
    const budgets = { toolCallsPerCapability: { "test.echo": 1 } };
    const run = new ModelRun(planOf([...many(2), { id: "other", capability: "test.sleep" }], { budgets })).decide();
    expect(run.dispatched.filter((id) => id !== "other")).toHaveLength(1);
    const odd = new ModelRun(planOf(many(3), { budgets: { toolCallsPerCapability: { toString: 1 } } })).decide();
    expect(odd.dispatched).toHaveLength(3);
  });

  it("stops before one side effect too many", () => {
    const tasks = many(3, { capability: "test.effect", arguments: {} });
    const run = new ModelRun(planOf(tasks, { budgets: { sideEffects: 2 } })).decide();
    expect(run.dispatched).toHaveLength(2);
    for (const id of [...run.calls.keys()]) run.answer(id);
    expect(run.state.outcome).toBe("stop_budget");
  });

  it("stops when the retries are used up, and names the budget", () => {
    const run = new ModelRun(
      planOf(many(2, { retry: { maxAttempts: 9, backoffSeconds: 0 } }), { budgets: { retries: 1 } }),
    ).decide();
    run.answer("t0", { ...FAILURE, status: "retryable" }).answer("t1", { ...FAILURE, status: "retryable" });
    expect(run.state.tasks.get("t1")).toMatchObject({ status: "stopped_budget", cause: { code: "budget.retries" } });
  });

  it("aborts what runs when the deadline comes, less what is kept for verification", () => {
    const budgets = { deadlineSeconds: 10, verificationReserveSeconds: 3 };
    const run = new ModelRun(planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }], { budgets })).decide();
    expect(run.wakeAt).toBe(7_000);
    run.wake();
    expect(run.aborted).toEqual(["a"]);
    expect(run.statusOf("b")).toBe("stopped_budget");
    expect(run.state.outcome).toBe("stop_budget");
    expect(run.state.outcomeReason).toContain("deadline");
  });

  it("makes every start durable before its call where calls are counted, so that a crash loses no count", () => {
    const counted = new ModelRun(planOf([{ id: "a" }], { budgets: { toolCalls: 5 } })).decide();
    expect(counted.calls.get("a")?.barrier).toBe(true);
    expect(new ModelRun(planOf([{ id: "a" }])).decide().calls.get("a")?.barrier).toBe(false);
  });

  it("prefers verified completion over an exhausted budget, unless the policy says otherwise", () => {
    const plan = planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }], {
      budgets: { toolCalls: 1 },
      completion: [{ check: "predicate", when: { status: "a", is: "succeeded" } }],
    });
    expect(new ModelRun(plan).decide().answer("a").state.outcome).toBe("completed");
    const strict = new ModelRun(plan);
    strict.state.policy = { budgetBeforeCompletion: true, fourEyes: true };
    expect(strict.decide().answer("a").state.outcome).toBe("stop_budget");
  });
});
