import { describe, expect, it } from "vitest";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

describe("SAGA task graph", () => {
  it("makes waits of tasks as long as they cost", () => {
    const plan = imported(planFixture("lanes.saga.json"));
    expect(edges(plan)).toEqual(["lane-1>merge", "lane-2>merge", "split>lane-1", "split>lane-2"]);
    expect(plan.plan.tasks[1]).toMatchObject({ title: "lane 1", capability: "wait.sleep", estimate: { seconds: 5.5 } });
    expect(plan.diagnostics).toEqual([]);
  });

  it("refuses a task without a cost and a dependency on nothing, each at its place", () => {
    const text =
      '{"task_graph":{"tasks":[{"name":"a","cost":1},\n{"name":"b"}],"dependencies":[\n{"source":"a","target":"c"}]}}';
    expect(places(refused(text))).toEqual(["2:1 schema", "3:1 missing_dependency"]);
  });
});
