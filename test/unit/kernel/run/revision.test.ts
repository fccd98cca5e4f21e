import { describe, expect, it } from "vitest";
import type { Plan } from "#kernel/plan/plan";
import type { NewRunEvent } from "#kernel/run/event";
import type { GateState } from "#kernel/run/state";
import { FAILURE, ModelRun } from "../../../support/model-run";
import { CAPABILITIES, person, planOf } from "../../../support/run-fixture";

const revised = (plan: Plan, revision = 2): NewRunEvent => ({
  type: "plan_revised",
  at: 0,
  revision,
  reason: "dependency_failed_alternative_exists",
  triggerSeq: 3,
  by: "planner",
  plan,
  capabilities: [...CAPABILITIES],
  diff: { added: [], removed: [], changed: [], kept: [], planFields: [] },
});

const approval = (gate: GateState | undefined): NewRunEvent => ({
  type: "approval_decided",
  at: 0,
  gateId: gate?.request.gateId ?? ("" as never),
  decision: "approve",
  by: person("ada"),
  argumentsHash: gate?.request.argumentsHash ?? "",
});

describe("R14 revisions", () => {
  it("keeps what has ended, takes out what is unfinished and not in the new plan, and runs the alternative", () => {
    const run = new ModelRun(
      planOf([
        { id: "a" },
        { id: "b", dependsOn: ["a"], onFailure: "block_dependents" },
        { id: "c", dependsOn: ["b"] },
        { id: "d", dependsOn: ["c"] },
      ]),
    ).decide();
    run.answer("a").answer("b", FAILURE);
    expect(run.statusOf("c")).toBe("blocked");
    run
      .append(
        revised(
          planOf([
            { id: "b2", dependsOn: ["a"] },
            { id: "c", dependsOn: ["b2"], arguments: { value: { $output: "a" } } },
          ]),
        ),
      )
      .decide();
    expect(run.state.tasks.get("d")).toMatchObject({ status: "cancelled", removedInRevision: 2 });
    expect(run.statusOf("c")).toBe("pending");
    expect(run.calls.has("b2")).toBe(true);
    expect(run.state.graph?.ids).toEqual(["a", "b", "b2", "c"]);
    run.answer("b2").answer("c");
    expect(run.statusOf("a")).toBe("succeeded");
    expect(run.state.tasks.get("b")).toMatchObject({ status: "failed", addedInRevision: 1 });
    expect(run.state.tasks.get("b2")?.addedInRevision).toBe(2);
    expect(run.state.revisions).toHaveLength(2);
  });

  it("keeps a running task that is still in the plan and aborts one that is not", () => {
    const run = new ModelRun(planOf([{ id: "a" }, { id: "b" }])).decide();
    run.append(revised(planOf([{ id: "a" }, { id: "c" }]))).decide();
    expect(run.aborted).toEqual(["b"]);
    expect(run.state.tasks.get("b")).toMatchObject({ status: "cancelled", cause: { code: "removed_by_revision" } });
    expect(run.statusOf("a")).toBe("dispatched");
    run.answer("a").answer("c");
    expect(run.state.outcome).toBe("completed");
  });

  it("does not let an approval of an earlier definition run anything", () => {
    const signed = planOf([{ id: "a", approval: {} }]);
    const run = new ModelRun(signed).decide();
    const [first] = run.state.gates.values();
    run.append(revised(planOf([{ id: "a", approval: {}, arguments: { value: 2 } }]))).decide();
    expect(first?.status).toBe("superseded");
    const open = [...run.state.gates.values()].filter((gate) => gate.status === "open");
    expect(open).toHaveLength(1);
    expect(open[0]?.request).toMatchObject({ revision: 2, arguments: { value: 2 } });
    run.append(approval(first)).decide();
    expect(run.calls.size).toBe(0);
  });

  it("leaves the approval of a task that it does not change valid, asked for or given", () => {
    const plan = planOf([{ id: "a", approval: {} }, { id: "b", approval: {} }, { id: "c" }], { maxParallel: 1 });
    const run = new ModelRun(plan).decide();
    const [first, second] = run.state.gates.values();
    run.append(approval(first)).decide();
    const [a, b] = plan.tasks;
    run
      .append(revised({ ...plan, tasks: [a, b, ...planOf([{ id: "c" }, { id: "d" }]).tasks] as Plan["tasks"] }))
      .decide();
    expect(run.state.gates.size).toBe(2);
    expect([first?.status, second?.status]).toEqual(["approved", "open"]);
    run.append(approval(second)).decide().answer("c");
    run.answer("a").answer("b").answer("d");
    expect(run.state.outcome).toBe("completed");
  });

  it("cannot make a task that has ended run again", () => {
    const run = new ModelRun(planOf([{ id: "a" }, { id: "b" }])).decide().answer("a", FAILURE);
    run.append(revised(planOf([{ id: "a" }, { id: "b" }]))).decide();
    expect(run.statusOf("a")).toBe("failed");
    expect(run.dispatched.filter((id) => id === "a")).toHaveLength(1);
  });

  it("grows by one task at a time while a plan is streamed", () => {
    const [first, second] = planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }]).tasks;
    const run = new ModelRun(planOf([{ id: "x" }])).decide();
    if (first && second)
      run.append({ type: "task_added", at: 0, task: first }, { type: "task_added", at: 0, task: second });
    run.decide();
    expect(run.dispatched).toEqual(["x", "a"]);
    expect(run.state.plan?.tasks.map((task) => task.id)).toEqual(["x", "a", "b"]);
  });

  it("has no valid plan when a revision leaves nothing to do and the checks have not passed", () => {
    const check = { check: "predicate", when: { status: "b", is: "succeeded" } };
    const run = new ModelRun(planOf([{ id: "a" }, { id: "b" }], { completion: [check] })).decide().answer("a");
    run.append(revised(planOf([], { completion: [check] }))).decide();
    expect(run.state.outcome).toBe("stop_no_valid_plan");
  });
});
