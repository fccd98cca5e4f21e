import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findConflicts } from "#kernel/plan/conflicts";
import { applyEdits } from "#kernel/plan/edit";
import { topologicalOrder } from "#kernel/plan/order";
import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { PathFinder } from "#kernel/plan/reachability";
import { plannedResourcesOf } from "#kernel/plan/resources";
import { validatePlan } from "#kernel/plan/validate";
import { dagArbitrary, planOfEdges } from "../../../support/kernel/plan-arbitrary";
import { planOf } from "../../../support/kernel/plan-of";
import { TEST_REGISTRY } from "../../../support/kernel/valid-plans";

const conflictsOf = (plan: Plan) => {
  const graph = graphOfPlan(plan);
  const order = topologicalOrder(graph);
  if (order === undefined) throw new Error("the plan has a cycle");
  return findConflicts(plan, new PathFinder(graph, order), TEST_REGISTRY);
};

const diagnosed = (plan: Plan) =>
  validatePlan(plan, { registry: TEST_REGISTRY }).diagnostics.filter(({ code }) => code === "resource_conflict");

describe("findConflicts", () => {
  const touching = dagArbitrary(9).chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.array(fc.tuple(fc.constantFrom("x", "y", "z"), fc.boolean()), { minLength: list.size, maxLength: list.size }),
    ),
  );

  it("C1 finds exactly the unordered pairs on one resource of which one writes", () => {
    fc.assert(
      fc.property(touching, ([list, touches]) => {
        const plan = planOfEdges(list);
        plan.tasks.forEach((task, index) => {
          const [resource, writes] = touches[index] as [string, boolean];
          if (writes) task.writes.push(resource);
          else task.reads.push(resource);
        });
        const graph = graphOfPlan(plan);
        const finder = new PathFinder(graph, topologicalOrder(graph) ?? new Int32Array());
        const expected: string[] = [];
        for (let a = 0; a < list.size; a++)
          for (let b = a + 1; b < list.size; b++) {
            const [one, other] = [touches[a], touches[b]] as [[string, boolean], [string, boolean]];
            if (one[0] !== other[0] || !(one[1] || other[1])) continue;
            if (!finder.hasPath(a, b) && !finder.hasPath(b, a)) expected.push(`${one[0]} ${a} ${b}`);
          }
        const found = conflictsOf(plan).conflicts.map(
          ({ resource, first, second }) => `${resource} ${Math.min(first, second)} ${Math.max(first, second)}`,
        );
        expect(found.sort()).toEqual(expected.sort());
      }),
      { numRuns: 300 },
    );
  });

  it("C2 each fix mends its conflict, and mending all leaves none and no cycle", () => {
    fc.assert(
      fc.property(touching, fc.boolean(), ([list, touches], lock) => {
        let plan = planOfEdges(list);
        plan.tasks.forEach((task, index) => {
          const [resource, writes] = touches[index] as [string, boolean];
          (writes ? task.writes : task.reads).push(resource);
        });
        for (let found = diagnosed(plan); found[0] !== undefined; found = diagnosed(plan)) {
          const fix = lock ? found[0].otherFixes?.[0] : found[0].fix;
          const mended = applyEdits(plan, fix?.edits ?? []);
          if (!mended.ok) throw new Error(mended.error.message);
          plan = mended.value.plan;
          expect(diagnosed(plan).length).toBeLessThan(found.length);
          expect(parsePlan(JSON.parse(JSON.stringify(plan))).ok).toBe(true);
        }
        expect(topologicalOrder(graphOfPlan(plan))).toBeDefined();
      }),
      { numRuns: 60 },
    );
  });

  it("C3 knows a resource by the arguments, and leaves to the run what another task will bring", () => {
    const plan = planOf([
      { id: "a", capability: "file.write", arguments: { path: "x.md", text: "${b#/text}" } },
      { id: "b", capability: "file.read", arguments: { path: { $literal: "y.md" } } },
      { id: "c", capability: "file.write", arguments: { path: "${b#/path}", text: "z" }, writes: ["queue"] },
      { id: "d", capability: "file.write", arguments: { path: "$${b}", text: "z" } },
    ]);
    const touched = plan.tasks.map((task) => plannedResourcesOf(task, TEST_REGISTRY.find(task.capability)));
    expect(touched).toEqual([
      { reads: [], writes: ["file:x.md"], unknown: [] },
      { reads: ["file:y.md"], writes: [], unknown: [] },
      { reads: [], writes: ["queue"], unknown: ["file:${path}"] },
      { reads: [], writes: ["file:${b}"], unknown: [] },
    ]);
  });

  it("C4 sees that the instances of one task write the same file, and that a pool keeps them apart", () => {
    const each = {
      id: "each",
      capability: "file.write",
      forEach: [1, 2],
      arguments: { path: "x.md", text: "${item}" },
    };
    expect(conflictsOf(planOf([each])).conflicts).toEqual([
      { resource: "file:x.md", first: 0, second: 0, kind: "write_write" },
    ]);
    expect(conflictsOf(planOf([{ ...each, uses: { one: 1 } }], { pools: { one: 1 } })).conflicts).toEqual([]);
    expect(conflictsOf(planOf([{ ...each, forEach: [1] }])).conflicts).toEqual([]);
    const own = { ...each, arguments: { path: "${item}.md", text: "x" } };
    expect(conflictsOf(planOf([own])).conflicts).toEqual([]);
  });

  it("C5 says where it did not look at every pair", () => {
    const tasks = Array.from({ length: 300 }, (_, index) => ({ id: `t${index}`, writes: ["one"] }));
    const { conflicts, complete } = conflictsOf(planOf(tasks));
    expect([conflicts.length, complete]).toEqual([299, false]);
  });
});
