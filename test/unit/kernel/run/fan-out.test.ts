import { describe, expect, it } from "vitest";
import { fold } from "#kernel/run/reduce";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { planOf } from "../../../support/run-fixture";

const fanOut = (rest: Record<string, unknown> = {}, plan: Record<string, unknown> = {}) =>
  new ModelRun(
    planOf(
      [
        { id: "list" },
        {
          id: "each",
          forEach: { $output: "list#/items" },
          arguments: { value: "${item#/name}", whole: { $output: "item" } },
          ...rest,
        },
        { id: "after", dependsOn: ["each"], arguments: { value: { $output: "each", default: "none" } } },
      ],
      plan,
    ),
  ).decide();

const list = (run: ModelRun, ...names: string[]) =>
  run.answer("list", { ...SUCCESS, output: { items: names.map((name) => ({ name })) } });

describe("R12 fan-out", () => {
  it("makes one instance per item, each with its own arguments, and collects outputs in the order of the list", () => {
    const run = list(fanOut(), "x", "y", "z");
    expect(run.dispatched.slice(1)).toEqual(["each[0]", "each[1]", "each[2]"]);
    expect(run.calls.get("each[1]")?.arguments).toEqual({ value: "y", whole: { name: "y" } });
    for (const index of [2, 0, 1]) run.answer(`each[${index}]`, { ...SUCCESS, output: index });
    expect(run.state.tasks.get("each")).toMatchObject({ status: "succeeded", output: [0, 1, 2] });
    expect(run.answer("after").state.outcome).toBe("completed");
    expect(run.state.budgetUse.toolCalls).toBe(5);
  });

  it("succeeds with an empty list for an empty list", () => {
    const run = list(fanOut());
    expect(run.state.tasks.get("each")).toMatchObject({ status: "succeeded", output: [] });
    expect(run.calls.get("after")?.arguments).toEqual({ value: [] });
  });

  it("is skipped when every instance is, and null stands for a skipped one among others", () => {
    const all = list(fanOut({ when: { value: "${item#/name}", notEquals: "x" } }), "x", "x");
    expect(all.state.tasks.get("each")).toMatchObject({ status: "skipped", cause: { code: "all_instances_skipped" } });
    expect(all.statusOf("after")).toBe("skipped");
    const some = list(fanOut({ when: { value: "${item#/name}", notEquals: "x" } }), "x", "y");
    expect(some.statusOf("each[0]")).toBe("skipped");
    some.answer("each[1]", { ...SUCCESS, output: 1 });
    expect(some.state.tasks.get("each")?.output).toEqual([null, 1]);
  });

  it("looks at a condition that is not about the items before the list, which may not be there", () => {
    const whole = { join: "all_done", when: { status: "list", is: "succeeded" } };
    const run = fanOut(whole).answer("list", FAILURE);
    expect(run.state.tasks.get("each")).toMatchObject({ status: "skipped", cause: { code: "condition_false" } });
    const none = list(fanOut({ when: false }), "x");
    expect(none.state.tasks.get("each")).toMatchObject({ status: "skipped", cause: { code: "condition_false" } });
    expect(none.statusOf("each[0]")).toBeUndefined();
    expect(list(fanOut(whole), "x").statusOf("each[0]")).toBe("dispatched");
  });

  it("fails with its first failed instance, once all have ended", () => {
    const run = list(fanOut(), "x", "y");
    run.answer("each[0]", FAILURE);
    expect(run.statusOf("each")).toBe("running");
    run.answer("each[1]");
    expect(run.state.tasks.get("each")).toMatchObject({
      status: "failed",
      cause: { code: "instance_failed", taskId: "each[0]" },
    });
    expect(run.statusOf("after")).toBe("cancelled");
    expect(run.state.outcome).toBe("stop_terminal_failure");
  });

  it("fails before any call when the list is no list or has too many items", () => {
    const none = fanOut().answer("list", { ...SUCCESS, output: { items: "xyz" } });
    expect(none.state.tasks.get("each")?.cause?.code).toBe("for_each_not_a_list");
    const many = list(fanOut({ maxItems: 2 }), "x", "y", "z");
    expect(many.state.tasks.get("each")?.cause?.code).toBe("limit_exceeded");
  });

  it("opens one gate per instance, with the arguments of that instance", () => {
    const run = list(fanOut({ approval: {} }), "x", "y");
    const gates = [...run.state.gates.values()].map((gate) => gate.request);
    expect(gates.map((request) => request.arguments)).toMatchObject([{ value: "x" }, { value: "y" }]);
  });

  it("counts every instance against the budgets and the limits of the plan", () => {
    const budgeted = list(fanOut({}, { budgets: { toolCalls: 3 } }), "a", "b", "c", "d");
    expect(budgeted.dispatched).toHaveLength(3);
    budgeted.answer("each[0]").answer("each[1]");
    expect(budgeted.state.outcome).toBe("stop_budget");
    expect(list(fanOut({}, { maxParallel: 2 }), "a", "b", "c").calls.size).toBe(2);
  });

  it("is the same from the log alone, at every point", () => {
    const run = list(fanOut(), "x", "y");
    for (const index of [1, 0]) run.answer(`each[${index}]`, { ...SUCCESS, output: index });
    run.answer("after");
    for (let cut = 0; cut <= run.log.length; cut++) {
      const prefix = fold(run.log.slice(0, cut));
      expect(fold(run.log.slice(cut), prefix)).toEqual(fold(run.log));
    }
  });

  it("ends every instance and the group when the run is cancelled or its deadline passes", () => {
    const run = list(fanOut({}, { budgets: { deadlineSeconds: 5 } }), "x", "y");
    run.wake();
    expect(run.aborted).toEqual(["each[0]", "each[1]"]);
    expect(run.statusOf("each")).toBe("stopped_budget");
    expect(run.state.outcome).toBe("stop_budget");
  });
});
