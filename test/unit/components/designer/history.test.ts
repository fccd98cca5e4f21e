import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanEdit } from "#kernel/plan/diagnostic";
import { type Plan, planSchema } from "#kernel/plan/plan";
import { createDesignerStore } from "../../../../components/designer/designer-store";
import { closeGesture, perform, redo, startHistory, undo } from "../../../../components/designer/history";
import {
  addTask,
  connect,
  copyTasks,
  moveTasks,
  pasteTasks,
  removeSelected,
  renameTask,
  replaceTask,
} from "../../../../components/designer/plan-gestures";

const START: Plan = planSchema.parse({
  format: "planwright/v1",
  name: "three summaries",
  tasks: [
    { id: "a", capability: "test.echo", arguments: { value: 1 } },
    { id: "b", capability: "test.echo", arguments: { value: { $output: "a#/value" } }, dependsOn: ["a"] },
    { id: "c", capability: "text.template", arguments: { template: "Got ${b#/value} of ${a}" }, dependsOn: ["a", "b"] },
  ],
});

type Gesture =
  | { readonly type: "add"; readonly after: number }
  | { readonly type: "connect" | "disconnect"; readonly from: number; readonly to: number }
  | { readonly type: "remove" | "duplicate"; readonly at: number; readonly also: number }
  | { readonly type: "rename" | "retitle" | "move"; readonly at: number; readonly text: string };

const index = fc.nat(20);
const gesture: fc.Arbitrary<Gesture> = fc.oneof(
  fc.record({ type: fc.constant("add" as const), after: index }),
  fc.record({ type: fc.constantFrom("connect" as const, "disconnect" as const), from: index, to: index }),
  fc.record({ type: fc.constantFrom("remove" as const, "duplicate" as const), at: index, also: index }),
  fc.record({
    type: fc.constantFrom("rename" as const, "retitle" as const, "move" as const),
    at: index,
    text: fc.constantFrom("x", "y", "step-1", "long.name_2"),
  }),
);

function requestFor(plan: Plan, step: Gesture) {
  const task = (at: number) => plan.tasks[at % plan.tasks.length];
  switch (step.type) {
    case "add": {
      const after = task(step.after)?.id;
      return addTask(plan, { capability: "test.echo", ...(after === undefined ? {} : { after }) });
    }
    case "connect":
      return connect(task(step.from)?.id ?? "", task(step.to)?.id ?? "");
    case "disconnect":
      return removeSelected(plan, new Set(), [{ from: task(step.from)?.id ?? "", to: task(step.to)?.id ?? "" }]);
    case "remove":
      return removeSelected(plan, new Set([task(step.at)?.id ?? "", task(step.also)?.id ?? ""]), []);
    case "duplicate":
      return pasteTasks(
        plan,
        copyTasks(plan, new Set([task(step.at)?.id ?? "", task(step.also)?.id ?? ""])),
        new Map(),
      );
    case "rename":
      return renameTask(task(step.at)?.id ?? "", step.text);
    case "retitle": {
      const old = task(step.at);
      return old === undefined ? undefined : replaceTask({ ...old, title: step.text }, "Title", `title ${old.id}`);
    }
    case "move":
      return moveTasks(new Map([[task(step.at)?.id ?? "", { x: step.text.length, y: 2 }]]));
  }
}

describe("history", () => {
  it("undoes any gestures back to exactly the first plan, and redoes them to exactly the last", () => {
    fc.assert(
      fc.property(fc.array(gesture, { maxLength: 25 }), (steps) => {
        let history = startHistory(START);
        for (const step of steps) {
          const request = requestFor(history.plan, step);
          if (request === undefined) continue;
          const result = perform(history, request);
          if (result.ok) history = result.value;
        }
        const last = history.plan;
        const gestures = history.past.length;
        for (let count = 0; count < gestures; count++) history = undo(history);
        expect(history.plan).toEqual(START);
        expect(history.past).toHaveLength(0);
        for (let count = 0; count < gestures; count++) history = redo(history);
        expect(history.plan).toEqual(last);
      }),
      { numRuns: 60 },
    );
  });

  it("makes one entry of what is typed into one field, and a new one after it was left", () => {
    const task = START.tasks[0];
    if (task === undefined) throw new Error("the plan has tasks");
    let history = startHistory(START);
    const type = (title: string) => {
      const result = perform(history, replaceTask({ ...task, title }, "Title", "title a"));
      if (result.ok) history = result.value;
    };
    type("S");
    type("Su");
    type("Sum");
    expect(history.past).toHaveLength(1);
    history = closeGesture(history);
    type("Summary");
    expect(history.past).toHaveLength(2);
    history = undo(history);
    expect(history.plan.tasks[0]?.title).toBe("Sum");
    expect(undo(history).plan).toEqual(START);
  });

  it("does all of a gesture or nothing", () => {
    const edits: readonly PlanEdit[] = [
      { type: "remove_task", taskId: "c" },
      { type: "remove_task", taskId: "nobody" },
    ];
    const result = perform(startHistory(START), { label: "Delete", edits });
    expect(result.ok).toBe(false);
  });
});

describe("designer store", () => {
  it("refuses an edge that closes a cycle, says the path, and leaves the plan alone", () => {
    const store = createDesignerStore({ plan: START });
    expect(store.getState().actions.edit(connect("c", "a"))).toBe(false);
    expect(store.getState().history.plan).toBe(START);
    expect(store.getState().notice?.text).toMatch(/a.*b.*c|a.*c/);
  });

  it("lets go of a selected task that undo takes away", () => {
    const store = createDesignerStore({ plan: START });
    const { actions } = store.getState();
    actions.edit(addTask(START, { capability: "test.echo" }));
    expect(store.getState().selection.tasks.size).toBe(1);
    actions.undo();
    expect(store.getState().selection.tasks.size).toBe(0);
    expect(store.getState().history.plan).toEqual(START);
  });

  it("pastes copies whose references lead to the copies", () => {
    const store = createDesignerStore({ plan: START });
    store.getState().actions.edit(pasteTasks(START, copyTasks(START, new Set(["b", "c"])), new Map()));
    const copy = store.getState().history.plan.tasks.find((task) => task.id === "c-2");
    expect(copy?.arguments).toEqual({ template: "Got ${b-2#/value} of ${a}" });
    expect(copy?.dependsOn).toEqual(["a", "b-2"]);
  });
});
