import { describe, expect, it } from "vitest";
import type { GateId, PersonId } from "#kernel/ids";
import { completionOfCall } from "#kernel/run/check-completion";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { person, planOf } from "../../../support/run-fixture";

const schema = { type: "object", required: ["text"] };
const withCheck = (...completion: unknown[]) => planOf([{ id: "a" }], { completion });
/** Stands in for a library: wants the keys that `required` names. */
const checkSchema = (wanted: object, value: unknown) =>
  "required" in wanted && !(typeof value === "object" && value !== null && "text" in value)
    ? [{ pointer: "", keyword: "required", message: "text is missing" }]
    : [];

describe("R13 the end of a run", () => {
  it("is complete when its checks pass, and names the check's event as the cause", () => {
    const run = new ModelRun(withCheck({ check: "json_schema", task: "a", schema }), { checkSchema }).decide();
    run.answer("a", { ...SUCCESS, output: { text: "x" } });
    expect(run.state.outcome).toBe("completed");
    expect(run.log[(run.state.outcomeSeq ?? 0) - 1]?.type).toBe("completion_checked");
  });

  it("has an evidence gap when everything was done and a check does not pass", () => {
    const run = new ModelRun(withCheck({ check: "json_schema", task: "a", schema }), { checkSchema }).decide();
    run.answer("a", { ...SUCCESS, output: {} });
    expect(run.state).toMatchObject({ outcome: "evidence_gap" });
    expect(run.state.outcomeReason).toContain("text is missing");
  });

  it("fails a check of a task that did not succeed, and then the failure is the reason", () => {
    const run = new ModelRun(withCheck({ check: "json_schema", task: "a", schema }), { checkSchema }).decide();
    run.answer("a", FAILURE);
    expect(run.state).toMatchObject({ outcome: "stop_terminal_failure", outcomeReason: "“a” failed: It broke." });
  });

  it("prefers verified completion to a failure that the checks do not mind", () => {
    const plan = planOf([{ id: "a" }, { id: "b" }], {
      completion: [{ check: "predicate", when: { status: "a", is: "succeeded" } }],
    });
    const run = new ModelRun(plan).decide().answer("b", FAILURE).answer("a");
    expect(run.state.outcome).toBe("completed");
    expect(run.state.outcomeReason).toContain("“b” had failed");
  });

  it("never takes an empty plan for success", () => {
    expect(new ModelRun(planOf([])).decide().state.outcome).toBe("stop_no_valid_plan");
  });

  it("asks a person where a check is a question", () => {
    const run = new ModelRun(withCheck({ check: "human", question: "Is it good?" })).decide().answer("a");
    const gate = [...run.state.gates.values()][0]?.request;
    expect(gate).toMatchObject({ purpose: "completion", reason: "Is it good?" });
    expect(run.state.status).toBe("running");
    run
      .append({
        type: "approval_decided",
        at: 1,
        gateId: gate?.gateId ?? ("" as GateId),
        decision: "approve",
        by: { id: "ada" as PersonId, name: "Ada" },
        argumentsHash: gate?.argumentsHash ?? "",
      })
      .decide();
    expect(run.state).toMatchObject({ outcome: "completed" });
    expect(run.state.completion[0]?.message).toBe("Ada confirmed: Is it good?");
  });

  it("makes a checking call with resolved arguments, and only one that changes nothing", () => {
    const call = { check: "capability", capability: "test.echo", arguments: { value: { $output: "a" } } };
    const run = new ModelRun(withCheck(call)).decide().answer("a", { ...SUCCESS, output: 5 });
    expect(run.state.status).toBe("running");
    run.append(...completionOfCall(run.state, 0, { ...SUCCESS, output: { passed: true } }, 1)).decide();
    expect(run.state.outcome).toBe("completed");
    const writes = { check: "capability", capability: "test.effect" };
    expect(new ModelRun(withCheck(writes)).decide().answer("a").state.outcome).toBe("evidence_gap");
  });

  it("completes although a task failed that the plan lets it continue after", () => {
    const plan = planOf([{ id: "a", onFailure: "continue" }, { id: "b", dependsOn: ["a"] }, { id: "c" }]);
    const run = new ModelRun(plan).decide().answer("a", FAILURE).answer("c");
    expect(run.statusOf("b")).toBe("skipped");
    expect(run.state.outcome).toBe("completed");
  });

  it("waits while a replan was asked for, and ends once it is refused", () => {
    const run = new ModelRun(planOf([{ id: "a" }])).decide();
    const replan = { reason: "path_blocked", triggerSeq: 3, by: "planner", message: "x" } as const;
    run.append({ type: "replan_requested", at: 0, ...replan }).answer("a", FAILURE);
    expect(run.state.status).toBe("running");
    run.append({ type: "replan_refused", at: 0, ...replan }).decide();
    expect(run.state.outcome).toBe("stop_terminal_failure");
  });

  it("finishes what runs while paused, starts nothing, and goes on when resumed", () => {
    const run = new ModelRun(planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }])).decide();
    run.append({ type: "run_paused", at: 0, by: person("engineer") }).answer("a");
    expect(run.statusOf("b")).toBe("ready");
    run.append({ type: "run_resumed", at: 0, by: person("engineer") }).decide();
    expect(run.statusOf("b")).toBe("dispatched");
  });
});
