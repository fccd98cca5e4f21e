import { describe, expect, it } from "vitest";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { readySet } from "#kernel/plan/ready";
import { analyzePlan } from "#kernel/plan/schedule";
import { planOf } from "../../../support/kernel/plan-of";

describe("the field's worked examples", () => {
  const brief = planOf([
    { id: "summary-a", estimate: { seconds: 8 } },
    { id: "summary-b", estimate: { seconds: 6 } },
    { id: "summary-c", estimate: { seconds: 5 } },
    {
      id: "synthesis",
      estimate: { seconds: 4 },
      arguments: {
        parts: [{ $output: "summary-a#/text" }, { $output: "summary-b#/text" }],
        heading: "and ${summary-c#/text}",
      },
    },
  ]);

  it("takes 23 s one after another and no less than 12 s side by side", () => {
    const analysis = analyzePlan(brief);
    expect(analysis?.work).toBe(23);
    expect(analysis?.lowerBound).toBe(12);
    expect(analysis?.criticalPath).toEqual(["summary-a", "synthesis"]);
    expect([...(analysis?.slack ?? [])]).toEqual([0, 2, 3, 0]);
    expect(analysis?.width).toBe(3);
    expect(analysis?.widest).toEqual(["summary-a", "summary-b", "summary-c"]);
  });

  it("has B and C ready in a diamond of which only A is done", () => {
    const diamond = planOf([
      { id: "A" },
      { id: "B", dependsOn: ["A"] },
      { id: "C", dependsOn: ["A"] },
      { id: "D", dependsOn: ["B", "C"] },
    ]);
    const graph = graphOfPlan(diamond);
    expect(readySet(graph, new Set())).toEqual(["A"]);
    expect(readySet(graph, new Set(["A"]))).toEqual(["B", "C"]);
    expect(readySet(graph, new Set(["A", "B", "C"]))).toEqual(["D"]);
  });
});
