import { describe, expect, it } from "vitest";
import type { GateId, PersonId } from "#kernel/ids";
import { checkDecision, type Decision } from "#kernel/run/approval";
import type { Signer } from "#kernel/run/authority";
import type { RunEventOf } from "#kernel/run/event";
import { checkRevocation } from "#kernel/run/revocation";
import { argumentsHash } from "#kernel/run/signature";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { planOf } from "../../../support/run-fixture";

const signer = (id: string, roles = ["approver"], more: Partial<Signer> = {}): Signer => ({
  id: id as PersonId,
  name: id,
  roles,
  ...more,
});

const requestOf = (run: ModelRun, taskId?: string): RunEventOf<"approval_requested"> => {
  const gate = [...run.state.gates.values()].findLast((each) => each.request.taskId === taskId);
  if (gate === undefined) throw new Error("no gate");
  return gate.request;
};

const sign = (
  run: ModelRun,
  request: RunEventOf<"approval_requested">,
  more: Partial<Decision> = {},
  who = signer("ada"),
) => {
  const { gateId, nonce, argumentsHash: hash } = request;
  const decision: Decision = { gateId, nonce, argumentsHash: hash, decision: "approve", ...more };
  const checkSchema = () => [];
  return checkDecision(run.state, decision, { signer: who, now: run.now, checkSchema });
};

/** Signs and decides on; throws where the decision is refused. */
const decide = (
  run: ModelRun,
  request: RunEventOf<"approval_requested">,
  more: Partial<Decision> = {},
  who = signer("ada"),
): ModelRun => {
  const result = sign(run, request, more, who);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return run.append(...result.value).decide();
};

const refusal = (result: ReturnType<typeof sign>) => (result.ok ? "accepted" : result.error.code);

const signed = (rest: Record<string, unknown> = {}, others: { id: string }[] = []) =>
  new ModelRun(planOf([{ id: "a", approval: {}, ...rest }, ...others])).decide();

describe("R11 gates", () => {
  it("stores the resolved arguments, their hash and origins, and runs exactly them", () => {
    const plan = planOf([
      { id: "source" },
      { id: "a", approval: {}, arguments: { value: { $output: "source#/n" }, words: 3 } },
    ]);
    const run = new ModelRun(plan).decide().answer("source", { ...SUCCESS, output: { n: 7 } });
    const request = requestOf(run, "a");
    expect(request.arguments).toEqual({ value: 7, words: 3 });
    expect(request.argumentsHash).toBe(argumentsHash({ words: 3, value: 7.0 }));
    expect(request.origins).toContainEqual({ pointer: "/value", from: ["source#/n"] });
    expect(run.statusOf("a")).toBe("awaiting_approval");
    decide(run, request);
    expect(run.calls.get("a")).toMatchObject({ arguments: request.arguments, gateId: request.gateId });
    expect(run.answer("a").state.gates.get(request.gateId)?.status).toBe("used");
  });

  it("opens parallel gates side by side, and waits for both before their join", () => {
    const run = new ModelRun(
      planOf([
        { id: "g1", approval: {} },
        { id: "g2", approval: {} },
        { id: "z", dependsOn: ["g1", "g2"] },
      ]),
    ).decide();
    decide(run, requestOf(run, "g1")).answer("g1");
    expect(run.statusOf("z")).toBe("pending");
    decide(run, requestOf(run, "g2")).answer("g2");
    expect(run.statusOf("z")).toBe("dispatched");
  });

  it("refuses the requester and the plan's author, who asked for it themselves", () => {
    const run = signed();
    expect(refusal(sign(run, requestOf(run, "a"), {}, signer("requester")))).toBe("four_eyes");
    expect(refusal(sign(run, requestOf(run, "a"), {}, signer("author")))).toBe("four_eyes");
    expect(refusal(sign(run, requestOf(run, "a")))).toBe("accepted");
  });

  it("judges authority when the decision lands: role, person, agent", () => {
    const run = signed({ approval: { people: ["ada@example.org"] } });
    const request = requestOf(run, "a");
    expect(refusal(sign(run, request, {}, signer("bob", ["engineer"])))).toBe("not_eligible");
    expect(refusal(sign(run, request, {}, signer("bob")))).toBe("not_eligible");
    expect(refusal(sign(run, request, {}, signer("ada", ["approver"], { isAgent: true })))).toBe("not_eligible");
    expect(refusal(sign(run, request, {}, signer("x", ["approver"], { email: "Ada@example.org" })))).toBe("accepted");
  });

  it("counts distinct people, and tells the second of two who race who was first and when", () => {
    const run = signed({ approval: { quorum: 2 } });
    const request = requestOf(run, "a");
    decide(run, request, {}, signer("ada"));
    expect(run.statusOf("a")).toBe("awaiting_approval");
    expect(refusal(sign(run, request, {}, signer("ada")))).toBe("already_decided");
    decide(run, request, {}, signer("bob"));
    const late = sign(run, request, {}, signer("eve"));
    expect(late).toMatchObject({ ok: false, error: { code: "gate_not_open", by: { name: "bob" }, at: run.now } });
  });

  it("refuses a decision made on another request: nonce, arguments, unknown gate", () => {
    const run = signed();
    const request = requestOf(run, "a");
    expect(refusal(sign(run, request, { nonce: "old" }))).toBe("nonce_mismatch");
    expect(refusal(sign(run, request, { argumentsHash: "0".repeat(64) }))).toBe("hash_mismatch");
    expect(refusal(sign(run, { ...request, gateId: "other" as GateId }))).toBe("gate_not_found");
  });

  it("wants a reason for a rejection, and then cancels the task and rejects the run", () => {
    const run = signed({}, [{ id: "b" }]);
    const request = requestOf(run, "a");
    expect(refusal(sign(run, request, { decision: "reject", reason: " " }))).toBe("reason_required");
    decide(run, request, { decision: "reject", reason: "Too dear." });
    expect(run.state.tasks.get("a")).toMatchObject({ status: "cancelled", cause: { code: "approval_rejected" } });
    run.answer("b");
    expect(run.state).toMatchObject({ outcome: "rejected" });
    expect(run.state.outcomeReason).toContain("Too dear.");
  });

  it("fails closed when nobody decides in time, at the very moment", () => {
    const run = signed({ approval: { decideWithinSeconds: 10 } });
    const request = requestOf(run, "a");
    run.now = 9_999;
    expect(refusal(sign(run, request))).toBe("accepted");
    run.now = 10_000;
    expect(refusal(sign(run, request))).toBe("expired");
    run.decide();
    expect(run.state.tasks.get("a")).toMatchObject({ status: "cancelled", cause: { code: "approval_expired" } });
    expect(run.state.outcome).toBe("rejected");
    expect(refusal(sign(run, request))).toBe("expired");
  });

  it("asks again when an approval was not used within its time", () => {
    const run = new ModelRun(
      planOf([{ id: "busy" }, { id: "a", approval: { executeWithinSeconds: 5 }, estimate: { seconds: 0 } }], {
        maxParallel: 1,
      }),
    ).decide();
    const first = requestOf(run, "a");
    decide(run, first);
    expect(run.wakeAt).toBe(5_000);
    run.wake();
    expect(run.state.gates.get(first.gateId)?.status).toBe("expired");
    expect(requestOf(run, "a").gateId).not.toBe(first.gateId);
    expect(run.answer("busy").calls.has("a")).toBe(false);
  });

  it("lets a retry use the approval of the same request, while its time lasts", () => {
    const run = signed({ approval: { executeWithinSeconds: 60 }, retry: { maxAttempts: 3, backoffSeconds: 40 } });
    decide(run, requestOf(run, "a")).answer("a", { ...FAILURE, status: "retryable" });
    run.wake();
    expect(run.calls.get("a")?.attempt).toBe(2);
    run.answer("a", { ...FAILURE, status: "retryable" }).wake();
    expect(run.calls.has("a")).toBe(false);
    expect(run.statusOf("a")).toBe("awaiting_approval");
  });

  it("sends edited arguments back to another signer, with a new hash and without the editor", () => {
    const run = signed();
    const first = requestOf(run, "a");
    expect(refusal(sign(run, first, { decision: "send_back" }))).toBe("arguments_required");
    decide(run, first, { decision: "send_back", editedArguments: { value: 2 } });
    const second = requestOf(run, "a");
    expect(second.gateId).not.toBe(first.gateId);
    expect(second.arguments).toEqual({ value: 2 });
    expect(second.argumentsHash).not.toBe(first.argumentsHash);
    expect(refusal(sign(run, second))).toBe("four_eyes");
    expect(decide(run, second, {}, signer("bob")).calls.get("a")?.arguments).toEqual({ value: 2 });
  });

  it("refuses edited arguments that do not fit the capability's schema", () => {
    const run = signed();
    const { gateId, nonce, argumentsHash: hash } = requestOf(run, "a");
    const decision: Decision = { gateId, nonce, argumentsHash: hash, decision: "send_back", editedArguments: 1 };
    const issue = { pointer: "/value", keyword: "type", message: "must be text" };
    const result = checkDecision(run.state, decision, { signer: signer("ada"), now: 0, checkSchema: () => [issue] });
    expect(result).toMatchObject({ ok: false, error: { code: "arguments_invalid" } });
  });

  it("asks a person a question, and makes the answer the task's output", () => {
    const run = new ModelRun(
      planOf([
        { id: "ask", capability: "human.ask", arguments: { question: "Which one?", role: "reviewer" } },
        { id: "use", arguments: { value: { $output: "ask#/answer" } } },
      ]),
    ).decide();
    const request = requestOf(run, "ask");
    expect(request).toMatchObject({ purpose: "question", role: "reviewer", question: { text: "Which one?" } });
    const asker = signer("requester", ["reviewer"]);
    expect(refusal(sign(run, request, {}, asker))).toBe("answer_required");
    decide(run, request, { answer: "the red one" }, asker);
    expect(run.statusOf("ask")).toBe("succeeded");
    expect(run.calls.get("use")?.arguments).toEqual({ value: "the red one" });
    expect(run.state.budgetUse.toolCalls).toBe(1);
  });

  it("signs the plan before its first step, and ends the run where it is rejected", () => {
    const plan = planOf([{ id: "a" }, { id: "b" }], { approval: {} });
    const run = new ModelRun(plan).decide();
    expect(run.dispatched).toEqual([]);
    decide(run, requestOf(run));
    expect(run.dispatched).toEqual(["a", "b"]);
    const refused = new ModelRun(plan).decide();
    decide(refused, requestOf(refused), { decision: "reject", reason: "No." });
    expect(refused.state.outcome).toBe("rejected");
    expect(refused.dispatched).toEqual([]);
    expect(refused.statusOf("b")).toBe("cancelled");
  });

  it("asks whether a blocked task may run all the same", () => {
    const plan = planOf([
      { id: "a", onFailure: "block_dependents" },
      { id: "b", dependsOn: ["a"] },
    ]);
    const run = new ModelRun(plan).decide().answer("a", FAILURE);
    expect(run.statusOf("b")).toBe("blocked");
    expect(requestOf(run, "b").purpose).toBe("release");
    decide(run, requestOf(run, "b"));
    expect(run.statusOf("b")).toBe("dispatched");
    expect(run.answer("b").state.outcome).toBe("stop_terminal_failure");
  });

  it("asks whether a lost write took effect, and repeats it only when told so", () => {
    const plan = planOf([{ id: "w", capability: "test.effect", arguments: {} }]);
    const lost = { ...FAILURE, sideEffect: "unknown" as const };
    const run = new ModelRun(plan).decide().answer("w", lost);
    expect(run.statusOf("w")).toBe("unknown_outcome");
    expect(run.dispatched).toHaveLength(1);
    decide(run, requestOf(run, "w"), { answer: "retry" });
    expect(run.dispatched).toHaveLength(2);
    run.answer("w", lost);
    decide(run, requestOf(run, "w"), { answer: "succeeded" });
    expect(run.statusOf("w")).toBe("succeeded");
    expect(run.state.outcome).toBe("completed");
  });

  it("reminds once, an hour before the end of a long time to decide, or when the plan says", () => {
    const reminded = (run: ModelRun) => run.log.filter((event) => event.type === "approval_reminded").length;
    const long = signed({ approval: { decideWithinSeconds: 10_000 } });
    expect(long.wakeAt).toBe(6_400_000);
    expect(reminded(long.wake())).toBe(1);
    expect(long.wakeAt).toBe(10_000_000);
    expect(reminded(long.decide())).toBe(1);
    expect(refusal(sign(long, requestOf(long, "a")))).toBe("accepted");
    expect(signed({ approval: { decideWithinSeconds: 60 } }).wakeAt).toBe(60_000);
    expect(signed({ approval: { decideWithinSeconds: 60, remindBeforeSeconds: 20 } }).wakeAt).toBe(40_000);
    expect(signed({ approval: { decideWithinSeconds: 10_000, remindBeforeSeconds: 0 } }).wakeAt).toBe(10_000_000);
    const decided = signed({ approval: { decideWithinSeconds: 60, remindBeforeSeconds: 20 } });
    decide(decided, requestOf(decided, "a"));
    decided.now = 50_000;
    expect(reminded(decided.decide())).toBe(0);
  });

  it("lets further people sign from the moment of the escalation on, whether or not it has been written down", () => {
    const escalate = { afterSeconds: 10, role: "admin", people: ["eve"] };
    const run = signed({ approval: { decideWithinSeconds: 60, escalate } });
    const request = requestOf(run, "a");
    run.now = 9_999;
    expect(refusal(sign(run, request, {}, signer("eve", ["admin"])))).toBe("not_eligible");
    run.now = 10_000;
    expect(refusal(sign(run, request, {}, signer("eve", ["admin"])))).toBe("accepted");
    expect(refusal(sign(run, request, {}, signer("eve", ["engineer"])))).toBe("not_eligible");
    expect(refusal(sign(run, request, {}, signer("bob", ["admin"])))).toBe("not_eligible");
    expect(refusal(sign(run, request, {}, signer("requester", ["admin"])))).toBe("four_eyes");
    expect(refusal(sign(run, request))).toBe("accepted");
    run.decide().decide();
    expect(run.log.filter((event) => event.type === "approval_escalated")).toHaveLength(1);
  });

  it("takes an approval back until the call is dispatched, and asks anew", () => {
    const back = (run: ModelRun, gateId: string, who = signer("ada")) =>
      checkRevocation(run.state, { gateId }, { signer: who, now: run.now });
    const busy = new ModelRun(
      planOf([{ id: "busy" }, { id: "a", approval: {}, estimate: { seconds: 0 } }], { maxParallel: 1 }),
    );
    const request = requestOf(busy.decide(), "a");
    decide(busy, request);
    expect(back(busy, request.gateId, signer("bob"))).toMatchObject({ ok: false, error: { code: "not_signed" } });
    const taken = back(busy, request.gateId);
    if (!taken.ok) throw new Error(taken.error.message);
    busy.append(...taken.value).decide();
    const next = requestOf(busy, "a");
    expect(next.gateId).not.toBe(request.gateId);
    expect(next.nonce).not.toBe(request.nonce);
    expect(refusal(sign(busy, request))).toBe("superseded");
    busy.answer("busy");
    expect(busy.calls.has("a")).toBe(false);
    decide(busy, next);
    expect(back(busy, next.gateId)).toMatchObject({ ok: false, error: { code: "already_started" } });
  });

  it("holds back the next attempt of a step whose approval is taken back between two", () => {
    const run = signed({ retry: { maxAttempts: 3, backoffSeconds: 40 } });
    const request = requestOf(run, "a");
    decide(run, request).answer("a", { ...FAILURE, status: "retryable", errorCategory: "unavailable" });
    const taken = checkRevocation(run.state, { gateId: request.gateId }, { signer: signer("ada"), now: run.now });
    if (!taken.ok) throw new Error(taken.error.message);
    run.append(...taken.value).decide();
    run.now += 60_000;
    run.decide();
    expect(run.calls.has("a")).toBe(false);
    expect(run.statusOf("a")).toBe("awaiting_approval");
  });

  it("asks for the sign-off of the plan anew where a signature of it is taken back", () => {
    const run = new ModelRun(planOf([{ id: "a" }], { approval: { quorum: 2 } })).decide();
    const request = requestOf(run);
    decide(run, request);
    const taken = checkRevocation(run.state, { gateId: request.gateId }, { signer: signer("ada"), now: run.now });
    if (!taken.ok) throw new Error(taken.error.message);
    run.append(...taken.value).decide();
    expect(requestOf(run).gateId).not.toBe(request.gateId);
    decide(run, requestOf(run));
    expect(run.dispatched).toEqual([]);
    decide(run, requestOf(run), {}, signer("bob"));
    expect(run.dispatched).toEqual(["a"]);
  });

  it("decides nothing after a cancellation or the end of the run", () => {
    const run = signed();
    const request = requestOf(run, "a");
    const by = { id: "eve" as PersonId, name: "eve" };
    run.append({ type: "run_cancelled", at: 0, by });
    expect(refusal(sign(run, request))).toBe("run_ended");
    run.decide();
    expect(refusal(sign(run, request))).toBe("expired");
    expect(run.state.liveGates.size).toBe(0);
  });
});
