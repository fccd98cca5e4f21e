import { describe, expect, it } from "vitest";
import { FAILURE, ModelRun } from "../../../support/model-run";
import { planOf } from "../../../support/run-fixture";

describe("decide", () => {
  it("R3 starts d as soon as its own parent b has ended, while c still runs", () => {
    const run = new ModelRun(
      planOf([
        { id: "a" },
        { id: "b", dependsOn: ["a"] },
        { id: "c", dependsOn: ["a"] },
        { id: "d", dependsOn: ["b"] },
      ]),
    ).decide();
    run.answer("a").answer("b");
    expect(run.statusOf("c")).toBe("dispatched");
    expect(run.statusOf("d")).toBe("dispatched");
    run.answer("c").answer("d");
    expect(run.state.outcome).toBe("completed");
  });

  it("R4 dispatches the longest remaining path first", () => {
    const run = new ModelRun(
      planOf([{ id: "short" }, { id: "long" }, { id: "tail", dependsOn: ["long"], estimate: { seconds: 9 } }], {
        maxParallel: 1,
      }),
    ).decide();
    expect(run.dispatched).toEqual(["long"]);
    run.answer("long");
    expect(run.dispatched).toEqual(["long", "tail"]);
  });

  it("R5 a failure cancels its dependents and names itself as their cause", () => {
    const run = new ModelRun(planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }, { id: "c", dependsOn: ["b"] }]));
    run.decide().answer("a", FAILURE);
    expect(run.statusOf("c")).toBe("cancelled");
    expect(run.state.tasks.get("b")?.cause).toMatchObject({ code: "upstream_failed", taskId: "a" });
    expect(run.state.outcome).toBe("stop_terminal_failure");
    expect(run.state.outcomeSeq).toBe(run.state.tasks.get("a")?.endedSeq);
  });
});
