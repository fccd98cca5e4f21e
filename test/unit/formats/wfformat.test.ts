import { describe, expect, it } from "vitest";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

describe("WfFormat", () => {
  it("reads structure, run times, files and command lines of version 1.5", () => {
    const plan = imported(planFixture("pipeline.wfformat.json"));
    expect(edges(plan)).toEqual(["measure_2>merge-4", "measure_3>merge-4", "split_1>measure_2", "split_1>measure_3"]);
    expect(plan.plan.tasks[0]).toMatchObject({
      id: "split_1",
      title: "split",
      capability: "wait.sleep",
      arguments: { seconds: 2.5 },
      estimate: { seconds: 2.5 },
      reads: ["file:in.dat"],
      writes: ["file:part.a", "file:part.b"],
      notes: "split -n 2 in.dat",
    });
  });

  it("rewrites an id that breaks the grammar and keeps it as the title", () => {
    const plan = imported(planFixture("pipeline.wfformat.json"));
    expect(plan.plan.tasks[3]).toMatchObject({ id: "merge-4", title: "merge 4" });
    expect(plan.report.renamed).toEqual([{ from: "merge 4", to: "merge-4" }]);
  });

  it("reads older versions, where parents go by name", () => {
    const plan = imported(planFixture("pipeline.wfformat-1.3.json"));
    expect(edges(plan)).toEqual(["ID01>ID02", "ID01>ID03", "ID02>ID04", "ID03>ID04"]);
    expect(plan.plan.tasks[0]).toMatchObject({ title: "split_1", estimate: { seconds: 2.5 }, reads: ["file:in.dat"] });
    const oldest = planFixture("pipeline.wfformat-1.3.json")
      .replace('"tasks"', '"jobs"')
      .replaceAll(/"id": "ID\d\d", /g, "");
    expect(edges(imported(oldest))).toEqual([
      "measure_2>merge_4",
      "measure_3>merge_4",
      "split_1>measure_2",
      "split_1>measure_3",
    ]);
  });

  it("keeps an edge that only the children say, and says so", () => {
    const text = planFixture("pipeline.wfformat.json").replace(
      '"parents": ["measure_2", "measure_3"]',
      '"parents": ["measure_2"]',
    );
    const plan = imported(text);
    expect(edges(plan)).toContain("measure_3>merge-4");
    expect(places(plan.diagnostics)).toEqual(["10:86 not_carried_over"]);
  });

  it("keeps a parent that is not there and locates it", () => {
    const text = planFixture("pipeline.wfformat.json").replace(
      '"parents": ["measure_2", "measure_3"]',
      '"parents": ["gone", "measure_3"]',
    );
    const { plan, locate } = imported(text);
    const at = plan.tasks[3]?.dependsOn.indexOf("gone" as never) ?? -1;
    expect(locate([`/tasks/3/dependsOn/${at}`]).get(`/tasks/3/dependsOn/${at}`)).toEqual({ line: 11, column: 57 });
  });

  it("assumes a second where no run time was recorded, and says so", () => {
    const plan = imported(
      '{"schemaVersion":"1.5","workflow":{"specification":{"tasks":[{"id":"a","name":"a","parents":[]}]}}}',
    );
    expect(plan.plan.tasks[0]).toMatchObject({ arguments: { seconds: 1 } });
    expect(plan.plan.tasks[0]).not.toHaveProperty("estimate");
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(["not_carried_over"]);
  });

  it.each([
    ['{"schemaVersion":"1.5","workflow":{}}', ["1:1 schema"]],
    ['{"schemaVersion":"1.5","workflow":{"specification":{"tasks":[]}}}', ["1:1 schema"]],
    ['{"workflow":{"specification":{"tasks":[{"id":7}]}}}', ["1:46 schema"]],
    ['{"workflow":{"tasks":[{"name":"a"},{"name":"a"}]}}', ["1:36 duplicate_task_id"]],
    ['{"workflow":{"tasks":[{"name":"a","runtime":-1}]}}', ["1:45 schema"]],
  ])("refuses %s", (text, expected) => {
    expect(places(refused(text))).toEqual(expected);
  });
});
