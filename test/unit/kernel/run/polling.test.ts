import { describe, expect, it } from "vitest";
import type { Observation } from "#kernel/capability/observation";
import { fold } from "#kernel/run/reduce";
import { FAILURE, ModelRun } from "../../../support/model-run";
import { planOf } from "../../../support/run-fixture";

const POLLED = { id: "wait", capability: "test.poll", arguments: { polls: 5 } };
const says = (status: string): Observation => ({ status: "ok", output: { status }, sideEffect: "none", latencyMs: 1 });
const polled = (rest: Record<string, unknown> = {}, plan: Record<string, unknown> = {}) =>
  new ModelRun(
    planOf(
      [
        { ...POLLED, ...rest },
        { id: "after", dependsOn: ["wait"] },
      ],
      plan,
    ),
  ).decide();
const typesOf = (run: ModelRun): string[] => run.log.slice(2).map((event) => event.type);

describe("R16 polling", () => {
  it("calls again after the interval until the answer is final, and only then lets the next task start", () => {
    const run = polled().answer("wait", says("pending"));
    expect(run.statusOf("wait")).toBe("ready");
    expect(run.wakeAt).toBe(run.now + 20);
    expect(run.calls.size).toBe(0);
    run.wake().answer("wait", says("pending")).wake().answer("wait", says("done"));
    expect(run.state.tasks.get("wait")).toMatchObject({ status: "succeeded", output: { status: "done" } });
    expect(run.statusOf("after")).toBe("dispatched");
    expect(run.answer("after").state.outcome).toBe("completed");
  });

  it("never judges polls within the policy a stall, however often the answer is the same", () => {
    const run = polled();
    for (let poll = 1; poll < 20; poll++) run.answer("wait", says("pending")).wake();
    const verdicts = run.log.flatMap((event) => (event.type === "repetition_detected" ? [event] : []));
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(Array(18).fill("polling"));
    expect(verdicts.at(-1)).toMatchObject({ times: 19, attempt: 19, of: { taskId: "wait", attempt: 18 } });
    run.answer("wait", says("done")).answer("after");
    expect(run.state.outcome).toBe("completed");
  });

  it("fails the task, and not the run's other paths, when its polls or its time are used up", () => {
    const run = polled();
    for (let poll = 1; poll < 20; poll++) run.answer("wait", says("pending")).wake();
    run.answer("wait", says("pending"));
    expect(run.state.tasks.get("wait")).toMatchObject({ status: "failed", cause: { code: "polling_exhausted" } });
    expect(run.state.outcome).toBe("stop_terminal_failure");
    const slow = polled().answer("wait", says("pending")).wake();
    slow.now += 60_000;
    slow.answer("wait", says("pending"));
    expect(slow.state.tasks.get("wait")?.cause).toMatchObject({
      code: "polling_exhausted",
      message: "It was not done after 2 calls in 60 s, and may not be asked again.",
    });
  });

  it("counts polls as calls and not as retries, and failed calls between them by the retry policy", () => {
    const broken: Observation = { ...FAILURE, status: "retryable", errorCategory: "unavailable" };
    const run = polled({ retry: { maxAttempts: 2, backoffSeconds: 1 } }, { budgets: { retries: 1, toolCalls: 9 } });
    run.answer("wait", says("pending")).wake().answer("wait", broken).wake().answer("wait", says("pending")).wake();
    expect(run.state.budgetUse).toMatchObject({ toolCalls: 4, retries: 1 });
    expect(run.statusOf("wait")).toBe("dispatched");
    run.answer("wait", broken);
    expect(run.state.tasks.get("wait")).toMatchObject({
      status: "failed",
      cause: { message: "It broke. It was tried 2 times." },
    });
  });

  it("stops polling at a budget, at the deadline and at a cancellation", () => {
    const counted = polled({}, { budgets: { toolCalls: 2 } });
    counted.answer("wait", says("pending")).wake().answer("wait", says("pending")).wake();
    expect(counted.state.outcome).toBe("stop_budget");
    const late = polled({}, { budgets: { deadlineSeconds: 0.01 } })
      .answer("wait", says("pending"))
      .wake();
    expect(late.state.outcome).toBe("stop_budget");
    const cancelled = polled().answer("wait", says("pending"));
    cancelled.append({ type: "run_cancelled", at: 1, by: { id: "p" as never, name: "P" } }).decide();
    expect(cancelled.state.outcome).toBe("cancelled");
    expect(cancelled.dispatched).toEqual(["wait"]);
  });

  it("tells one poll by its observation, its verdict and the next poll, and folds to the same at every point", () => {
    const run = polled().answer("wait", says("pending")).wake().answer("wait", says("pending"));
    expect(typesOf(run)).toEqual([
      "task_observed",
      "task_retry_scheduled",
      "task_observed",
      "repetition_detected",
      "task_retry_scheduled",
    ]);
    run.wake().answer("wait", says("done")).answer("after");
    for (let cut = 0; cut <= run.log.length; cut++) {
      expect(fold(run.log.slice(cut), fold(run.log.slice(0, cut)))).toEqual(fold(run.log));
    }
  });
});
