import { describe, expect, it } from "vitest";
import { registryOf } from "#kernel/capability/capability";
import { parsePlan } from "#kernel/plan/parse";
import { renameTask } from "#kernel/plan/rename";
import { validatePlan } from "#kernel/plan/validate";
import { checkSchema } from "../../../../server/capabilities/schema-check";
import { FAILURE, ModelRun } from "../../../support/model-run";
import { CAPABILITIES, EFFECT, planOf } from "../../../support/run-fixture";

const echo = (value: unknown) => ({ capability: "test.echo", arguments: { value } });

describe("R21 rules of the plan", () => {
  it("put the next alternative in the place of a failed task, before anything behind it is cancelled", () => {
    const run = new ModelRun(
      planOf([
        {
          id: "a",
          alternatives: [
            { capability: "test.echo", arguments: { value: 2 } },
            { capability: EFFECT.name, arguments: {} },
          ],
        },
        { id: "b", arguments: { value: { $output: "a" } } },
        { id: "z" },
      ]),
    ).decide();
    run.answer("a", FAILURE);
    expect(run.state.revisions.at(-1)).toMatchObject({
      reason: "dependency_failed_alternative_exists",
      triggerSeq: run.state.tasks.get("a")?.endedSeq,
      author: { kind: "rule", name: "alternative of a" },
      diff: { added: ["a.alt-1"], changed: [{ taskId: "b" }], kept: ["z"], removed: [] },
    });
    expect(run.calls.get("a.alt-1")?.arguments).toEqual({ value: 2 });
    run.answer("a.alt-1", FAILURE);
    expect(run.calls.get("a.alt-2")?.capability).toBe(EFFECT.name);
    run.answer("a.alt-2").answer("z");
    expect(run.calls.get("b")?.arguments).toEqual({ value: "ok" });
    run.answer("b");
    expect(run.state).toMatchObject({ outcome: "completed", revision: 3 });
    expect(run.log.some((event) => event.type === "task_cancelled")).toBe(false);
    expect(run.state.gates.size).toBe(0);
  });

  it("bring in the fallback when no alternative is left, and its last task stands in", () => {
    const run = new ModelRun(
      planOf(
        [
          {
            id: "a",
            alternatives: [{ capability: "test.echo" }],
            fallback: [
              { id: "ask", ...echo("which?") },
              { id: "use", dependsOn: ["ask"], ...echo({ $output: "ask" }) },
            ],
          },
          { id: "b", arguments: { value: { $output: "a" } } },
        ],
        { completion: [{ check: "predicate", when: { status: "a", is: "succeeded" } }] },
      ),
    ).decide();
    run.answer("a", FAILURE).answer("a.alt-1", FAILURE);
    expect(run.state.revisions.at(-1)).toMatchObject({
      reason: "path_blocked",
      author: { name: "fallback of a.alt-1" },
    });
    run.answer("ask").answer("use");
    run.answer("b");
    expect(run.state.outcome).toBe("completed");
    expect(run.state.plan?.completion).toEqual([{ check: "predicate", when: { status: "use", is: "succeeded" } }]);
  });

  it("do nothing beyond the budget of revisions, and say so", () => {
    const run = new ModelRun(
      planOf(
        [
          { id: "a", alternatives: [{ capability: "test.echo" }] },
          { id: "b", dependsOn: ["a"] },
        ],
        {
          budgets: { planRevisions: 0 },
        },
      ),
    ).decide();
    run.answer("a", FAILURE);
    expect(run.log.find((event) => event.type === "replan_refused")).toMatchObject({ code: "revisions_exhausted" });
    expect(run.statusOf("b")).toBe("cancelled");
    expect(run.state.outcome).toBe("stop_terminal_failure");
  });

  it("fail the run when everything that was declared has failed", () => {
    const run = new ModelRun(
      planOf([
        { id: "a", alternatives: [{ capability: "test.echo", arguments: { value: 2 } }] },
        { id: "b", dependsOn: ["a"] },
      ]),
    )
      .decide()
      .answer("a", FAILURE)
      .answer("a.alt-1", FAILURE);
    expect(run.state).toMatchObject({
      outcome: "stop_terminal_failure",
      outcomeReason: expect.stringContaining("a.alt-1"),
    });
  });

  it("are judged with the plan, at the place where they are written", () => {
    const plan = planOf([
      { id: "a", alternatives: [{ capability: "test.ecko" }, { capability: "text.join", arguments: { parts: 3 } }] },
      {
        id: "b",
        fallback: [
          { id: "c", ...echo({ $output: "nobody" }) },
          { id: "a", ...echo(1) },
        ],
      },
      { id: "d", dependsOn: ["b"] },
    ]);
    const { diagnostics } = validatePlan(plan, { registry: registryOf(CAPABILITIES), checkSchema });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "unknown_capability /tasks/0/alternatives/0/capability",
      "arguments_invalid /tasks/0/alternatives/1/arguments/parts",
      "reference_missing_task /tasks/1/fallback/0/arguments/value",
      "duplicate_task_id /tasks/1/fallback/1/id",
    ]);
  });

  it("are renamed with the task, and cannot grant trust", () => {
    const plan = planOf([
      { id: "a" },
      {
        id: "b",
        alternatives: [{ capability: "test.echo", arguments: { value: { $output: "a" } } }],
        fallback: [{ id: "c", ...echo({ $output: "a" }) }],
      },
    ]);
    const text = JSON.stringify(renameTask(plan, "a" as never, "x" as never));
    expect(text).not.toContain('"a"');
    const parsed = parsePlan({
      ...plan,
      tasks: [{ id: "a", ...echo(1), alternatives: [{ capability: "x", approved: true }] }],
    });
    expect(parsed).toMatchObject({ ok: false, error: [{ pointer: "/tasks/0/alternatives/0/approved" }] });
  });
});
