import { describe, expect, it } from "vitest";
import type { Observation } from "#kernel/capability/observation";
import { DrivenRun } from "../../support/driven-run";
import { FAILURE, SUCCESS } from "../../support/model-run";
import { person, planOf } from "../../support/run-fixture";

const CHECK = "@completion-0";
const check = { check: "capability", capability: "test.echo", arguments: { value: { $output: "a" } } };
const checked = (rest: Record<string, unknown> = {}): DrivenRun =>
  new DrivenRun(planOf([{ id: "a" }], { completion: [check], ...rest }));
const says = (output: unknown): Observation => ({ ...SUCCESS, output: output as never });
const UNAVAILABLE: Observation = { ...FAILURE, status: "retryable", errorCategory: "unavailable" };

/** Answers the check, and everything else with success. */
async function drive(run: DrivenRun, ...answers: Observation[]): Promise<DrivenRun> {
  run.executor.auto = ({ taskId }) => (taskId === CHECK ? (answers.shift() ?? SUCCESS) : says("made"));
  await run.drive();
  return run;
}

describe("completion calls", () => {
  it("call the capability with the resolved arguments and read its verdict", async () => {
    const passed = await drive(checked(), says({ passed: true, message: "All there." }));
    expect(passed.executor.calls.at(-1)).toMatchObject({ taskId: CHECK, arguments: { value: "made" } });
    expect(passed.state).toMatchObject({ outcome: "completed" });
    expect(passed.state.completion[0]?.message).toBe("All there.");
    const denied = await drive(checked(), says({ passed: false }));
    expect(denied.state).toMatchObject({ outcome: "evidence_gap", outcomeReason: "The check did not pass." });
  });

  it("are made up to three times where their failure is retryable, and then leave the check undecided", async () => {
    const run = await drive(checked(), UNAVAILABLE, says({ passed: true }));
    expect(run.state.status).toBe("running");
    await run.time.advance(500);
    expect(run.state.outcome).toBe("completed");
    const never = await drive(checked(), UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, says(true));
    await never.time.advance(1_500);
    expect(never.executor.callsOf(CHECK)).toBe(3);
    expect(never.state.completion[0]).toMatchObject({ passed: false, undecided: true });
    expect(never.state.outcome).toBe("evidence_gap");
  });

  it("are charged before they are made, and not made where no budget is left", async () => {
    const counted = await drive(checked({ budgets: { toolCalls: 2 } }));
    expect(counted.state).toMatchObject({ outcome: "completed", budgetUse: { toolCalls: 2 } });
    const charge = counted.log.events.findIndex((event) => event.type === "budget_charged");
    const result = counted.log.events.findIndex((event) => event.type === "completion_checked");
    expect(charge).toBeGreaterThan(0);
    expect(charge).toBeLessThan(result);
    const spent = await drive(checked({ budgets: { toolCalls: 1 } }));
    expect(spent.executor.callsOf(CHECK)).toBe(0);
    expect(spent.state.outcome).toBe("evidence_gap");
    expect(spent.state.outcomeReason).toContain("The budget toolCalls allows 1");
  });

  it("do not start before their charge is durable", async () => {
    const run = checked({ budgets: { toolCalls: 5 } });
    run.executor.held.add("a");
    await run.drive();
    let letThrough: () => void = () => {};
    await run.answer("a", says("made"));
    expect(run.executor.callsOf(CHECK)).toBe(1);
    const other = checked({ budgets: { toolCalls: 5 } });
    other.executor.held.add("a");
    await other.drive();
    other.log.hold = new Promise((resolve) => {
      letThrough = resolve;
    });
    await other.answer("a", says("made"));
    expect(other.executor.callsOf(CHECK)).toBe(0);
    letThrough();
    other.log.hold = undefined;
    await other.time.advance(0);
    expect(other.executor.callsOf(CHECK)).toBe(1);
  });

  it("end with the deadline of the run, which keeps its verification reserve for them", async () => {
    const run = checked({ budgets: { deadlineSeconds: 10, verificationReserveSeconds: 4 } });
    run.executor.held.add(CHECK);
    run.executor.auto = () => says("made");
    await run.drive();
    expect(run.executor.running).toEqual([CHECK]);
    await run.time.advance(10_000);
    expect(run.executor.calls.at(-1)?.signal.aborted).toBe(true);
    await run.time.advance(2_000);
    expect(run.state.outcome).toBe("stop_budget");
    expect(run.ends).toEqual(["finished"]);
  });

  it("are aborted by a cancellation, after which nothing is called", async () => {
    const run = checked();
    run.executor.held.add(CHECK);
    run.executor.auto = () => says("made");
    await run.drive();
    run.log.submit({ type: "run_cancelled", at: run.time.now(), by: person("p") });
    await run.time.advance(2_000);
    expect(run.executor.calls.at(-1)?.signal.aborted).toBe(true);
    expect(run.state.outcome).toBe("cancelled");
    expect(run.executor.callsOf(CHECK)).toBe(1);
    expect(run.ends).toEqual(["finished"]);
  });
});
