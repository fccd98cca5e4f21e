import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanEdit } from "#kernel/plan/diagnostic";
import { diffPlans, isEmptyDiff } from "#kernel/plan/diff";
import { applyEdit, applyEdits } from "#kernel/plan/edit";
import { topologicalOrder } from "#kernel/plan/order";
import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { validatePlan } from "#kernel/plan/validate";
import { dagArbitrary, EDGE_FORMS, planOfEdges } from "../../../support/kernel/plan-arbitrary";
import { planOf } from "../../../support/kernel/plan-of";

const planArbitrary = fc
  .tuple(dagArbitrary(6), fc.array(fc.constantFrom(...EDGE_FORMS), { minLength: 1, maxLength: 5 }))
  .map(
    ([list, forms]): Plan => ({
      ...planOfEdges(list, forms),
      completion: [
        { check: "json_schema", task: "t0" as never, schema: {} },
        { check: "predicate", when: { any: [{ status: "t1", is: "failed" }, { value: "${t2}" }] } },
        { check: "capability", capability: "test.echo", arguments: { value: [{ $output: "t0" }] } },
      ],
    }),
  );

const name = fc.constantFrom("t0", "t1", "t2", "t3", "t4", "t5", "t9", "new", "item", "bad id");
const task = name.map(
  (id) =>
    planOf([{ id: "x", arguments: { value: "${t0}" }, dependsOn: ["t1"] as never }]).tasks.map((made) => ({
      ...made,
      id: id as typeof made.id,
    }))[0] as Plan["tasks"][number],
);
const position = fc.option(fc.record({ x: fc.integer(), y: fc.integer() }));
const editArbitrary: fc.Arbitrary<PlanEdit> = fc.oneof(
  fc.record({ type: fc.constant("add_task" as const), index: fc.integer({ min: -1, max: 8 }), task }),
  fc.record({ type: fc.constant("remove_task" as const), taskId: name }),
  fc.record({ type: fc.constant("replace_task" as const), taskId: name, task }),
  task.map((made) => ({ type: "replace_task" as const, taskId: made.id, task: { ...made, title: undefined } })),
  fc.record({ type: fc.constant("rename_task" as const), taskId: name, newId: name }),
  fc.record({ type: fc.constant("add_dependency" as const), taskId: name, dependsOn: name }),
  fc.record({ type: fc.constant("add_dependency" as const), taskId: name, dependsOn: name, index: fc.nat(3) }),
  fc.record({ type: fc.constant("remove_dependency" as const), taskId: name, dependsOn: name }),
  fc.record({
    type: fc.constant("set_pool" as const),
    pool: fc.constantFrom("gpu", "__proto__"),
    units: fc.constantFrom(1, 2, 0, null),
  }),
  fc.record({ type: fc.constant("move_tasks" as const), positions: fc.dictionary(name, position) }),
);

describe("applyEdit", () => {
  it("E1 an edit and then its inverse give back exactly the plan from before", () => {
    fc.assert(
      fc.property(planArbitrary, editArbitrary, (plan, edit) => {
        const before = JSON.stringify(plan);
        const edited = applyEdit(plan, edit);
        expect(JSON.stringify(plan)).toBe(before);
        if (!edited.ok) return;
        const back = applyEdit(edited.value.plan, edited.value.inverse);
        expect(back.ok && back.value.plan).toEqual(plan);
        const again = back.ok ? applyEdit(back.value.plan, back.value.inverse) : back;
        expect(again.ok && again.value.plan).toEqual(edited.value.plan);
      }),
      { numRuns: 1_000 },
    );
  });

  it("E2 a hundred edits undone one by one give back the first plan", () => {
    fc.assert(
      fc.property(planArbitrary, fc.array(editArbitrary, { maxLength: 100, size: "max" }), (first, edits) => {
        let plan = first;
        const undo: PlanEdit[] = [];
        for (const edit of edits) {
          const edited = applyEdit(plan, edit);
          if (!edited.ok) continue;
          plan = edited.value.plan;
          undo.push(edited.value.inverse);
        }
        for (const inverse of undo.toReversed()) {
          const undone = applyEdit(plan, inverse);
          if (!undone.ok) throw new Error(undone.error.message);
          plan = undone.value.plan;
        }
        expect(plan).toEqual(first);
      }),
      { numRuns: 100 },
    );
  });

  it("E2 a renaming away from “item” can be undone in a plan with a fan-out, where nothing may be renamed to it", () => {
    const first = planOf([{ id: "list" }, { id: "item" }, { id: "each", forEach: { $output: "list#/value" } }]);
    const renamed = applyEdit(first, { type: "rename_task", taskId: "item", newId: "other" });
    const back = renamed.ok ? applyEdit(renamed.value.plan, renamed.value.inverse) : renamed;
    expect(back.ok && back.value.plan).toEqual(first);
  });

  it("E3 whatever is edited, the plan still opens, and no edge is drawn into a cycle", () => {
    fc.assert(
      fc.property(planArbitrary, fc.array(editArbitrary, { maxLength: 30 }), (first, edits) => {
        let plan = first;
        for (const edit of edits) {
          const wasAcyclic = topologicalOrder(graphOfPlan(plan)) !== undefined;
          const edited = applyEdit(plan, edit);
          if (!edited.ok) continue;
          plan = edited.value.plan;
          if (edit.type === "add_dependency" && wasAcyclic) {
            expect(topologicalOrder(graphOfPlan(plan))).toBeDefined();
          }
        }
        expect(parsePlan(JSON.parse(JSON.stringify(plan))).ok).toBe(true);
        validatePlan(plan);
      }),
      { numRuns: 200 },
    );
  });

  it("E4 renames every reference to a task, nested and quoted, and nothing that only looks alike", () => {
    const plan = planOf(
      [
        { id: "set" },
        { id: "set1" },
        {
          id: "user",
          dependsOn: ["set", "set1"] as never,
          arguments: {
            text: "set ${set} ${set1#/v} $${set} 'set' ${set#/set}",
            "key ${set}": [{ deep: { $output: "set#/set" } }, { $output: "set1", default: { $output: "set" } }],
            literal: { $literal: { $output: "set" } },
            set: "set",
          },
          when: {
            all: [
              { status: "set", is: "succeeded" },
              { value: { $output: "set" }, equals: "${set}" },
            ],
          } as never,
          forEach: { $output: "set#/list" },
        },
      ],
      { completion: [{ check: "json_schema", task: "set", schema: { const: "set" } }] as never },
    );
    const renamed = applyEdit(plan, { type: "rename_task", taskId: "set", newId: "x" });
    if (!renamed.ok) throw new Error(renamed.error.message);
    const [first, second, user] = renamed.value.plan.tasks;
    expect([first?.id, second?.id]).toEqual(["x", "set1"]);
    expect(user).toMatchObject({
      dependsOn: ["x", "set1"],
      arguments: {
        text: "set ${x} ${set1#/v} $${set} 'set' ${x#/set}",
        "key ${x}": [{ deep: { $output: "x#/set" } }, { $output: "set1", default: { $output: "x" } }],
        literal: { $literal: { $output: "set" } },
        set: "set",
      },
      when: {
        all: [
          { status: "x", is: "succeeded" },
          { value: { $output: "x" }, equals: "${x}" },
        ],
      },
      forEach: { $output: "x#/list" },
    });
    expect(renamed.value.plan.completion).toEqual([{ check: "json_schema", task: "x", schema: { const: "set" } }]);
    const back = applyEdit(renamed.value.plan, renamed.value.inverse);
    expect(JSON.stringify(back.ok && back.value.plan)).toBe(JSON.stringify(plan));
  });

  it("E5 leaves the item of a list alone when a task named item is renamed", () => {
    const plan = planOf([
      { id: "item" },
      { id: "each", forEach: { $output: "item" }, arguments: { value: "${item}" } },
      { id: "one", arguments: { value: "${item}" } },
    ]);
    const renamed = applyEdit(plan, { type: "rename_task", taskId: "item", newId: "list" });
    expect(renamed.ok && renamed.value.plan.tasks.slice(1)).toMatchObject([
      { forEach: { $output: "list" }, arguments: { value: "${item}" } },
      { arguments: { value: "${list}" } },
    ]);
  });

  it.each<[string, PlanEdit]>([
    ["duplicate_task_id", { type: "rename_task", taskId: "a", newId: "b" }],
    ["task_id_invalid", { type: "rename_task", taskId: "a", newId: "a b" }],
    ["task_id_invalid", { type: "rename_task", taskId: "a", newId: "__proto__" }],
    ["reference_missing_task", { type: "remove_task", taskId: "nobody" }],
    ["self_dependency", { type: "add_dependency", taskId: "a", dependsOn: "a" }],
    ["missing_dependency", { type: "add_dependency", taskId: "a", dependsOn: "nobody" }],
    ["redundant_edge", { type: "add_dependency", taskId: "b", dependsOn: "a" }],
    ["cycle", { type: "add_dependency", taskId: "a", dependsOn: "c" }],
  ])("E6 refuses what nobody can mean: %s", (code, edit) => {
    const plan = planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] as never }, { id: "c", arguments: { v: "${b}" } }]);
    const edited = applyEdit(plan, edit);
    expect(edited.ok ? "applied" : edited.error.code).toBe(code);
    if (!edited.ok && code === "cycle") expect(edited.error.message).toContain("“a” → “b” → “c” → “a”");
  });

  it("E7 takes the edges of a removed task along and gives them back with it", () => {
    const plan = planOf([
      { id: "a" },
      { id: "b", dependsOn: ["a"] as never },
      { id: "c", dependsOn: ["b", "a"] as never, arguments: { v: "${b}" } },
    ]);
    const edited = applyEdit(plan, { type: "remove_task", taskId: "b" });
    if (!edited.ok) throw new Error(edited.error.message);
    expect(edited.value.plan.tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ["a", []],
      ["c", ["a"]],
    ]);
    const problems = validatePlan(edited.value.plan).diagnostics.filter(({ severity }) => severity === "error");
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["reference_missing_task", "/tasks/1/arguments/v"],
    ]);
  });

  it("applies several edits or none", () => {
    const plan = planOf([{ id: "a" }, { id: "b" }]);
    const good: PlanEdit = { type: "add_dependency", taskId: "b", dependsOn: "a" };
    const both = applyEdits(plan, [good, { type: "rename_task", taskId: "a", newId: "z" }]);
    if (!both.ok) throw new Error(both.error.message);
    expect(both.value.plan.tasks[1]?.dependsOn).toEqual(["z"]);
    const back = applyEdits(both.value.plan, both.value.inverse);
    expect(back.ok && back.value.plan).toEqual(plan);
    expect(applyEdits(plan, [good, good]).ok).toBe(false);
  });
});

describe("diffPlans", () => {
  it("D1 sorts every task into added, removed, changed or kept, and finds nothing between equals", () => {
    fc.assert(
      fc.property(planArbitrary, fc.array(editArbitrary, { maxLength: 6 }), (before, edits) => {
        let after = before;
        for (const edit of edits) {
          const edited = applyEdit(after, edit);
          if (edited.ok) after = edited.value.plan;
        }
        const diff = diffPlans(before, after);
        const ids = (plan: Plan) => plan.tasks.map(({ id }) => id as string).sort();
        const changed = diff.changed.map(({ taskId }) => taskId);
        expect([...diff.kept, ...changed, ...diff.removed].sort()).toEqual(ids(before));
        expect([...diff.kept, ...changed, ...diff.added].sort()).toEqual(ids(after));
        expect(isEmptyDiff(diffPlans(after, JSON.parse(JSON.stringify(after)) as Plan))).toBe(true);
        const reverse = diffPlans(after, before);
        expect(new Set(reverse.added)).toEqual(new Set(diff.removed));
        expect(reverse.changed.length).toBe(diff.changed.length);
      }),
      { numRuns: 300 },
    );
  });

  it("D2 names what changed in a task by place, with the old and the new value", () => {
    const before = planOf([{ id: "a", title: "A", arguments: { words: 120, list: [1, 2], gone: true } }, { id: "b" }]);
    const after = planOf(
      [
        { id: "b", position: { x: 1, y: 2 } },
        { id: "a", arguments: { words: 90, list: [1, 3], new: null } },
      ],
      { budgets: { toolCalls: 2 } },
    );
    expect(diffPlans(before, after)).toEqual({
      added: [],
      removed: [],
      kept: ["b"],
      changed: [
        {
          taskId: "a",
          fields: [
            { pointer: "/title", before: "A" },
            { pointer: "/arguments/words", before: 120, after: 90 },
            { pointer: "/arguments/list/1", before: 2, after: 3 },
            { pointer: "/arguments/gone", before: true },
            { pointer: "/arguments/new", after: null },
          ],
        },
      ],
      planFields: [{ pointer: "/budgets", after: { toolCalls: 2 } }],
    });
  });
});
