import { describe, expect, it } from "vitest";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { renameTask } from "#kernel/plan/rename";
import { ModelRun, SUCCESS } from "../../../support/model-run";
import { planOf } from "../../../support/run-fixture";

const precondition = { value: { $output: "read#/state" }, equals: "open" };
const plan = (more: object = {}) =>
  planOf([{ id: "read" }, { id: "act", capability: "test.effect", arguments: {}, precondition, ...more }]);

describe("preconditions of a task", () => {
  it("make the task wait for what they look at", () => {
    const { indexOf, predecessors } = graphOfPlan(plan());
    expect([...predecessors]).toEqual([indexOf.get("read")]);
  });

  it("let the call be made where they hold", () => {
    const run = new ModelRun(plan()).decide().answer("read", { ...SUCCESS, output: { state: "open" } });
    expect(run.calls.has("act")).toBe(true);
  });

  it.each([
    ["is otherwise", { state: "shut" }],
    ["is not there", {}],
  ])("fail the task before any call where it %s, terminally", (_how, output) => {
    const run = new ModelRun(plan({ retry: { maxAttempts: 5 } })).decide().answer("read", { ...SUCCESS, output });
    expect(run.dispatched).toEqual(["read"]);
    expect(run.state.tasks.get("act")).toMatchObject({ status: "failed", cause: { code: "precondition_failed" } });
    expect(run.log.at(-2)).toMatchObject({ observation: { status: "terminal", errorCategory: "conflict" } });
  });

  it("are renamed with the task that they name", () => {
    const renamed = renameTask(plan(), "read" as never, "look" as never);
    expect(JSON.stringify(renamed)).toContain('"$output":"look#/state"');
  });
});
