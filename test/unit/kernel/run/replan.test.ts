import { describe, expect, it } from "vitest";
import { registryOf } from "#kernel/capability/capability";
import type { Plan } from "#kernel/plan/plan";
import { checkRevision, type RevisionRequest, revisionEvent } from "#kernel/run/revision";
import { unfinishedPlan } from "#kernel/run/unfinished";
import { checkSchema } from "../../../../server/capabilities/schema-check";
import { FAILURE, ModelRun } from "../../../support/model-run";
import { CAPABILITIES, EFFECT, person, planOf } from "../../../support/run-fixture";

const OPTIONS = { registry: registryOf(CAPABILITIES), checkSchema };
const ADA = { kind: "person", name: "Ada", personId: person("ada").id } as const;

const request = (run: ModelRun, document: unknown, rest: Partial<RevisionRequest> = {}): RevisionRequest => ({
  reason: "new_information",
  triggerSeq: run.state.lastSeq,
  author: ADA,
  document,
  ...rest,
});

const check = (run: ModelRun, document: unknown, rest: Partial<RevisionRequest> = {}) =>
  checkRevision(run.state, request(run, document, rest), OPTIONS);

/** Makes the revision, which has to be allowed. */
function revise(run: ModelRun, document: unknown, rest: Partial<RevisionRequest> = {}) {
  const checked = check(run, document, rest);
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  run.append(revisionEvent(run.state, checked.value, run.now)).decide();
  return checked.value;
}

const codeOf = (result: ReturnType<typeof check>): string => (result.ok ? "ok" : result.error.code);
const unfinished = (run: ModelRun): Plan => unfinishedPlan(run.state) as Plan;

describe("R14 a revision is a command", () => {
  const chain = () =>
    new ModelRun(planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }, { id: "c", dependsOn: ["b"] }, { id: "x" }]))
      .decide()
      .answer("a");

  it("holds only unfinished work, and may refer to what has ended", () => {
    const run = chain();
    const { diff } = revise(
      run,
      planOf([{ id: "b", dependsOn: ["a"] }, { id: "x" }, { id: "d", arguments: { value: { $output: "a" } } }]),
    );
    expect(diff).toMatchObject({ added: ["d"], removed: ["c"], changed: [], kept: ["b", "x"] });
    expect(run.statusOf("a")).toBe("succeeded");
    expect(run.statusOf("c")).toBe("cancelled");
    expect(run.calls.get("d")?.arguments).toEqual({ value: "ok" });
    expect(run.state.revisions.at(-1)).toMatchObject({ author: ADA, revision: 2 });
  });

  it("refuses to touch what has ended, at its place", () => {
    const run = chain();
    const refused = check(run, planOf([{ id: "x" }, { id: "a", arguments: { value: 2 } }, { id: "b" }]));
    expect(refused).toMatchObject({
      ok: false,
      error: { code: "touches_finished", problems: [{ pointer: "/tasks/1", taskId: "a" }] },
    });
  });

  it("refuses a running step that it neither keeps as it is nor stops", () => {
    const run = chain();
    const without = unfinished(run).tasks.filter(({ id }) => id !== "x");
    const plan = { ...unfinished(run), tasks: without };
    expect(codeOf(check(run, plan))).toBe("running_unaccounted");
    expect(
      codeOf(
        check(
          run,
          planOf([
            { id: "b", dependsOn: ["a"] },
            { id: "x", arguments: { value: 2 } },
          ]),
        ),
      ),
    ).toBe("running_unaccounted");
    expect(codeOf(check(run, unfinished(run), { cancelRunning: ["x"] }))).toBe("running_unaccounted");
    expect(codeOf(check(run, plan, { cancelRunning: ["x", "c"] }))).toBe("running_unaccounted");
    revise(run, plan, { cancelRunning: ["x"] });
    expect(run.aborted).toEqual(["x"]);
    expect(run.statusOf("x")).toBe("cancelled");
    expect(run.statusOf("b")).toBe("dispatched");
  });

  it("refuses an empty one, an identical one, and one with other words for the same steps", () => {
    const run = chain();
    expect(codeOf(check(run, { ...unfinished(run), tasks: [] }))).toBe("empty");
    expect(codeOf(check(run, unfinished(run)))).toBe("identical");
    const tasks = unfinished(run).tasks.map((task) => (task.id === "c" ? { ...task, title: "Try harder" } : task));
    expect(codeOf(check(run, { ...unfinished(run), tasks }))).toBe("no_news");
  });

  it("refuses one whose only news is a failure said again", () => {
    const run = new ModelRun(
      planOf([
        { id: "a" },
        { id: "b", dependsOn: ["a"], onFailure: "block_dependents" },
        { id: "c", dependsOn: ["b"] },
      ]),
    )
      .decide()
      .answer("a")
      .answer("b", FAILURE);
    const again = planOf([
      { id: "b2", dependsOn: ["a"], onFailure: "block_dependents", title: "Again" },
      { id: "c", dependsOn: ["b2"] },
    ]);
    expect(codeOf(check(run, again))).toBe("no_news");
    const other = planOf([
      { id: "b2", arguments: { value: 2 } },
      { id: "c", dependsOn: ["b2"] },
    ]);
    expect(codeOf(check(run, other))).toBe("ok");
  });

  it("refuses an unknown trigger, and any once the run has ended", () => {
    const run = chain();
    const plan = planOf([{ id: "b", dependsOn: ["a"] }, { id: "x" }]);
    expect(codeOf(check(run, plan, { triggerSeq: run.state.lastSeq + 1 }))).toBe("trigger_unknown");
    expect(codeOf(check(run, plan, { triggerSeq: 0 }))).toBe("trigger_unknown");
    run.answer("x").answer("b").answer("c");
    expect(codeOf(check(run, plan))).toBe("run_ended");
  });

  it("refuses an invalid one with every problem at its place in the revision", () => {
    const run = chain();
    const refused = check(run, {
      ...unfinished(run),
      tasks: [
        unfinished(run).tasks.find(({ id }) => id === "b"),
        unfinished(run).tasks.find(({ id }) => id === "x"),
        { id: "d", capability: "test.ecko", dependsOn: ["nobody"] },
      ],
    });
    expect(refused).toMatchObject({ ok: false, error: { code: "plan_invalid" } });
    const places = refused.ok ? [] : refused.error.problems.map(({ code, pointer }) => [code, pointer]);
    expect(places).toEqual([
      ["unknown_capability", "/tasks/2/capability"],
      ["missing_dependency", "/tasks/2/dependsOn/0"],
    ]);
    expect(codeOf(check(run, { approved: true }))).toBe("plan_invalid");
  });

  it("refuses one of which no step could ever run", () => {
    const run = new ModelRun(
      planOf([
        { id: "a", onFailure: "block_dependents" },
        { id: "b", dependsOn: ["a"] },
      ]),
    )
      .decide()
      .answer("a", FAILURE);
    expect(
      codeOf(
        check(
          run,
          planOf([
            { id: "c", dependsOn: ["a"] },
            { id: "d", dependsOn: ["c"] },
          ]),
        ),
      ),
    ).toBe("no_valid_step");
  });

  it("stops at the budget of revisions", () => {
    const run = new ModelRun(
      planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }], { budgets: { planRevisions: 1 } }),
    ).decide();
    const one = planOf([{ id: "a" }, { id: "c", dependsOn: ["a"] }], { budgets: { planRevisions: 1 } });
    revise(run, one);
    expect(codeOf(check(run, { ...one, tasks: one.tasks.slice(0, 1) }))).toBe("revisions_exhausted");
  });

  it("answers the failure that set it off, so that the run may complete, and no other failure", () => {
    const plan = planOf([{ id: "a", onFailure: "block_dependents" }, { id: "b", dependsOn: ["a"] }, { id: "z" }]);
    const run = new ModelRun(plan).decide().answer("a", FAILURE);
    const triggerSeq = run.state.tasks.get("a")?.endedSeq ?? 0;
    revise(run, planOf([{ id: "b" }, { id: "z" }]), { triggerSeq });
    run.answer("b").answer("z");
    expect(run.state.outcome).toBe("completed");

    const other = new ModelRun(plan).decide().answer("a", FAILURE);
    revise(other, planOf([{ id: "b" }, { id: "z" }]), { triggerSeq: 2 });
    other.answer("b").answer("z");
    expect(other.state.outcome).toBe("stop_terminal_failure");
  });
});

describe("R20 approval of the changed part", () => {
  const effect = { capability: EFFECT.name, arguments: {} };
  const plan = () => planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }, { id: "z" }]);
  const widened = () => [...plan().tasks, ...planOf([{ id: "pay", ...effect }]).tasks];
  const proposed = () => {
    const run = new ModelRun(plan()).decide();
    revise(run, {
      ...plan(),
      tasks: widened().map((task) => (task.id === "b" ? { ...task, arguments: { value: 7 } } : task)),
    });
    return run;
  };
  const gateOf = (run: ModelRun) => [...run.state.gates.values()].at(-1);
  const decided = (run: ModelRun, decision: "approve" | "reject") => {
    const gate = gateOf(run);
    if (gate === undefined) throw new Error("no gate");
    const { gateId, argumentsHash } = gate.request;
    return run
      .append({ type: "approval_decided", at: 0, gateId, decision, by: person("bob"), reason: "no", argumentsHash })
      .decide();
  };

  it("holds what it changes, shows exactly that, and lets the rest go on", () => {
    const run = proposed();
    expect(gateOf(run)?.request).toMatchObject({
      purpose: "revision",
      arguments: {
        tasks: [
          {
            task: "b",
            change: "changed",
            needsApproval: [],
            fields: [{ pointer: "/arguments/value", before: 1, after: 7 }],
          },
          { task: "pay", change: "added", sideEffect: "write", needsApproval: ["It adds a write: Change something."] },
        ],
      },
      excluded: [{ id: "requester" }, { id: "author" }, { id: "ada", why: "wrote this revision" }],
    });
    run.answer("a").answer("z");
    expect(run.statusOf("b")).toBe("ready");
    expect(run.calls.size).toBe(0);
    expect(run.state.revision).toBe(1);
  });

  it("comes into force when it was approved, without what has ended meanwhile", () => {
    const run = proposed().answer("a").answer("z");
    decided(run, "approve");
    expect(run.state.revision).toBe(2);
    expect(run.state.plan?.tasks.map(({ id }) => id)).toEqual(["b", "pay"]);
    expect(run.calls.get("b")?.arguments).toEqual({ value: 7 });
    run.answer("b").answer("pay");
    expect(run.state.outcome).toBe("completed");
  });

  it("leaves the plan in force when it was rejected", () => {
    const run = decided(proposed(), "reject").answer("a");
    expect(run.log.at(-1)).not.toMatchObject({ type: "run_finished" });
    expect(run.log.find((event) => event.type === "replan_refused")).toMatchObject({ code: "approval_rejected" });
    expect(run.calls.get("b")?.arguments).toEqual({ value: 1 });
    run.answer("b").answer("z");
    expect(run.state.outcome).toBe("completed");
  });

  it("ends the run when it was rejected and the plan says so", () => {
    const strict = { ...plan(), replanning: { onReject: "stop" as const } };
    const run = new ModelRun(strict).decide();
    revise(run, { ...strict, tasks: widened() });
    decided(run, "reject");
    expect(run.state).toMatchObject({ status: "finished", outcome: "rejected" });
  });

  it("is not needed where the step has a gate of its own, nor for a declared alternative", () => {
    const run = new ModelRun(plan()).decide();
    const own = { ...plan(), tasks: [...plan().tasks, ...planOf([{ id: "pay", ...effect, approval: {} }]).tasks] };
    expect(check(run, own)).toMatchObject({ ok: true, value: { widened: [] } });
  });

  it("is needed to raise a budget, to drop a check, to ask fewer people", () => {
    const before = planOf([{ id: "a" }, { id: "b", dependsOn: ["a"], approval: { quorum: 2 } }], {
      budgets: { toolCalls: 5 },
      completion: [{ check: "predicate", when: true }],
    });
    const run = new ModelRun(before).decide();
    const widenings = (after: Plan) => {
      const checked = check(run, after);
      return checked.ok ? checked.value.widened : checked.error;
    };
    expect(widenings({ ...before, budgets: { toolCalls: 9 } })).toEqual([
      { reasons: ["It raises the budget toolCalls to 9."] },
    ]);
    expect(widenings({ ...before, completion: [] })).toEqual([{ reasons: ["It changes how the result is checked."] }]);
    const [a, b] = before.tasks;
    const fewer = [a, { ...b, approval: { ...b?.approval, quorum: 1 } }] as Plan["tasks"];
    expect(widenings({ ...before, tasks: fewer })).toMatchObject([{ taskId: "b" }]);
    expect(
      checkRevision(
        run.state,
        request(run, { budgets: { toolCalls: 9 }, tasks: fewer }, { author: { kind: "planner", name: "p" } }),
        OPTIONS,
      ),
    ).toMatchObject({
      ok: false,
      error: { code: "grants_trust", problems: [{ pointer: "" }, { pointer: "/tasks/1/approval" }] },
    });
  });
});
