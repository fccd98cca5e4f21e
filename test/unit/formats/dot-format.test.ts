import { describe, expect, it } from "vitest";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

describe("DOT", () => {
  it("reads chains, ports, subgraphs at both ends, joined texts, HTML labels and reversed edges", () => {
    const plan = imported(planFixture("release.dot"));
    expect(plan.plan.name).toBe("Release the second");
    expect(edges(plan)).toEqual([
      "7>announce",
      "build>lint",
      "build>release",
      "build>unit-tests",
      "lint>announce",
      "lint>release",
      "report>announce",
      "unit-tests>release",
      "unit-tests>report",
    ]);
    const titles = new Map(plan.plan.tasks.map((task): [string, string | undefined] => [task.id, task.title]));
    expect(titles.get("build")).toBe("Build it and sign it");
    expect(titles.get("unit-tests")).toBe("unit tests");
    expect(titles.get("announce")).toBe("Say so");
    expect(plan.plan.tasks.find((task) => task.id === "release")?.notes).toBe(
      'After "unit tests": green!\nAfter "lint": green!',
    );
    expect(places(plan.diagnostics)).toEqual(["7:14 not_carried_over"]);
    expect(plan.report.notes.join(" ")).toMatch(/1 cluster dissolved.*1 invisible edge left out/s);
    expect(plan.report.placeholders).toEqual([{ capability: "drawn.step", tool: "drawn.step", tasks: 7 }]);
  });

  it("reads durations in labels as waits", () => {
    const { plan } = imported('digraph { 1 [label="1 (0)"] 2 [label="2 (4.5)"] 1 -> 2 }');
    expect(plan.tasks[1]).toMatchObject({
      capability: "wait.sleep",
      estimate: { seconds: 4.5 },
      arguments: { seconds: 4.5 },
    });
  });

  it("reads an undirected graph from left to right and says so", () => {
    const plan = imported("graph { a -- b -- c }");
    expect(edges(plan)).toEqual(["a>b", "b>c"]);
    expect(places(plan.diagnostics)).toEqual(["1:14 not_carried_over"]);
  });

  it.each([
    ["digraph {\n a -> -> b }", "2:7 syntax"],
    ['digraph { a [label="x }', "1:20 syntax"],
    ["digraph { a -> b", "1:17 syntax"],
    ["digraph { a -- b }", "1:13 syntax"],
    ["digraph {} digraph {}", "1:12 syntax"],
    ["digraph { a ! b }", "1:13 syntax"],
    ["digraph { /* a }", "1:11 syntax"],
    ["digraph { }", "1:1 schema"],
    [`digraph ${"{".repeat(200)}`, "1:74 limit_exceeded"],
  ])("%s is refused at its place", (text, place) => {
    expect(places(refused(text))).toEqual([place]);
  });

  it("refuses edges that two small groups multiply to more than a plan may have", () => {
    const group = (letter: string) => `{ ${Array.from({ length: 1_100 }, (_, index) => letter + index).join(" ")} }`;
    expect(places(refused(`digraph { ${group("a")} ->\n${group("b")} }`))).toEqual(["2:1 limit_exceeded"]);
  });

  it("lets no name reach a prototype", () => {
    expect(edges(imported('digraph { "__proto__" -> constructor -> toString }'))).toEqual([
      "constructor>toString",
      "proto__>constructor",
    ]);
  });
});
