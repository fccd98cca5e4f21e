import { describe, expect, it } from "vitest";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

describe("native JSON", () => {
  it("reads a plan and finds its reference edges", () => {
    const plan = imported(planFixture("brief.json"));
    expect(plan.report).toMatchObject({ format: "planwright", tasks: 4 });
    expect(edges(plan)).toEqual(["summary-a>synthesis", "summary-b>synthesis", "summary-c>synthesis"]);
  });

  it("reads the same plan behind a byte order mark and with CRLF line ends", () => {
    const text = planFixture("brief.json");
    expect(imported(`\uFEFF${text.replaceAll("\n", "\r\n")}`).plan).toEqual(imported(text).plan);
  });

  it("places every problem of form at its line and column", () => {
    const text = `{
  "format": "planwright/v1",
  "name": "x",
  "tasks": [
    { "id": "a b", "capability": "test.echo" },
    { "id": "b", "capability": "test.echo", "approved": true }
  ]
}`;
    expect(places(refused(text))).toEqual(["5:13 task_id_invalid", "6:57 schema"]);
  });

  it("refuses a plan without tasks", () => {
    const [problem] = refused('{"format":"planwright/v1","name":"x",\n"tasks":[]}');
    expect(problem).toMatchObject({ code: "schema", pointer: "/tasks", line: 2, column: 9 });
  });

  it("locates a place of the plan in the source afterwards", () => {
    const { locate } = imported(planFixture("brief.json"));
    expect(locate(["/tasks/3/arguments/heading"]).get("/tasks/3/arguments/heading")).toEqual({ line: 18, column: 20 });
  });
});

describe("native YAML", () => {
  it("reads a plan", () => {
    const plan = imported(planFixture("diamond.yaml"));
    expect(edges(plan)).toEqual(["A>B", "A>C", "B>D", "C>D"]);
  });

  it("reads a flow mapping when the file is named as YAML", () => {
    const text = "{format: planwright/v1, name: x, tasks: [{id: a, capability: test.echo}]}";
    expect(imported(text, "plan.yaml").plan.tasks).toHaveLength(1);
    expect(places(refused(text, "plan.json"))).toEqual(["1:2 syntax"]);
  });

  it("places every problem of form at its line and column", () => {
    const text =
      "format: planwright/v1\nname: x\ntasks:\n  - id: a\n    capability: test.echo\n    estimate: { seconds: soon }\n";
    expect(places(refused(text))).toEqual(["6:26 schema"]);
  });

  it("writes anchors out and refuses one within itself", () => {
    const head = "format: planwright/v1\nname: x\ntasks:\n  - id: a\n    capability: test.echo\n";
    const plan = imported(`${head}    arguments: { value: &v [1, 2], again: *v }\n`).plan;
    expect(plan.tasks[0]?.arguments).toEqual({ value: [1, 2], again: [1, 2] });
    expect(places(refused(`${head}    arguments: &v { value: *v }\n`))).toEqual(["6:28 syntax"]);
  });

  it("keeps keys such as __proto__ as data", () => {
    const head = "format: planwright/v1\nname: x\ntasks:\n  - id: a\n    capability: test.echo\n";
    const plan = imported(`${head}    arguments: { __proto__: { polluted: 1 }, constructor: 2 }\n`).plan;
    expect(Object.keys(plan.tasks[0]?.arguments ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});
