import { describe, expect, it } from "vitest";
import { type Budgets, budgetsSchema } from "#kernel/plan/plan";
import { validatePlan } from "#kernel/plan/validate";
import { planOf } from "../../../support/kernel/plan-of";
import { TEST_REGISTRY } from "../../../support/kernel/valid-plans";

type Tasks = Parameters<typeof planOf>[0];

const found = (tasks: Tasks, budgets: Partial<Budgets>) =>
  validatePlan(planOf(tasks, { budgets: budgetsSchema.parse(budgets) }), { registry: TEST_REGISTRY })
    .diagnostics.filter(({ code }) => code === "budget_infeasible")
    .map(({ severity, pointer }) => `${severity} ${pointer}`);

const two: Tasks = [{ id: "a" }, { id: "b" }];

describe("budgets that a plan cannot keep", () => {
  it("allows exactly as many calls as there are tasks", () => {
    expect(found(two, { toolCalls: 2 })).toEqual([]);
    expect(found(two, { toolCalls: 1 })).toEqual(["error /budgets/toolCalls"]);
  });

  it("only warns where a condition, a list or a parent may spare the call", () => {
    const conditional: Tasks = [{ id: "a", when: false as never }, { id: "b", dependsOn: ["a"] as never }, { id: "c" }];
    expect(found(conditional, { toolCalls: 1 })).toEqual(["warning /budgets/toolCalls"]);
    expect(found(conditional, { toolCalls: 0 })).toEqual(["error /budgets/toolCalls"]);
    expect(found([{ id: "a" }, { id: "b", forEach: { $output: "a#/value" } }], { toolCalls: 1 })).toEqual([
      "warning /budgets/toolCalls",
    ]);
  });

  it("counts each instance of a list that stands in the plan", () => {
    expect(found([{ id: "a", forEach: [1, 2, 3] }], { toolCalls: 3 })).toEqual([]);
    expect(found([{ id: "a", forEach: [1, 2, 3] }], { toolCalls: 2 })).toEqual(["error /budgets/toolCalls"]);
  });

  it("does not count questions to people, which are no calls", () => {
    const asks: Tasks = [{ id: "a" }, { id: "ask", capability: "human.ask", arguments: { question: "Go?" } }];
    expect(found(asks, { toolCalls: 1 })).toEqual([]);
  });

  it("counts side effects and cost by what the capabilities declare", () => {
    const deletes: Tasks = [{ id: "a", capability: "records.delete", arguments: { id: "1" }, approval: {} }];
    expect(found(deletes, { sideEffects: 0, costUsd: 1 })).toEqual([
      "error /budgets/costUsd",
      "error /budgets/sideEffects",
    ]);
    expect(found(two, { sideEffects: 0, costUsd: 0 })).toEqual([]);
  });

  it("takes the reserve for verification off the deadline, and is sure only of the plan's own estimates", () => {
    const chain: Tasks = [
      { id: "a", estimate: { seconds: 60 } },
      { id: "b", estimate: { seconds: 30 }, dependsOn: ["a"] as never },
    ];
    expect(found(chain, { deadlineSeconds: 90 })).toEqual([]);
    expect(found(chain, { deadlineSeconds: 90, verificationReserveSeconds: 1 })).toEqual([
      "error /budgets/deadlineSeconds",
    ]);
    const asks: Tasks = [{ id: "ask", capability: "human.ask", arguments: { question: "Go?" } }];
    expect(found(asks, { deadlineSeconds: 60 })).toEqual(["warning /budgets/deadlineSeconds"]);
  });
});
