import { describe, expect, it } from "vitest";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

const house = planFixture("house.sm");

describe("PSPLIB", () => {
  it("reads jobs, durations and successors, and resources as pools", () => {
    const { plan } = imported(house);
    expect(plan.pools).toEqual({ R1: 2, R2: 1 });
    expect(plan.tasks.map((task) => task.estimate?.seconds)).toEqual([0, 4, 3, 5, 0]);
    expect(plan.tasks.map((task) => task.uses)).toEqual([undefined, { R1: 2 }, { R1: 1, R2: 1 }, { R2: 1 }, undefined]);
    expect(edges(imported(house))).toEqual(["1>2", "1>3", "2>4", "3>4", "4>5"]);
  });

  it("reads lines that end as on Windows, and a mark of the byte order", () => {
    expect(edges(imported(`\uFEFF${house.replaceAll("\n", "\r\n")}`))).toHaveLength(5);
  });

  it("says that a resource which is used up is no pool", () => {
    const { plan, diagnostics } = imported(house.replaceAll("R 2", "N 1"));
    expect(plan.pools).toEqual({ R1: 2 });
    expect(places(diagnostics)).toEqual(["26:1 not_carried_over"]);
  });

  it.each([
    ["   2        1          1           4", "   2        1          2           4", ["10:1 syntax"]],
    ["   2        1          1           4", "   2        1          1           9", ["10:1 syntax"]],
    ["  4      1     5       0    1", "  4      1     5       0", ["21:1 syntax"]],
    ["  4      1     5       0    1", "  4      1     x       0    1", ["21:1 syntax"]],
    ["    2    1\n", "    2\n", ["26:1 syntax"]],
    ["sink ):  5", "sink ):  6", ["2:1 syntax"]],
  ])("refuses a file in which %j is %j, at its line", (from, to, expected) => {
    const found = places(refused(house.replace(from, to)));
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(found.length).toBeLessThanOrEqual(6);
  });
});
