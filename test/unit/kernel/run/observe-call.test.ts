import { describe, expect, it } from "vitest";
import { controlRun } from "#kernel/run/control";
import { actionSignature } from "#kernel/run/signature";
import { FAILURE, ModelRun } from "../../../support/model-run";
import { append, person, planOf, startedRun } from "../../../support/run-fixture";

const flaky = { ...FAILURE, status: "retryable" as const, errorCategory: "unavailable" as const };

describe("R5 results of calls", () => {
  it("doubles the backoff up to its limit, and never goes below what the callee asks for", () => {
    const retry = { maxAttempts: 5, backoffSeconds: 2, backoffFactor: 2, maxBackoffSeconds: 5 };
    const run = new ModelRun(planOf([{ id: "a", retry }])).decide();
    const waits: number[] = [];
    for (const retryAfterSeconds of [undefined, undefined, undefined, 30]) {
      const before = run.now;
      run.answer("a", { ...flaky, retryAfterSeconds });
      waits.push((run.wakeAt ?? 0) - before);
      run.wake();
    }
    for (const [index, least] of [2_000, 4_000, 5_000, 30_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(least);
      expect(waits[index]).toBeLessThanOrEqual(least * 1.1);
    }
    run.answer("a", flaky);
    expect(run.state.tasks.get("a")?.cause?.message).toContain("tried 5 times");
  });

  it("does not retry a terminal failure, a failure that took effect, or one without a retry policy", () => {
    const retry = { maxAttempts: 5 };
    for (const [task, answer] of [
      [{ id: "a", retry }, FAILURE],
      [
        { id: "a", retry },
        { ...flaky, sideEffect: "committed" as const },
      ],
      [{ id: "a" }, flaky],
    ] as const) {
      const run = new ModelRun(planOf([task])).decide().answer("a", answer);
      expect(run.statusOf("a")).toBe("failed");
      expect(run.dispatched).toHaveLength(1);
    }
  });

  it("waits a little differently for each task, and always the same for one", () => {
    const tasks = ["a", "b", "c", "d"].map((id) => ({ id, retry: { maxAttempts: 2, backoffSeconds: 10 } }));
    const waits = () => {
      const run = new ModelRun(planOf(tasks)).decide();
      return tasks.map(({ id }) => {
        run.answer(id, flaky);
        return run.state.tasks.get(id)?.notBefore;
      });
    };
    expect(new Set(waits()).size).toBe(4);
    expect(waits()).toEqual(waits());
  });

  it("believes a callee that asks for a wait up to an hour", () => {
    const run = new ModelRun(planOf([{ id: "a", retry: { maxAttempts: 2, backoffSeconds: 1 } }])).decide();
    run.answer("a", { ...flaky, retryAfterSeconds: 9_999_999 });
    expect(run.wakeAt).toBeLessThanOrEqual(3_600_000 * 1.1);
  });

  it.each([
    "forbidden",
    "policy_denied",
    "invalid_arguments",
    "not_found",
    "capability_gone",
    "output_too_large",
    "output_invalid",
    "cancelled",
  ] as const)("never retries %s, whatever the provider says", (errorCategory) => {
    const run = new ModelRun(planOf([{ id: "a", retry: { maxAttempts: 5, backoffSeconds: 0 } }])).decide();
    run.answer("a", { ...flaky, errorCategory });
    expect(run.statusOf("a")).toBe("failed");
    expect(run.dispatched).toHaveLength(1);
  });

  it("retries only the kinds of failure that the capability counts as worth it", () => {
    const retry = { maxAttempts: 5, backoffSeconds: 0 };
    for (const [errorCategory, calls] of [
      ["conflict", 1],
      ["internal", 1],
      ["rate_limited", 2],
    ] as const) {
      const run = new ModelRun(planOf([{ id: "a", retry }])).decide().answer("a", { ...flaky, errorCategory });
      expect(run.dispatched).toHaveLength(calls);
    }
  });

  it("keeps the key of a call that may have taken effect, and changes it after one that did not", () => {
    const task = {
      id: "a",
      capability: "test.count",
      arguments: { key: "k" },
      retry: { maxAttempts: 9, backoffSeconds: 0 },
    };
    const run = new ModelRun(planOf([task])).decide();
    const keys: string[] = [];
    for (const sideEffect of ["unknown", "not_committed", "unknown"] as const) {
      keys.push(run.calls.get("a")?.idempotencyKey ?? "");
      run.answer("a", { ...flaky, sideEffect });
    }
    keys.push(run.calls.get("a")?.idempotencyKey ?? "");
    expect(keys).toEqual(["run-1:a:1", "run-1:a:1", "run-1:a:2", "run-1:a:2"]);
  });

  it("repeats a call without a finished result after a crash, and no other", () => {
    const plan = planOf([{ id: "a" }, { id: "b" }, { id: "c" }, { id: "all", dependsOn: ["a", "b", "c"] }]);
    const first = new ModelRun(plan).decide().answer("a").answer("b");
    const second = new ModelRun(plan);
    for (const event of first.log.slice(2)) append(second.state, event);
    second.decide();
    expect(second.dispatched).toEqual(["c"]);
    expect(second.answer("c").calls.has("all")).toBe(true);
  });
});

describe("R8 control", () => {
  const by = person("engineer");

  it("refuses what is already so, and everything after a cancellation", () => {
    const state = startedRun(planOf([{ id: "a" }]));
    const ask = (action: "pause" | "resume" | "cancel") => {
      const result = controlRun(state, { action, by }, 1);
      if (result.ok) append(state, ...result.value);
      return result.ok ? "done" : result.error.code;
    };
    expect(
      ["resume", "pause", "pause", "resume", "cancel", "cancel", "resume"].map((action) => ask(action as "pause")),
    ).toEqual(["not_paused", "done", "already_paused", "done", "done", "run_cancelled", "run_cancelled"]);
  });
});

describe("R15 signatures", () => {
  it("is the same for the same call however it is written, and another for any other", () => {
    expect(actionSignature("a", { x: 1, y: [2] })).toBe(actionSignature("a", { y: [2], x: 1.0 }));
    expect(actionSignature("a", { x: 1 })).not.toBe(actionSignature("a", { x: "1" }));
    expect(actionSignature("a", { x: 1 })).not.toBe(actionSignature("b", { x: 1 }));
  });
});
