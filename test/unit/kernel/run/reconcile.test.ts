import { describe, expect, it } from "vitest";
import type { JsonValue } from "#kernel/json";
import type { Signer } from "#kernel/run/authority";
import { checkReconciliation, type ReconcileAction } from "#kernel/run/reconcile";
import { checkSchema } from "../../../../server/capabilities/schema-check";
import { ModelRun } from "../../../support/model-run";
import { person, planOf } from "../../../support/run-fixture";

const signer = (id: string, more: Partial<Signer> = {}): Signer => ({ ...person(id), roles: ["approver"], ...more });
const lost = { status: "retryable", errorCategory: "timeout", sideEffect: "unknown", latencyMs: 1 } as const;

const unknown = () =>
  new ModelRun(
    planOf([
      { id: "pay", capability: "test.effect", arguments: {}, retry: { maxAttempts: 3, backoffSeconds: 0 } },
      { id: "after", dependsOn: ["pay"] },
    ]),
  )
    .decide()
    .answer("pay", lost);

interface Said {
  readonly action: ReconcileAction;
  readonly by?: Signer;
  readonly attempt?: number;
  readonly reason?: string;
  readonly output?: JsonValue;
}

function say(run: ModelRun, { action, by = signer("ann"), attempt = 1, reason = "I looked.", output = {} }: Said) {
  const said = { taskId: "pay", attempt, action, reason, output };
  const result = checkReconciliation(run.state, said, { signer: by, now: run.now, checkSchema });
  if (result.ok) run.append(...result.value);
  return result.ok ? "done" : result.error.code;
}

describe("R5 a person says what became of a call", () => {
  it("is never repeated before somebody says so, whatever its retry policy", () => {
    const run = unknown();
    expect(run.statusOf("pay")).toBe("unknown_outcome");
    expect(run.dispatched).toEqual(["pay"]);
  });

  it("marked as done has succeeded with the output that was given, and what is behind it runs", () => {
    const run = unknown();
    expect(say(run, { action: "done" })).toBe("done");
    run.decide();
    expect(run.state.tasks.get("pay")).toMatchObject({ status: "succeeded", output: {} });
    expect(run.calls.has("after")).toBe(true);
    expect([...run.state.gates.values()].every((gate) => gate.status !== "open")).toBe(true);
  });

  it("marked as not done has failed, with who said it", () => {
    const run = unknown();
    say(run, { action: "not_done", reason: "No payment in the ledger" });
    run.decide();
    expect(run.statusOf("pay")).toBe("failed");
    expect(run.state.tasks.get("pay")?.cause?.message).toContain("ann said that it did not take effect: No payment");
  });

  it("is called again once a person wants that, with the same key, since it may have happened", () => {
    const run = unknown();
    const key = run.calls.get("pay")?.idempotencyKey ?? "run-1:pay:1";
    say(run, { action: "retry" });
    run.decide();
    expect(run.dispatched).toEqual(["pay", "pay"]);
    expect(run.calls.get("pay")).toMatchObject({ attempt: 2, idempotencyKey: key });
  });

  it.each([
    ["without a reason", { action: "done", reason: "  " }, "reason_required"],
    ["with an output that does not fit", { action: "done", output: { surplus: 1 } }, "output_invalid"],
    ["of another attempt", { action: "done", attempt: 2 }, "outcome_changed"],
    ["by somebody without the role", { action: "done", by: signer("bob", { roles: ["engineer"] }) }, "not_eligible"],
    ["by an agent", { action: "done", by: signer("bot", { isAgent: true }) }, "not_eligible"],
    ["by a look-up that is not there", { action: "look_up" }, "look_up_unavailable"],
  ] as const)("refuses it %s", (_how, said, code) => {
    const run = unknown();
    expect(say(run, said)).toBe(code);
    expect(run.statusOf("pay")).toBe("unknown_outcome");
  });

  it("tells the second of two people who was first", () => {
    const run = unknown();
    expect(say(run, { action: "done" })).toBe("done");
    const said = { taskId: "pay", attempt: 1, action: "not_done", reason: "No." } as const;
    const second = checkReconciliation(run.state, said, { signer: signer("bob"), now: 1, checkSchema });
    expect(second).toMatchObject({
      ok: false,
      error: { code: "outcome_settled", message: expect.stringContaining("ann") },
    });
  });

  it("takes an answer at its gate for what it is, even before its consequence is written down", () => {
    const run = unknown();
    const [gate] = [...run.state.gates.values()];
    const { gateId = "", argumentsHash = "" } = gate?.request ?? {};
    run.append({
      type: "approval_decided",
      at: 1,
      gateId: gateId as never,
      decision: "approve",
      by: person("ann"),
      argumentsHash,
      answer: "succeeded",
    });
    expect(say(run, { action: "not_done", by: signer("bob") })).toBe("outcome_settled");
  });

  it("is refused once the run was cancelled", () => {
    const run = unknown().append({ type: "run_cancelled", at: 1, by: person("ann") });
    expect(say(run, { action: "done" })).toBe("run_ended");
  });
});
