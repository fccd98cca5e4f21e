import { describe, expect, it } from "vitest";
import { checkDecision } from "#kernel/run/approval";
import { checkRevocation } from "#kernel/run/revocation";
import { DrivenRun } from "../../support/driven-run";
import { quiet } from "../../support/fake-time";
import { person, planOf } from "../../support/run-fixture";

const signer = { ...person("ada"), roles: ["approver"] };

const plan = (rest: object = {}) =>
  planOf([{ id: "w", capability: "test.effect", arguments: {}, approval: { executeWithinSeconds: 5 }, ...rest }]);

function approve(run: DrivenRun): void {
  const { state } = run;
  const gate = [...state.gates.values()].at(-1);
  if (gate === undefined) throw new Error("nothing was asked");
  const { gateId, nonce, argumentsHash } = gate.request;
  const decided = checkDecision(
    state,
    { gateId, nonce, argumentsHash, decision: "approve" },
    { signer, now: run.time.now() },
  );
  if (!decided.ok) throw new Error(decided.error.message);
  run.log.submit(...decided.value);
}

describe("a gated call", () => {
  it("is not made where its start became durable only after its approval had run out", async () => {
    const run = new DrivenRun(plan({ retry: { maxAttempts: 2, backoffSeconds: 0 } }));
    await run.drive();
    let release: () => void = () => {};
    run.log.hold = new Promise((resolve) => {
      release = resolve;
    });
    approve(run);
    await run.drive();
    await quiet();
    await run.time.advance(6_000);
    run.log.hold = undefined;
    release();
    await quiet();
    expect(run.executor.calls).toEqual([]);
    // It is asked anew, and the second approval lets it run.
    expect([...run.state.gates.values()].map(({ status }) => status)).toEqual(["expired", "open"]);
    approve(run);
    await run.drive();
    expect(run.executor.calls).toHaveLength(1);
    expect(run.state.outcome).toBe("completed");
  });

  it("is not made where the approval was taken back before its start was durable", async () => {
    const run = new DrivenRun(plan());
    await run.drive();
    let release: () => void = () => {};
    run.log.hold = new Promise((resolve) => {
      release = resolve;
    });
    approve(run);
    await run.drive();
    const gateId = [...run.state.gates.keys()][0] ?? "";
    const back = checkRevocation(run.state, { gateId }, { signer, now: run.time.now() });
    if (!back.ok) throw new Error(back.error.message);
    run.log.submit(...back.value);
    run.log.hold = undefined;
    release();
    await quiet();
    await run.drive();
    expect(run.executor.calls).toEqual([]);
    expect([...run.state.gates.values()].map(({ status }) => status)).toEqual(["revoked", "open"]);
  });
});
