import { describe, expect, it } from "vitest";
import { checkSchema } from "../../../server/capabilities/schema-check";
import { DrivenRun } from "../../support/driven-run";
import { quiet } from "../../support/fake-time";
import { FAILURE } from "../../support/model-run";
import { planOf } from "../../support/run-fixture";
import { SCRIPTED, ScriptedReplanner } from "../../support/scripted-replanner";

const plan = (budgets: object = {}) =>
  planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }], {
    replanning: { planner: SCRIPTED },
    completion: [{ check: "json_schema", task: "b", schema: { type: "string" } }],
    budgets,
  });

const step = (id: string, rest: object = {}) => ({ id, capability: "test.echo", arguments: { value: 2 }, ...rest });
/** Puts `a2` in the place of `a`. */
const MENDED = { plan: { tasks: [step("a2"), step("b", { dependsOn: ["a2"] })] } };

/** A run whose first task has failed, with a planner that answers by this script. */
async function failed(replanner: ScriptedReplanner | undefined, budgets?: object): Promise<DrivenRun> {
  const run = new DrivenRun(plan(budgets), { checkSchema });
  run.replanner = replanner;
  run.executor.held.add("a");
  await run.drive();
  await run.answer("a", FAILURE);
  await quiet();
  return run;
}

const typesOf = (run: DrivenRun) =>
  run.log.events.map(({ type }) => type).filter((type) => /replan|plan_revised|budget|finished/.test(type));

describe("R21 a planner is asked", () => {
  it("when a task has failed for good, before anything behind it hears of it", async () => {
    const replanner = new ScriptedReplanner({
      ...MENDED,
      usage: { tokens: 70, costUsd: 0.5 },
      message: "Another way.",
    });
    const run = await failed(replanner);
    expect(typesOf(run)).toEqual([
      "replan_requested",
      "budget_charged",
      "budget_charged",
      "plan_revised",
      "run_finished",
    ]);
    expect(run.state).toMatchObject({ outcome: "completed", budgetUse: { tokens: 70, costUsd: 0.5, iterations: 1 } });
    expect(run.log.typesOf("b")).not.toContain("task_cancelled");
    expect(replanner.questions).toHaveLength(1);
    expect(replanner.questions[0]).toMatchObject({
      planner: SCRIPTED,
      plan: { tasks: [{ id: "b" }] },
      request: { reason: "path_blocked", message: "“a” failed: It broke." },
      observations: [{ taskId: "a", status: "failed", observation: { errorCategory: "unavailable" } }],
    });
    expect(run.state.revisions.at(-1)?.author).toEqual({ kind: "planner", name: SCRIPTED });
  });

  it("again where the registry could not be read, without the drive failing by it", async () => {
    const replanner = new ScriptedReplanner(MENDED);
    const run = new DrivenRun(plan(), { checkSchema });
    run.replanner = replanner;
    let reads = 0;
    run.registryOf = async () => {
      if (reads++ === 0) throw new Error("The database is away.");
      return run.executor.registry;
    };
    run.executor.held.add("a");
    await run.drive();
    await run.answer("a", FAILURE);
    await quiet();
    expect(run.ends).toEqual(["finished"]);
    expect(run.state.outcome).toBe("completed");
    expect(replanner.questions).toHaveLength(1);
  });

  it("again with what was wrong, and the second answer may do", async () => {
    const invented = { plan: { tasks: [step("a2", { capability: "creating:view" })] } };
    const replanner = new ScriptedReplanner(invented, { plan: "prose" }, MENDED);
    const run = await failed(replanner);
    expect(run.state.outcome).toBe("completed");
    expect(replanner.questions).toHaveLength(3);
    expect(replanner.questions[1]?.request.message).toContain("creating:view");
    expect(run.executor.calls.map(({ taskId }) => taskId)).toEqual(["a", "a2", "b"]);
    expect(run.state.budgetUse.iterations).toBe(3);
  });

  it("three times at most", async () => {
    const replanner = new ScriptedReplanner({ plan: { tasks: [{ id: 1 }] } });
    const run = await failed(replanner);
    expect(replanner.questions).toHaveLength(3);
    expect(run.state.outcome).toBe("stop_no_valid_plan");
  });

  it.each([
    ["nothing", { plan: null }, "stop_no_valid_plan"],
    ["an empty plan", { plan: { tasks: [] } }, "stop_no_valid_plan"],
    [
      "a plan of which nothing can run",
      { plan: { tasks: [step("c", { dependsOn: ["a"] }), step("b", { dependsOn: ["c"] })] } },
      "stop_no_valid_plan",
    ],
    [
      "the same plan",
      { plan: { tasks: [{ ...step("b", { dependsOn: ["a"] }), arguments: { value: 1 } }] } },
      "stop_stalled",
    ],
    [
      "what has failed, again",
      {
        plan: {
          tasks: [
            { ...step("a2"), arguments: { value: 1 } },
            { ...step("b", { dependsOn: ["a2"] }), arguments: { value: 1 } },
          ],
        },
      },
      "stop_stalled",
    ],
  ] as const)("once where it answers with %s", async (_what, reply, outcome) => {
    const replanner = new ScriptedReplanner(reply);
    const run = await failed(replanner);
    expect(replanner.questions).toHaveLength(1);
    expect(run.state.outcome).toBe(outcome);
    expect(run.log.events.some(({ type }) => type === "plan_revised")).toBe(false);
  });

  it("and cannot grant itself what people decide", async () => {
    const replanner = new ScriptedReplanner(
      { plan: { ...MENDED.plan, approved: true } },
      { plan: { ...MENDED.plan, completion: [] } },
      { plan: { ...MENDED.plan, budgets: { tokens: 1e9 } } },
    );
    const run = await failed(replanner, { tokens: 100 });
    const refusals = run.log.events.filter((event) => event.type === "replan_refused");
    expect(refusals.map(({ code, problems }) => [code, problems?.[0]?.pointer])).toEqual([
      ["plan_invalid", "/approved"],
      ["grants_trust", ""],
      ["grants_trust", ""],
    ]);
    expect(run.state.plan?.budgets).toEqual({ tokens: 100 });
  });

  it("never beyond its budgets", async () => {
    const replanner = new ScriptedReplanner(MENDED);
    const run = await failed(replanner, { iterations: 0 });
    expect(replanner.questions).toHaveLength(0);
    expect(run.log.events.find(({ type }) => type === "replan_refused")).toMatchObject({ code: "budget.iterations" });
    const limited = await failed(new ScriptedReplanner(MENDED), { planRevisions: 0 });
    expect(limited.log.events.find(({ type }) => type === "replan_refused")).toMatchObject({
      code: "revisions_exhausted",
    });
    expect(limited.state.outcome).toBe("stop_terminal_failure");
  });

  it("is not waited for where there is none, or it fails", async () => {
    const without = await failed(undefined);
    expect(without.log.events.find(({ type }) => type === "replan_refused")).toMatchObject({ code: "no_planner" });
    expect(without.state.outcome).toBe("stop_terminal_failure");
    const broken = await failed(new ScriptedReplanner(new Error("no answer")));
    expect(broken.log.events.filter(({ type }) => type === "replan_refused")).toHaveLength(3);
    expect(broken.state.status).toBe("finished");
  });

  it("again by another process where the first one died over the answer, and the lost turn is charged", async () => {
    const dead = new ScriptedReplanner(MENDED);
    dead.hold = new Promise(() => {});
    const run = await failed(dead);
    expect(dead.questions).toHaveLength(1);
    run.log.expire();
    run.replanner = new ScriptedReplanner(MENDED);
    await run.drive();
    await quiet();
    expect((run.replanner as ScriptedReplanner).questions).toHaveLength(1);
    expect(run.state).toMatchObject({ outcome: "completed", budgetUse: { iterations: 2 } });
    expect(run.executor.callsOf("a2")).toBe(1);
  });

  it("once although somebody else writes to the log meanwhile", async () => {
    const replanner = new ScriptedReplanner(MENDED);
    let answer = (): void => {};
    replanner.hold = new Promise((resolve) => {
      answer = resolve;
    });
    const run = await failed(replanner);
    run.log.submit({ type: "reflection_recorded", at: run.time.now(), text: "meanwhile" });
    answer();
    await quiet();
    expect(run.state.outcome).toBe("completed");
    expect(replanner.questions).toHaveLength(1);
  });
});
