import { describe, expect, it } from "vitest";
import { registryOf } from "#kernel/capability/capability";
import type { Plan } from "#kernel/plan/plan";
import { planRerun } from "#kernel/run/rerun";
import { retryWithArguments } from "#kernel/run/retry-arguments";
import { previewRetry, type RetryRequest, retryTask } from "#kernel/run/retry-task";
import { checkSchema } from "../../../../server/capabilities/schema-check";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { CAPABILITIES, EFFECT, person, planOf } from "../../../support/run-fixture";

const OPTIONS = { registry: registryOf(CAPABILITIES), checkSchema, now: 0 };
const ADA = person("ada");

function retry(run: ModelRun, taskId: string, rest: Partial<RetryRequest> = {}): ModelRun {
  const retried = retryTask(run.state, { taskId, by: ADA, ...rest }, run.now);
  if (!retried.ok) throw new Error(retried.error.code);
  return run.append(...retried.value).decide();
}
const refusalOf = (run: ModelRun, taskId: string): string => {
  const result = retryTask(run.state, { taskId, by: ADA }, 0);
  return result.ok ? "ok" : result.error.code;
};

/** `a` fails, `b` and `c` fall with it, `z` goes on. */
const fallen = (rest: object = {}) =>
  new ModelRun(
    planOf([{ id: "a", ...rest }, { id: "b", dependsOn: ["a"] }, { id: "c", dependsOn: ["b"] }, { id: "z" }]),
  )
    .decide()
    .answer("a", FAILURE);

describe("R22 a person has a task tried again", () => {
  it("as a new attempt, with the tasks that ended only because it did", () => {
    const run = fallen();
    expect(run.statusOf("c")).toBe("cancelled");
    retry(run, "a");
    expect(run.calls.get("a")).toMatchObject({ attempt: 2 });
    expect([run.statusOf("b"), run.statusOf("c")]).toEqual(["pending", "pending"]);
    expect(run.state.tasks.get("a")?.earlierEnds).toMatchObject([{ status: "failed" }]);
    run.answer("a").answer("b").answer("c").answer("z");
    expect(run.state.outcome).toBe("completed");
    expect(run.dispatched.filter((id) => id === "z")).toHaveLength(1);
  });

  it("for a fallen or a blocked one, by what it fell with", () => {
    expect(previewRetry(fallen().state, "c")).toEqual({
      ok: true,
      value: { again: ["a"], reopened: ["b", "c"], mayRepeat: [] },
    });
    const blocked = fallen({ onFailure: "block_dependents" });
    expect(blocked.statusOf("b")).toBe("blocked");
    retry(blocked, "b");
    blocked.answer("a").answer("b");
    expect(blocked.statusOf("c")).toBe("dispatched");
    expect([...blocked.state.gates.values()].map(({ status }) => status)).toEqual(["superseded"]);
  });

  it("never where it has succeeded, runs, or was answered by a revision, nor after the end", () => {
    const run = fallen();
    expect(refusalOf(run, "z")).toBe("not_retryable");
    expect(refusalOf(run, "nobody")).toBe("task_not_found");
    run.answer("z");
    expect(run.state.status).toBe("finished");
    expect(refusalOf(run, "a")).toBe("run_ended");
  });

  it("knowingly where the first try may have taken effect", () => {
    const run = fallen({ capability: EFFECT.name, arguments: {} });
    expect(refusalOf(run, "a")).toBe("ok");
    const lost = new ModelRun(planOf([{ id: "a", capability: EFFECT.name, arguments: {} }, { id: "z" }]))
      .decide()
      .answer("a", { ...FAILURE, sideEffect: "committed" });
    expect(refusalOf(lost, "a")).toBe("effects_repeated");
    retry(lost, "a", { repeatEffects: true });
    expect(lost.calls.get("a")?.attempt).toBe(2);
  });

  it("and a late answer to the try before changes nothing", () => {
    const run = new ModelRun(planOf([{ id: "a" }, { id: "z" }, { id: "y" }])).decide();
    const first = run.calls.get("a");
    run.answer("a", FAILURE);
    retry(run, "a");
    expect(run.calls.get("a")?.attempt).toBe(2);
    run.append({
      type: "task_succeeded",
      at: 0,
      taskId: first?.taskId as never,
      attempt: 1,
      startedAt: 0,
      observation: { ...SUCCESS, output: "late" },
    });
    expect(run.state.tasks.get("a")?.attempts).toHaveLength(2);
  });

  it("with other arguments, as a revision that is judged like any other", () => {
    const run = fallen();
    const bad = retryWithArguments(
      run.state,
      { taskId: "a", by: ADA, capability: "text.join", arguments: { parts: 3 } },
      OPTIONS,
    );
    expect(bad).toMatchObject({
      ok: false,
      error: { code: "plan_invalid", problems: [{ pointer: "/tasks/0/arguments/parts" }] },
    });
    const good = retryWithArguments(run.state, { taskId: "a", by: ADA, arguments: { value: 9 } }, OPTIONS);
    if (!good.ok) throw new Error(good.error.code);
    expect(good.value.map(({ type }) => type)).toEqual(["task_retried", "plan_revised"]);
    run.append(...good.value).decide();
    expect(run.calls.get("a")).toMatchObject({ attempt: 2, arguments: { value: 9 } });
    run.answer("a").answer("b").answer("c").answer("z");
    expect(run.state.outcome).toBe("completed");
  });

  it("with other arguments of something that writes only behind a gate of its own", () => {
    const run = fallen({ capability: EFFECT.name, arguments: {} });
    const retried = retryWithArguments(run.state, { taskId: "a", by: ADA, arguments: { to: "b" } }, OPTIONS);
    if (!retried.ok) throw new Error(retried.error.code);
    run.append(...retried.value).decide();
    expect(run.statusOf("a")).toBe("awaiting_approval");
    const gate = [...run.state.gates.values()].at(-1);
    expect(gate?.request).toMatchObject({ purpose: "action", arguments: { to: "b" } });
  });
});

describe("R23 a rerun carries only what still stands", () => {
  const rerun = (run: ModelRun, plan: Plan, ...from: string[]) => {
    const planned = planRerun(run.state, plan, from);
    if (!planned.ok) throw new Error(planned.error.code);
    const { again, carried, mayRepeat } = planned.value;
    return { again, carried: carried.map(({ taskId }) => taskId), mayRepeat };
  };

  it("runs the chosen task and everything behind it, and nothing else", () => {
    const plan = planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }, { id: "c", dependsOn: ["b"] }, { id: "x" }]);
    const run = new ModelRun(plan).decide();
    for (const id of ["a", "x", "b", "c"]) run.answer(id);
    expect(rerun(run, plan, "b")).toEqual({ again: ["b", "c"], carried: ["a", "x"], mayRepeat: [] });
    const planned = planRerun(run.state, plan, ["b"]);
    expect(planned.ok && planned.value.carried[0]?.from).toEqual({
      runId: "run-1",
      seq: run.state.tasks.get("a")?.endedSeq,
    });
  });

  it("runs what was in flight again, and with it whatever would work with half of its inputs", () => {
    const plan = planOf([{ id: "s1" }, { id: "s2" }, { id: "s3" }, { id: "collect", dependsOn: ["s1", "s2", "s3"] }]);
    const run = new ModelRun(plan).decide().answer("s1").answer("s2");
    expect(rerun(run, plan, "collect")).toEqual({ again: ["s3", "collect"], carried: ["s1", "s2"], mayRepeat: [] });
  });

  it("never carries an unknown outcome, and says what may be repeated", () => {
    const plan = planOf([
      { id: "a", capability: EFFECT.name, arguments: {} },
      { id: "w", capability: EFFECT.name, arguments: {} },
      { id: "b", dependsOn: ["a"] },
    ]);
    const run = new ModelRun(plan).decide();
    run.answer("a", { ...FAILURE, sideEffect: "unknown" }).answer("w", { ...SUCCESS, sideEffect: "committed" });
    expect(run.statusOf("a")).toBe("unknown_outcome");
    expect(rerun(run, plan, "b")).toEqual({ again: ["a", "b"], carried: ["w"], mayRepeat: ["a"] });
  });

  it("skips again what was skipped, and does not run what stands on it", () => {
    const plan = planOf([
      { id: "a" },
      { id: "s", dependsOn: ["a"], when: false },
      { id: "j", dependsOn: ["s"], join: "none_failed" },
      { id: "z" },
    ]);
    const run = new ModelRun(plan).decide();
    for (const id of ["a", "z", "j"]) run.answer(id);
    expect(rerun(run, plan, "z")).toEqual({ again: ["z"], carried: ["a", "j"], mayRepeat: [] });
  });

  it("does not carry a result of a definition that a revision changed, nor a task of another version", () => {
    const plan = planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }]);
    const run = new ModelRun(
      planOf([
        { id: "a", arguments: { value: 2 } },
        { id: "b", dependsOn: ["a"] },
      ]),
    )
      .decide()
      .answer("a")
      .answer("b");
    expect(rerun(run, plan, "b")).toEqual({ again: ["a", "b"], carried: [], mayRepeat: [] });
    expect(planRerun(run.state, plan, ["nobody"])).toMatchObject({ ok: false, error: { code: "task_not_found" } });
  });
});
