import { describe, expect, it } from "vitest";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

describe("Standard Task Graph", () => {
  it("reads tasks, times and predecessors, dummies included", () => {
    const plan = imported(planFixture("five.stg"));
    expect(plan.plan.name).toBe("five");
    expect(plan.plan.tasks.map((task) => task.estimate?.seconds)).toEqual([0, 4, 2, 5, 0]);
    expect(edges(plan)).toEqual(["0>1", "0>2", "1>3", "2>3", "3>4"]);
  });

  it("reads a file without dummies", () => {
    expect(imported("2\n1 4 0\n2 3 1 1\n").plan.tasks).toHaveLength(2);
  });

  it("places a problem at its number", () => {
    expect(places(refused("2\n 1 4 0\n 2 x 1 1\n"))).toEqual(["3:4 syntax"]);
    expect(places(refused("2\n 1 4 0\n 2 3 2 1\n"))).toEqual(["3:6 syntax"]);
    expect(places(refused("2\n 1 4 0\n 2 3\n"))).toEqual(["3:2 syntax"]);
  });

  it("refuses a file that is cut off", () => {
    const [problem] = refused("50\n 0 0 0\n 1 9 1 0\n");
    expect(problem).toMatchObject({ code: "syntax", line: 3 });
    expect(problem?.message).toContain("announces 50 tasks");
  });

  it("refuses a file named so that holds something else", () => {
    expect(places(refused("hello\n", "graph.stg"))).toEqual(["1:1 syntax"]);
  });
});
