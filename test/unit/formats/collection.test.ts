import { describe, expect, it } from "vitest";
import { importPlan } from "../../../server/formats/import-plan";
import { planFixture } from "../../support/plan-fixture";
import { places, refused } from "./expect-import";

const rewoo = "Plan: look\n#E1 = Search[a]\nPlan: tell\n#E2 = Tell[#E1]";

function nth(text: string, plan?: number) {
  const result = importPlan(text, { fileName: "set.json", plan });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe("a file that holds several plans", () => {
  const trip = JSON.parse(planFixture("trip.nestful.json"));
  const list = JSON.stringify([trip, { prompt: "x", text: rewoo }, "digraph { a -> b }"], null, 1);
  const lines = `${JSON.stringify(trip)}\n\n${JSON.stringify(JSON.parse(planFixture("still.taskbench.json")))}\n`;

  it("is refused at the second, with how many there are and how to name one", () => {
    const [problem] = refused(list);
    expect(problem?.message).toContain("holds 3 plans");
    expect(problem?.line).toBeGreaterThan(10);
    expect(places(refused(lines))).toEqual(["3:1 syntax"]);
  });

  it("gives the one that is asked for, in whichever format it is", () => {
    expect([1, 2, 3].map((plan) => nth(list, plan).report.format)).toEqual(["nestful", "rewoo", "dot"]);
    expect([1, 2].map((plan) => nth(lines, plan).report.format)).toEqual(["nestful", "taskbench"]);
  });

  it("gives the only one without being asked", () => {
    expect(
      nth(
        JSON.stringify([
          { role: "user", content: "hello" },
          { role: "assistant", content: rewoo },
        ]),
      ).plan.tasks,
    ).toHaveLength(2);
  });

  it("places problems in the file", () => {
    expect(nth(lines, 2).diagnostics.map(({ line }) => line)).toEqual([3, 3]);
    const within = JSON.stringify([rewoo, "flowchart LR\n a -->"]);
    const result = importPlan(within, { plan: 2 });
    expect(result.ok ? [] : result.error).toMatchObject([
      { line: 1, message: expect.stringContaining("Line 2 of this text") },
    ]);
  });

  it("has no plan beyond its last", () => {
    const result = importPlan(list, { plan: 4 });
    expect(result.ok ? [] : places(result.error)).toEqual(["1:1 syntax"]);
  });
});
