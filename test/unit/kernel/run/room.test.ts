import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Observation } from "#kernel/capability/observation";
import { decide } from "#kernel/run/decide";
import { holdsOf } from "#kernel/run/holds";
import { readyTasks } from "#kernel/run/ready";
import { fold } from "#kernel/run/reduce";
import { FAILURE, ModelRun } from "../../../support/model-run";
import { person, planOf } from "../../../support/run-fixture";

const write = (id: string, path: string, rest: Record<string, unknown> = {}) => ({
  id,
  capability: "file.write",
  arguments: { path, text: "x" },
  ...rest,
});
const read = (id: string, path: string) => ({ id, capability: "file.read", arguments: { path } });
const holds = (run: ModelRun) => Object.fromEntries(holdsOf(run.state, run.now, run.options));

describe("R9 holds and room", () => {
  it("holds a lock between unordered tasks that touch one resource, one of them writing", () => {
    const run = new ModelRun(planOf([write("w1", "a"), write("w2", "a"), write("w3", "b"), read("r", "a")])).decide();
    expect(run.dispatched).toEqual(["w1", "w3"]);
    expect(holds(run)).toEqual({
      w2: { type: "resource_lock", resource: "file:a", byTaskId: "w1" },
      r: { type: "resource_lock", resource: "file:a", byTaskId: "w1" },
    });
    run.answer("w1");
    expect(run.dispatched).toEqual(["w1", "w3", "w2"]);
  });

  it("lets readers of one resource run side by side, and a writer wait for them", () => {
    const run = new ModelRun(planOf([read("r1", "a"), read("r2", "a"), write("w", "a")])).decide();
    expect(run.dispatched).toEqual(["w"]);
    run.answer("w");
    expect(run.dispatched).toEqual(["w", "r1", "r2"]);
  });

  it("reads a resource from resolved arguments and from the plan's own reads and writes", () => {
    const run = new ModelRun(
      planOf([
        { id: "name" },
        write("w1", "x", { arguments: { path: { $output: "name" }, text: "1" } }),
        { id: "other", dependsOn: ["name"], writes: ["file:ok"] },
      ]),
    ).decide();
    run.answer("name");
    expect(run.dispatched).toHaveLength(2);
    expect(Object.values(holds(run))).toMatchObject([{ type: "resource_lock", resource: "file:ok" }]);
  });

  it("keeps the lock of a write whose outcome is unknown", () => {
    const effect = { capability: "test.effect", arguments: {}, writes: ["x"] };
    const run = new ModelRun(
      planOf([
        { id: "a", ...effect },
        { id: "b", ...effect },
      ]),
    ).decide();
    run.answer("a", { ...FAILURE, sideEffect: "unknown" });
    expect(run.statusOf("a")).toBe("unknown_outcome");
    expect(holds(run).b).toEqual({ type: "resource_lock", resource: "x", byTaskId: "a" });
  });

  it("keeps the lock of a call whose arguments are not loaded any more, and loads them before anything else starts", () => {
    const outputs = new Map([["r1", "a"]]);
    const options = { load: (ref: string) => outputs.get(ref) };
    const large: Observation = { status: "ok", outputRef: "r1", sideEffect: "none", latencyMs: 1 };
    const run = new ModelRun(
      planOf([
        { id: "name" },
        write("w1", "", { arguments: { path: { $output: "name" }, text: "1" } }),
        write("w2", "a", { dependsOn: ["name"] }),
        { id: "free", dependsOn: ["name"], estimate: { seconds: 0 } },
      ]),
      options,
    ).decide();
    run.answer("name", large);
    expect(run.dispatched).toEqual(["name", "w1", "free"]);
    // Another process folds the log, and has loaded nothing.
    const folded = fold(run.log);
    outputs.clear();
    const commands = decide(folded, 0, options);
    expect(commands.map((command) => command.type)).toEqual(["dispatch", "load_output"]);
    expect(commands[0]).toMatchObject({ taskId: "free" });
    expect(holdsOf(folded, 0, options).get("w2")).toMatchObject({ type: "resource_lock", byTaskId: "w1" });
  });

  it("never uses more of a pool than there is", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }), (units) => {
        const tasks = units.map((gpu, index) => ({ id: `t${index}`, uses: { gpu } }));
        const run = new ModelRun(planOf(tasks, { pools: { gpu: 4 } })).decide();
        while (run.calls.size > 0) {
          const used = [...run.calls.keys()].reduce((sum, id) => sum + (units[Number(id.slice(1))] ?? 0), 0);
          expect(used).toBeLessThanOrEqual(4);
          run.answer([...run.calls.keys()][0] ?? "");
        }
        expect(run.state.outcome).toBe("completed");
      }),
      { numRuns: 100 },
    );
  });

  it("fails a task that needs more of a pool than there will ever be, and one without a capability", () => {
    const run = new ModelRun(
      planOf(
        [
          { id: "big", uses: { gpu: 9 } },
          { id: "none", uses: { tpu: 1 } },
          { id: "gone", capability: "no.such" },
        ],
        { pools: { gpu: 4 } },
      ),
    ).decide();
    expect([...run.state.tasks.values()].map((task) => task.cause?.code)).toEqual([
      "pool_too_small",
      "pool_too_small",
      "capability_gone",
    ]);
    expect(run.state.outcome).toBe("stop_terminal_failure");
  });

  it("names the hold of every task that is ready and does not run", () => {
    const run = new ModelRun(
      planOf(
        [
          { id: "runs" },
          { id: "gate", approval: {} },
          { id: "retry", retry: { maxAttempts: 2, backoffSeconds: 5 } },
          { id: "pool", uses: { gpu: 1 } },
          { id: "pool2", uses: { gpu: 1 } },
          { id: "full" },
          { id: "full2", estimate: { seconds: 0 } },
        ],
        { pools: { gpu: 1 }, maxParallel: 5 },
      ),
      { roomFor: () => 99 },
    ).decide();
    run.answer("retry", { ...FAILURE, status: "retryable" });
    expect(holds(run)).toMatchObject({
      gate: { type: "approval" },
      retry: { type: "backoff", until: run.wakeAt },
      pool2: { type: "pool", pool: "gpu" },
    });
    for (const id of run.state.ready) expect(Object.keys(holds(run))).toContain(id);
    run.append({ type: "run_paused", at: 0, by: person("engineer") }).decide();
    for (const id of run.state.ready) expect(holds(run)[id]).toEqual({ type: "paused" });
  });

  it("says so when a provider takes no more calls", () => {
    let room = 1;
    const run = new ModelRun(planOf([{ id: "a" }, { id: "b" }]), { roomFor: () => room });
    run.onDispatch = () => {
      room = 0;
    };
    run.decide();
    expect(run.dispatched).toEqual(["a"]);
    expect(run.state.status).toBe("running");
    expect(holdsOf(run.state, 0, { roomFor: () => 0 }).get("b")).toEqual({ type: "rate_limit" });
  });

  it("lists ready tasks in the order of their dispatch", () => {
    const run = new ModelRun(
      planOf([{ id: "short" }, { id: "long", estimate: { seconds: 9 } }, { id: "signed", approval: {} }], {
        maxParallel: 1,
      }),
    );
    expect(readyTasks(run.state)).toEqual(["long", "short", "signed"]);
    expect(readyTasks(run.decide().state)).toEqual(["short", "signed"]);
  });
});
