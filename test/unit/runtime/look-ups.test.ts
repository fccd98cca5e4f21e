import { describe, expect, it } from "vitest";
import { defineBuiltIn } from "#kernel/capability/built-in/define";
import { type Capability, type CapabilitySnapshot, snapshotCapability } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import type { JsonValue } from "#kernel/json";
import { DrivenRun } from "../../support/driven-run";
import { SUCCESS } from "../../support/model-run";
import { planOf } from "../../support/run-fixture";

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
const NARROW = define("orders.narrow", { concurrency: 1 });
const create = (name: string, find: CapabilitySnapshot): CapabilitySnapshot =>
  define(name, {
    sideEffect: "write",
    idempotency: "status_lookup",
    lookUp: {
      capability: `${find.name}@1`,
      arguments: {},
      committed: { pointer: "/state", values: ["paid"] },
      notCommitted: { pointer: "/state", values: ["none"] },
    },
  });
const CAPABILITIES = [FIND, NARROW, create("orders.create", FIND), create("orders.createNarrow", NARROW)];

const LOST: Observation = { status: "retryable", errorCategory: "timeout", sideEffect: "unknown", latencyMs: 1 };
const says = (output: JsonValue): Observation => ({ ...SUCCESS, output });

/** Two calls whose answers are lost; what the look-ups say is for the test. */
const lost = (budgets: object, capability = "orders.create"): DrivenRun => {
  const plan = planOf(
    ["a", "b"].map((id) => ({ id, capability, arguments: {} })),
    { budgets },
  );
  const run = new DrivenRun(plan, {}, CAPABILITIES);
  run.executor.auto = ({ taskId }) => (taskId.endsWith("@look-up") ? says({ state: "paid" }) : LOST);
  return run;
};
const LOOK_UPS = ["a@look-up", "b@look-up"];
const made = (run: DrivenRun): string[] =>
  run.executor.calls.map(({ taskId }) => taskId).filter((taskId) => taskId.endsWith("@look-up"));

describe("look-ups", () => {
  it("of two with one call left only one is made, and a person is asked about the other", async () => {
    const run = lost({ toolCalls: 3 });
    for (const id of LOOK_UPS) run.executor.held.add(id);
    await run.drive();
    expect(made(run)).toEqual(["a@look-up"]);
    expect(run.state.budgetUse.toolCalls).toBe(3);
    await run.answer("a@look-up", says({ state: "paid" }));
    await run.time.advance(20_000);
    expect(made(run)).toEqual(["a@look-up"]);
    expect(run.statusOf("a")).toBe("succeeded");
    expect(run.statusOf("b")).toBe("unknown_outcome");
    expect([...run.state.gates.values()].map(({ request }) => [request.taskId, request.purpose])).toEqual([
      ["b", "reconcile"],
    ]);
  });

  it("are charged durably before they are made, under their own capability's name too", async () => {
    const run = lost({ toolCalls: 10, toolCallsPerCapability: { "orders.find": 1 } });
    let letThrough: () => void = () => {};
    run.executor.held.add("a").add("b");
    await run.drive();
    run.log.hold = new Promise((resolve) => {
      letThrough = resolve;
    });
    await run.answer("a", LOST);
    expect(made(run)).toEqual([]);
    letThrough();
    run.log.hold = undefined;
    await run.time.advance(0);
    expect(made(run)).toEqual(["a@look-up"]);
    expect(run.state.budgetUse.toolCallsPerCapability.get("orders.find")).toBe(1);
    await run.answer("b", LOST);
    await run.time.advance(20_000);
    expect(made(run)).toEqual(["a@look-up"]);
  });

  it("cost what they cost, also where their worker dies during one", async () => {
    const run = lost({ toolCalls: 4 });
    run.executor.held.add("a@look-up").add("b");
    await run.drive();
    expect(run.state.budgetUse.toolCalls).toBe(3);
    run.log.expire({ tell: true });
    run.executor.held.delete("a@look-up");
    await run.drive();
    await run.time.advance(20_000);
    expect(run.executor.callsOf("a@look-up")).toBe(2);
    expect(run.state.budgetUse.toolCalls).toBe(4);
  });

  it("keep to the concurrency of their capability", async () => {
    const run = lost({}, "orders.createNarrow");
    for (const id of LOOK_UPS) run.executor.held.add(id);
    await run.drive();
    expect(run.executor.running).toEqual(["a@look-up"]);
    await run.answer("a@look-up", says({ state: "paid" }));
    expect(run.executor.running).toEqual(["b@look-up"]);
    await run.answer("b@look-up", says({ state: "paid" }));
    expect(run.state.outcome).toBe("completed");
  });

  it("are aborted when the driver lets go", async () => {
    const run = lost({});
    for (const id of LOOK_UPS) run.executor.held.add(id);
    await run.drive();
    run.log.expire({ tell: true });
    await run.time.advance(0);
    const lookUps = run.executor.calls.filter(({ taskId }) => taskId.endsWith("@look-up"));
    expect(lookUps.map((call) => call.signal.aborted)).toEqual([true, true]);
  });
});
