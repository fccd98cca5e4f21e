import { describe, expect, it } from "vitest";
import { validatePlan } from "#kernel/plan/validate";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

const drawn = (body: string) => imported(`flowchart LR\n${body}`);

describe("Mermaid", () => {
  it("reads shapes, chains, groups, words on links and settings, and leaves out what only looks", () => {
    const plan = imported(planFixture("release.mmd"));
    expect(plan.plan.name).toBe("Release the second");
    expect(edges(plan)).toEqual([
      "archive>announce",
      "build>lint",
      "build>unit-tests",
      "lint>release",
      "release>announce",
      "release>archive",
      "report>release",
      "unit-tests>report",
    ]);
    expect(plan.plan.tasks.map(({ id, title }) => [id, title])).toEqual([
      ["build", 'Build it and "sign" it'],
      ["unit-tests", "Unit tests"],
      ["lint", "Lint"],
      ["report", "Report"],
      ["release", "Release"],
      ["announce", "Say so"],
      ["archive", undefined],
    ]);
    expect(plan.plan.tasks[5]?.notes).toBe('After "Release": tell');
    expect(places(plan.diagnostics)).toEqual([
      "15:10 not_carried_over",
      "19:11 not_carried_over",
      "8:14 not_carried_over",
    ]);
    expect(plan.report.notes.join(" ")).toMatch(/1 subgraph dissolved.*1 invisible link left out/s);
  });

  it("reads a diagram in a Markdown fence", () => {
    expect(edges(imported("```mermaid\ngraph TD\n  a --> b\n```\n"))).toEqual(["a>b"]);
  });

  it("draws a loop and marks it at its line", () => {
    const { plan, locate } = drawn("a --> b\nb --> c\nc --> a");
    const [problem] = validatePlan(plan).diagnostics.filter(({ severity }) => severity === "error");
    expect(problem?.code).toBe("cycle");
    expect(locate([problem?.pointer ?? ""]).get(problem?.pointer ?? "")?.line).toBeGreaterThan(1);
  });

  it.each([
    ["a-->b", "a>b"],
    ["a--->b", "a>b"],
    ["a==>b", "a>b"],
    ["a-.->b", "a>b"],
    ["a-..->b", "a>b"],
    ["a --o b", "a>b"],
    ["a --x b", "a>b"],
    ["a <--- b", "b>a"],
    ["a-- x --> b", "a>b"],
    ["a == x ==> b", "a>b"],
    ["a -. x .-> b", "a>b"],
    ["a --> b;a --> b", "a>b"],
    ["a-b --> b_c", "a-b>b_c"],
    ["style --> class", "style>class"],
    ["a --> b %% why", "a>b"],
    ['a["x --> y; [z]"] --> b', "a>b"],
    ["__proto__ --> constructor", "proto__>constructor"],
  ])("%s is one edge", (text, edge) => {
    expect(edges(drawn(text))).toEqual([edge]);
  });

  it.each([
    ["flowchart LR\n a --> ", "2:8 syntax"],
    ["flowchart LR\n a[open\n b", "2:3 syntax"],
    ['flowchart LR\n a["open] --> b', "2:4 syntax"],
    ["flowchart LR\n a -- words\n b", "2:4 syntax"],
    ["flowchart LR\n a b", "2:4 syntax"],
    ["flowchart LR\n subgraph x\n a", "2:2 syntax"],
    ["flowchart LR\n end", "2:2 syntax"],
    ["flowchart LR\n a@{ label: x", "2:3 syntax"],
    ["flowchart LR\n", "1:1 schema"],
    ["sequenceDiagram\n a->>b: hi", "1:1 schema"],
    [`flowchart LR\n${"subgraph x\n".repeat(100)}`, "66:1 limit_exceeded"],
  ])("%j is refused at its place", (text, place) => {
    expect(places(refused(text))).toEqual([place]);
  });

  it("refuses links that two small groups multiply to more than a plan may have", () => {
    const group = (letter: string) => Array.from({ length: 1_100 }, (_, index) => letter + index).join(" & ");
    expect(places(refused(`graph LR\n${group("a")} --> ${group("b")}`))[0]).toMatch(/^2:\d+ limit_exceeded$/);
  });
});
