import { describe, expect, it } from "vitest";
import type { Observation } from "#kernel/capability/observation";
import { DrivenRun } from "../../support/driven-run";
import { quiet } from "../../support/fake-time";
import { FAILURE, SUCCESS } from "../../support/model-run";
import { person, planOf } from "../../support/run-fixture";

const effect = (id: string, rest: Record<string, unknown> = {}) => ({
  id,
  capability: "test.effect",
  arguments: {},
  ...rest,
});

describe("controller", () => {
  it("runs a chain to its end and leaves one event a short task", async () => {
    const run = new DrivenRun(planOf([{ id: "a" }, { id: "b", dependsOn: ["a"] }, { id: "c", dependsOn: ["b"] }]));
    await run.drive();
    expect(run.ends).toEqual(["finished"]);
    expect(run.log.events.map((event) => event.type)).toEqual([
      "run_created",
      "plan_accepted",
      "task_succeeded",
      "task_succeeded",
      "task_succeeded",
      "run_finished",
    ]);
    expect(run.state.outcome).toBe("completed");
  });

  it("starts d when its own parent b has ended, although c still runs beside it", async () => {
    const run = new DrivenRun(
      planOf([
        { id: "a" },
        { id: "b", dependsOn: ["a"] },
        { id: "c", dependsOn: ["a"] },
        { id: "d", dependsOn: ["b"] },
      ]),
    );
    run.executor.held.add("c");
    await run.drive();
    expect(run.statusOf("d")).toBe("succeeded");
    expect(run.executor.running).toEqual(["c"]);
    await run.answer("c");
    expect(run.ends).toEqual(["finished"]);
  });

  it("joins once, after both of two paths of unequal length", async () => {
    const run = new DrivenRun(
      planOf([
        { id: "a" },
        { id: "b" },
        { id: "c", dependsOn: ["b"] },
        { id: "d", capability: "test.count", arguments: { key: "d" }, dependsOn: ["a", "c"] },
      ]),
    );
    run.executor.held.add("c");
    await run.drive();
    expect(run.executor.callsOf("d")).toBe(0);
    await run.answer("c");
    expect(run.executor.callsOf("d")).toBe(1);
  });

  it("makes the start of a write durable before its call", async () => {
    const run = new DrivenRun(planOf([effect("write")]));
    let becomeDurable = (): void => {};
    run.log.hold = new Promise((resolve) => {
      becomeDurable = resolve;
    });
    await run.drive();
    expect(run.executor.calls).toHaveLength(0);
    becomeDurable();
    await quiet();
    expect(run.executor.callsOf("write")).toBe(1);
    expect(run.log.typesOf("write")).toEqual(["task_dispatched", "task_succeeded"]);
  });

  it("starts effect-free calls before earlier results are durable, and appends what piled up in one go", async () => {
    const chain = ["a", "b", "c", "d", "e"].map((id, index, ids) => ({ id, dependsOn: ids.slice(index - 1, index) }));
    const run = new DrivenRun(planOf(chain));
    let becomeDurable = (): void => {};
    run.log.hold = new Promise((resolve) => {
      becomeDurable = resolve;
    });
    await run.drive();
    expect(run.executor.calls.map((call) => call.taskId)).toEqual(["a", "b", "c", "d", "e"]);
    expect(run.log.events).toHaveLength(2);
    becomeDurable();
    await quiet();
    expect(run.log.batches).toEqual([1, 5]);
  });

  it("holds back a write until the results it depends on are durable", async () => {
    const run = new DrivenRun(planOf([{ id: "read" }, effect("write", { dependsOn: ["read"] })]));
    let becomeDurable = (): void => {};
    run.log.hold = new Promise((resolve) => {
      becomeDurable = resolve;
    });
    await run.drive();
    expect(run.executor.callsOf("write")).toBe(0);
    becomeDurable();
    await quiet();
    expect(run.executor.callsOf("write")).toBe(1);
  });

  it("records the start of a call that outlives 25 ms", async () => {
    const run = new DrivenRun(planOf([{ id: "slow" }]));
    run.executor.held.add("slow");
    await run.drive();
    expect(run.statusOf("slow")).toBe("ready");
    await run.time.advance(30);
    expect(run.statusOf("slow")).toBe("dispatched");
    await run.answer("slow");
    expect(run.log.typesOf("slow")).toEqual(["task_dispatched", "task_succeeded"]);
  });

  it("lets go while a run only waits for a person, and goes on after the decision", async () => {
    const run = new DrivenRun(planOf([{ id: "signed", approval: {} }]));
    await run.drive();
    expect(run.ends).toEqual(["waiting"]);
    const gate = [...run.state.gates.values()][0];
    // The reminder that its time is running out, at the latest its end.
    expect(run.log.wakeAt).toBeGreaterThan(run.time.now());
    expect(run.log.wakeAt).toBeLessThanOrEqual(gate?.request.decideBy ?? 0);
    if (gate === undefined) return;
    run.log.submit({
      type: "approval_decided",
      at: run.time.now(),
      gateId: gate.request.gateId,
      decision: "approve",
      by: person("approver"),
      argumentsHash: gate.request.argumentsHash,
    });
    await run.drive();
    expect(run.ends).toEqual(["waiting", "finished"]);
    expect(run.log.typesOf("signed")).toEqual(["approval_requested", "task_dispatched", "task_succeeded"]);
  });

  it("keeps a finished result when a person's event came in between", async () => {
    const run = new DrivenRun(planOf([{ id: "a" }, { id: "b" }, { id: "c", dependsOn: ["a", "b"] }]));
    run.executor.held.add("a").add("b");
    await run.drive();
    let becomeDurable = (): void => {};
    run.log.hold = new Promise((resolve) => {
      becomeDurable = resolve;
    });
    run.executor.answer("a");
    await quiet();
    run.log.submit({ type: "run_paused", at: run.time.now(), by: person("engineer") });
    becomeDurable();
    await quiet();
    await run.answer("b");
    expect(run.statusOf("a")).toBe("succeeded");
    expect(run.executor.callsOf("a")).toBe(1);
    expect(run.executor.callsOf("c")).toBe(0);
    run.log.submit({ type: "run_resumed", at: run.time.now(), by: person("engineer") });
    await run.drive();
    expect(run.ends.at(-1)).toBe("finished");
    expect(run.executor.callsOf("c")).toBe(1);
  });

  it("starts nothing after a cancellation, aborts what runs and keeps its late answer", async () => {
    const chain = Array.from({ length: 50 }, (_, index) => ({
      id: `t${index}`,
      dependsOn: index === 0 ? [] : [`t${index - 1}`],
    }));
    const run = new DrivenRun(planOf(chain));
    run.executor.held.add("t10");
    await run.drive();
    expect(run.executor.running).toEqual(["t10"]);
    run.log.submit({ type: "run_cancelled", at: run.time.now(), by: person("engineer") });
    await quiet();
    expect(run.executor.calls.find((call) => call.taskId === "t10")?.signal.aborted).toBe(true);
    expect(run.state.outcome).toBe("cancelled");
    await run.answer("t10");
    expect(run.ends).toEqual(["finished"]);
    expect(run.log.events.at(-1)).toMatchObject({ type: "task_observed", taskId: "t10", late: true });
    expect(run.executor.calls).toHaveLength(11);
    expect([...run.state.tasks.values()].filter((task) => task.status === "cancelled")).toHaveLength(40);
  });

  it("writes nothing once it is fenced out, and aborts its calls", async () => {
    const run = new DrivenRun(planOf([{ id: "a" }]));
    run.executor.held.add("a");
    await run.drive();
    run.log.expire();
    await run.answer("a");
    expect(run.ends).toEqual(["lost"]);
    expect(run.log.typesOf("a")).toEqual([]);
    run.executor.held.clear();
    await run.drive();
    expect(run.log.typesOf("a")).toEqual(["task_succeeded"]);
  });

  it("stops at once when the store says that the lease is gone", async () => {
    const run = new DrivenRun(planOf([{ id: "a" }]));
    run.executor.held.add("a");
    await run.drive();
    run.log.expire({ tell: true });
    await quiet();
    expect(run.ends).toEqual(["lost"]);
    expect(run.executor.calls[0]?.signal.aborted).toBe(true);
  });

  it("tries a retryable failure again after its backoff, however long the callee asks for", async () => {
    const run = new DrivenRun(planOf([{ id: "a", retry: { maxAttempts: 3, backoffSeconds: 0.1 } }]));
    run.executor.auto = ({ attempt }): Observation =>
      attempt < 3
        ? { ...FAILURE, status: "retryable", errorCategory: "rate_limited", retryAfterSeconds: attempt === 2 ? 1 : 0 }
        : SUCCESS;
    await run.drive();
    expect(run.executor.callsOf("a")).toBe(1);
    await run.time.advance(99);
    expect(run.executor.callsOf("a")).toBe(1);
    await run.time.advance(11);
    expect(run.executor.callsOf("a")).toBe(2);
    await run.time.advance(989);
    expect(run.executor.callsOf("a")).toBe(2);
    await run.time.advance(111);
    expect(run.ends).toEqual(["finished"]);
    expect(run.state.tasks.get("a")?.attempts).toHaveLength(3);
  });

  it("leaves a far backoff to the engine and keeps no process waiting", async () => {
    const run = new DrivenRun(planOf([{ id: "a", retry: { maxAttempts: 2, backoffSeconds: 60 } }]));
    run.executor.auto = ({ attempt }) => (attempt === 1 ? { ...FAILURE, status: "retryable" } : SUCCESS);
    await run.drive();
    expect(run.ends).toEqual(["waiting"]);
    const waitMs = (run.log.wakeAt ?? 0) - run.time.now();
    expect(waitMs).toBeGreaterThanOrEqual(60_000);
    await run.time.advance(waitMs);
    await run.drive();
    expect(run.ends).toEqual(["waiting", "finished"]);
  });

  it("cuts a call at its time limit and gives up on one that does not come back", async () => {
    const run = new DrivenRun(planOf([{ id: "a", timeoutSeconds: 5 }]));
    run.executor.held.add("a");
    await run.drive();
    await run.time.advance(5_000);
    expect(run.executor.calls[0]?.signal.aborted).toBe(true);
    await run.time.advance(1_000);
    expect(run.state.tasks.get("a")).toMatchObject({ status: "failed", cause: { code: "timeout" } });
  });

  it("never repeats a write without a key whose answer was lost, and asks a person", async () => {
    const run = new DrivenRun(planOf([effect("write", { retry: { maxAttempts: 5 } })]));
    run.executor.auto = () => ({ ...FAILURE, status: "retryable", sideEffect: "unknown", errorCategory: "timeout" });
    await run.drive();
    expect(run.statusOf("write")).toBe("unknown_outcome");
    expect(run.executor.callsOf("write")).toBe(1);
    expect([...run.state.gates.values()][0]?.request.purpose).toBe("reconcile");
    expect(run.ends).toEqual(["waiting"]);
  });

  it("asks a person about a write without a key that ran when its worker died", async () => {
    const run = new DrivenRun(planOf([effect("write")]));
    run.executor.held.add("write");
    await run.drive();
    run.log.expire();
    await run.drive();
    expect(run.statusOf("write")).toBe("unknown_outcome");
    expect(run.executor.callsOf("write")).toBe(1);
  });

  it("makes a write with a key again under the same key when its worker died", async () => {
    const run = new DrivenRun(planOf([{ id: "count", capability: "test.count", arguments: { key: "k" } }]));
    run.executor.held.add("count");
    await run.drive();
    run.log.expire();
    run.executor.held.clear();
    await run.drive();
    const keys = run.executor.calls.map((call) => call.idempotencyKey);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(run.log.typesOf("count")).toEqual(["task_dispatched", "task_succeeded"]);
  });

  it("keeps a large output out of the log and still hands it on", async () => {
    const run = new DrivenRun(planOf([{ id: "big" }, { id: "next", arguments: { value: { $output: "big#/text" } } }]));
    const text = "x".repeat(100_000);
    run.executor.auto = ({ taskId }) => (taskId === "big" ? { ...SUCCESS, output: { text } } : SUCCESS);
    await run.drive();
    expect(run.state.tasks.get("big")).toMatchObject({ status: "succeeded", outputRef: "artifact-big-1" });
    expect(run.executor.calls.find((call) => call.taskId === "next")?.arguments).toEqual({ value: text });
    expect(run.ends).toEqual(["finished"]);
  });

  it("fails an output above the hard limit once, without a retry", async () => {
    const run = new DrivenRun(planOf([{ id: "huge", retry: { maxAttempts: 5 } }]));
    run.executor.auto = () => ({ ...SUCCESS, output: "x".repeat(11 * 1024 * 1024) });
    await run.drive();
    expect(run.state.tasks.get("huge")).toMatchObject({ status: "failed", cause: { code: "output_too_large" } });
    expect(run.executor.callsOf("huge")).toBe(1);
  });

  it("lets go when asked to, drops calls that may run again and waits for a write", async () => {
    const run = new DrivenRun(planOf([{ id: "read" }, effect("write")]));
    run.executor.held.add("read").add("write");
    await run.drive();
    run.stop.abort();
    await quiet();
    expect(run.ends).toEqual([]);
    expect(run.executor.calls.find((call) => call.taskId === "read")?.signal.aborted).toBe(true);
    await run.answer("read", FAILURE);
    await run.answer("write");
    expect(run.ends).toEqual(["let_go"]);
    expect(run.log.typesOf("write")).toEqual(["task_dispatched", "task_succeeded"]);
    expect(run.statusOf("read")).toBe("ready");
    expect(run.log.wakeAt).toBe(run.time.now());
  });

  it("never has more calls in flight than the plan allows", async () => {
    const run = new DrivenRun(planOf([{ id: "a" }, { id: "b" }, { id: "c" }], { maxParallel: 2 }));
    run.executor.held.add("a").add("b").add("c");
    await run.drive();
    expect(run.executor.running).toEqual(["a", "b"]);
    await run.answer("a");
    expect(run.executor.running).toEqual(["b", "c"]);
  });

  it("keeps a result whose append got no answer, and records it once", async () => {
    for (const when of ["before", "after"] as const) {
      const run = new DrivenRun(planOf([effect("write"), { id: "next", dependsOn: ["write"] }]));
      run.executor.held.add("write");
      await run.drive();
      run.log.failNext = when;
      await run.answer("write");
      expect(run.ends).toEqual(["finished"]);
      expect(run.executor.callsOf("write")).toBe(1);
      expect(run.log.typesOf("write")).toEqual(["task_dispatched", "task_succeeded"]);
    }
  });

  it("starts a write once although the append of its start got no answer", async () => {
    for (const when of ["before", "after"] as const) {
      const run = new DrivenRun(planOf([effect("write")]));
      run.log.failNext = when;
      await run.drive();
      expect(run.ends).toEqual(["finished"]);
      expect(run.executor.callsOf("write")).toBe(1);
      expect(run.log.typesOf("write")).toEqual(["task_dispatched", "task_succeeded"]);
    }
  });

  it("keeps the outputs of a fan-out out of the log when they are large together", async () => {
    const items = Array.from({ length: 10 }, (_, index) => index);
    const run = new DrivenRun(
      planOf([
        { id: "each", forEach: items, arguments: { value: { $output: "item" } } },
        { id: "last", arguments: { value: { $output: "each#/9" } } },
      ]),
    );
    run.executor.auto = ({ taskId }) => ({ ...SUCCESS, output: `${taskId} ${"x".repeat(10_000)}` });
    await run.drive();
    expect(run.ends).toEqual(["finished"]);
    expect(run.state.tasks.get("each")?.outputRef).toBe("artifact-each-1");
    expect(run.executor.calls.at(-1)?.arguments).toEqual({ value: `each[9] ${"x".repeat(10_000)}` });
  });

  it("shows a long call as running, also where somebody appended just as its start was written", async () => {
    const run = new DrivenRun(planOf([{ id: "a" }]));
    run.executor.held.add("a");
    await run.drive();
    let letThrough: () => void = () => {};
    run.log.hold = new Promise((resolve) => {
      letThrough = resolve;
    });
    await run.time.advance(60);
    run.log.submit({ type: "run_paused", at: run.time.now(), by: person("ada") });
    letThrough();
    run.log.hold = undefined;
    await run.time.advance(0);
    await run.time.advance(200);
    expect(run.log.typesOf("a")).toEqual(["task_dispatched"]);
    await run.answer("a");
    expect(run.log.typesOf("a")).toEqual(["task_dispatched", "task_succeeded"]);
  });

  it("makes no repeat whose charge was not written, since somebody appended just then", async () => {
    const run = new DrivenRun(planOf([{ id: "a" }], { budgets: { toolCalls: 9 } }));
    run.executor.held.add("a");
    await run.drive();
    await run.time.advance(200);
    expect(run.log.typesOf("a")).toEqual(["task_dispatched"]);
    run.log.expire({ tell: true });
    await run.time.advance(0);
    let letThrough: () => void = () => {};
    run.log.hold = new Promise((resolve) => {
      letThrough = resolve;
    });
    await run.drive();
    run.log.submit({ type: "run_paused", at: run.time.now(), by: person("ada") });
    run.log.submit({ type: "run_resumed", at: run.time.now(), by: person("ada") });
    letThrough();
    run.log.hold = undefined;
    await run.time.advance(1_000);
    expect(run.executor.callsOf("a")).toBe(2);
    expect(run.state.budgetUse.toolCalls).toBe(2);
  });
});
