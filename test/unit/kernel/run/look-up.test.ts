import { describe, expect, it } from "vitest";
import { defineBuiltIn } from "#kernel/capability/built-in/define";
import { type Capability, type CapabilitySnapshot, snapshotCapability } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import type { JsonValue } from "#kernel/json";
import { ModelRun, SUCCESS } from "../../../support/model-run";
import { person, planOf } from "../../../support/run-fixture";

const define = (name: string, more: Partial<Capability>): CapabilitySnapshot =>
  snapshotCapability(
    defineBuiltIn({
      name,
      title: name,
      description: name,
      inputSchema: { type: "object" },
      outputSchema: {},
      sideEffect: "read",
      timeoutSeconds: 10,
      estimate: { p50Seconds: 1, p95Seconds: 1 },
      ...more,
    }),
  );

const FIND = define("orders.find", {});
const CREATE = define("orders.create", {
  sideEffect: "write",
  idempotency: "status_lookup",
  lookUp: {
    capability: "orders.find@1",
    arguments: { number: { $argument: "/number" }, key: { $idempotencyKey: true } } as never,
    committed: { pointer: "/state", values: ["paid", "open"] },
    notCommitted: { pointer: "/state", values: ["none"] },
    output: "/order",
  },
});

const LOST: Observation = { status: "retryable", errorCategory: "timeout", sideEffect: "unknown", latencyMs: 1 };
const answer = (output: JsonValue): Observation => ({ ...SUCCESS, output });
const lostCall = (task: object = {}, plan: object = {}) =>
  new ModelRun(
    planOf([{ id: "buy", capability: "orders.create", arguments: { number: 7 }, ...task }], { ...plan }),
    {},
    { capabilities: [FIND, CREATE] },
  )
    .decide()
    .answer("buy", LOST);

describe("R5 a call whose answer was lost, and that can be looked up", () => {
  it("is looked up with the call's own arguments and key, and nobody is asked meanwhile", () => {
    const run = lostCall();
    expect(run.statusOf("buy")).toBe("unknown_outcome");
    expect(run.lookUp).toMatchObject({ capability: "orders.find@1", arguments: { number: 7, key: "run-1:buy:1" } });
    expect(run.state.gates.size).toBe(0);
  });

  it("has succeeded where the callee says so, with the output it names, and is never called again", () => {
    const run = lostCall({ retry: { maxAttempts: 5, backoffSeconds: 0 } });
    run.answerLookUp(answer({ state: "paid", order: { id: 1 } }));
    expect(run.state.tasks.get("buy")).toMatchObject({ status: "succeeded", output: { id: 1 } });
    expect(run.dispatched).toEqual(["buy"]);
    expect(run.state.outcome).toBe("completed");
  });

  it("is tried again with a fresh chance where it certainly took no effect, and fails where no attempt is left", () => {
    for (const none of [
      answer({ state: "none" }),
      { ...SUCCESS, status: "terminal", errorCategory: "not_found" } as const,
    ]) {
      const always = (run: ModelRun) => run.answerLookUp(none).wake().answerLookUp(none).wake().answerLookUp(none);
      const again = always(lostCall({ retry: { maxAttempts: 2, backoffSeconds: 0 } }));
      expect(again.dispatched).toEqual(["buy", "buy"]);
      const failed = always(lostCall());
      expect(failed.state.tasks.get("buy")).toMatchObject({ status: "failed", cause: { code: "not_committed" } });
    }
  });

  it("is not taken to have had no effect before the last look-up: the callee may be at work on it still", () => {
    for (const early of [1, 2]) {
      const run = lostCall({ retry: { maxAttempts: 2, backoffSeconds: 0 } });
      for (let asked = 0; asked < early; asked++) run.answerLookUp(answer({ state: "none" })).wake();
      expect(run.dispatched).toEqual(["buy"]);
      run.answerLookUp(answer({ state: "paid", order: { id: 1 } }));
      expect(run.state.tasks.get("buy")).toMatchObject({ status: "succeeded", output: { id: 1 } });
      expect(run.dispatched).toEqual(["buy"]);
    }
  });

  it("is believed to have had no effect where a person asked, however early", () => {
    const run = lostCall().answerLookUp(answer({ state: "thinking" }));
    const by = person("p");
    run.append({ type: "look_up_requested", at: run.now, taskId: "buy" as never, attempt: 1, by, reason: "now" });
    run.decide().answerLookUp(answer({ state: "none" }));
    expect(run.state.tasks.get("buy")).toMatchObject({ status: "failed", cause: { code: "not_committed" } });
  });

  it("answers a person who asks with no budget left, without a call", () => {
    const run = lostCall({}, { budgets: { toolCalls: 1 } });
    expect(run.state.gates.size).toBe(1);
    const by = person("p");
    run.append({ type: "look_up_requested", at: run.now, taskId: "buy" as never, attempt: 1, by, reason: "now" });
    run.decide();
    expect(run.lookUp).toBeUndefined();
    expect(run.log.at(-1)).toMatchObject({ type: "outcome_looked_up", verdict: "undecided", by });
    expect(run.state.budgetUse.toolCalls).toBe(1);
  });

  it("asks a person once three look-ups could not tell, and waits longer between them", () => {
    const run = lostCall();
    run.answerLookUp(answer({ state: "thinking" }));
    expect(run.lookUp).toBeUndefined();
    expect(run.wakeAt).toBe(2_000);
    run.wake().answerLookUp({ ...SUCCESS, status: "retryable", errorCategory: "unavailable" });
    run.wake().answerLookUp(answer(null));
    expect(run.lookUp).toBeUndefined();
    expect([...run.state.gates.values()].map((gate) => gate.request.purpose)).toEqual(["reconcile"]);
    expect(run.dispatched).toEqual(["buy"]);
  });

  it("counts look-ups as calls, and makes none that the budget does not allow", () => {
    const run = lostCall({}, { budgets: { toolCalls: 2 } });
    run.answerLookUp(answer({ state: "thinking" }));
    expect(run.state.budgetUse.toolCalls).toBe(2);
    expect(run.lookUp).toBeUndefined();
    expect(run.state.gates.size).toBe(1);
  });

  it("is not looked up by a call that could change something", () => {
    const unsafe = snapshotCapability({ ...FIND, sideEffect: "write" });
    const run = new ModelRun(
      planOf([{ id: "buy", capability: "orders.create" }]),
      {},
      { capabilities: [unsafe, CREATE] },
    );
    run.decide().answer("buy", LOST);
    expect(run.lookUp).toBeUndefined();
    expect(run.state.gates.size).toBe(1);
  });
});
