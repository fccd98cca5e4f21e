import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffPlans } from "#kernel/plan/diff";
import { planSchema } from "#kernel/plan/plan";
import { ok } from "#kernel/result";
import type { NewRunEvent } from "#kernel/run/event";
import type { RunState } from "#kernel/run/state";
import { type Credentials, openApiServer } from "../../support/api-server";
import { codeOf, countingPlan, GateWorld } from "../../support/gate-world";
import { until } from "../../support/until";

let world: GateWorld;
let second: Credentials & { readonly personId: string };
let outsider: Credentials;

beforeAll(async () => {
  world = new GateWorld(await openApiServer());
  const { api } = world;
  second = await api.addPerson({ name: "second", roles: ["approver"], workspaceId: api.workspaceId });
  outsider = await api.addPerson({ name: "outsider", roles: ["approver", "engineer"] });
});
afterAll(() => world.close());

const submit = (runId: string, make: (state: RunState, now: number) => NewRunEvent[]) =>
  world.api.services.runs.submit(world.api.workspaceId, runId, (state, now) => ok(make(state, now)));

const gateRow = async (gateId: string) =>
  (await world.api.database.pool.query("SELECT status FROM gates WHERE id = $1", [gateId])).rows[0].status;

describe("R16 time, by the database's clock", () => {
  test("at the end of the time to decide, give or take 5 ms, what counts is on which side the decision landed", async () => {
    const names = Array.from({ length: 21 }, (_, index) => `edge-${index}`);
    const { runId, gates } = await world.open(countingPlan(names, { decideWithinSeconds: 1.5 }));
    const decideBy = (await world.requests(runId))[0]?.decideBy ?? 0;
    const offset = (await world.api.services.now()) - performance.now();
    const answers = await Promise.all(
      gates.map(async (gate, index) => {
        await delay(decideBy + (index - 10) / 2 - (performance.now() + offset));
        return { gate, answer: await world.decide(gate) };
      }),
    );
    const decisions = new Map((await world.decisions(runId)).map((decision) => [decision.gateId as string, decision]));
    for (const { gate, answer } of answers) {
      if (answer.status !== 200) expect(codeOf(answer)).toBe("gate_expired");
      const at = decisions.get(gate.gateId)?.at;
      if (answer.status === 200) expect(at).toBeLessThan(decideBy);
      else expect(at).toBeUndefined();
    }
  });

  test("nothing is decided after expiry, after a cancellation, or after the end of the run", async () => {
    const expired = await world.openOne(countingPlan(["late"], { decideWithinSeconds: 0 }));
    expect(codeOf(await world.decide(expired.gate))).toBe("gate_expired");
    await world.advance(expired.runId);
    expect(codeOf(await world.decide(expired.gate))).toBe("gate_expired");

    const cancelled = await world.openOne(countingPlan(["cancelled"]));
    await submit(cancelled.runId, (_state, at) => [
      { type: "run_cancelled", at, by: { id: second.personId as never, name: "second" } },
    ]);
    expect(codeOf(await world.decide(cancelled.gate))).toBe("run_finished");
    await world.advance(cancelled.runId);
    expect((await world.decide(cancelled.gate)).status).toBe(409);
    for (const { runId } of [expired, cancelled]) expect(await world.decisions(runId)).toEqual([]);
  });
});

describe("R17 a captured decision, sent again", () => {
  test("for the same gate is refused, and entered in the audit", async () => {
    const { runId, gate } = await world.openOne(countingPlan(["replay"]));
    expect((await world.decide(gate)).status).toBe(200);
    expect(codeOf(await world.decide(gate))).toBe("gate_closed");
    expect(codeOf(await world.decide(gate, {}, second))).toBe("gate_closed");
    expect(await world.decisions(runId)).toHaveLength(1);
    expect(await world.refusals(gate.gateId)).toEqual(["gate_closed", "gate_closed"]);
  });

  test("for a gate that was asked anew is refused: another id, another nonce", async () => {
    const { runId, gate } = await world.openOne(countingPlan(["reopened"], { quorum: 2 }));
    await world.decide(gate);
    expect((await world.api.mutate("gates.revoke", { gateId: gate.gateId }, world.api.keys.approver)).data.status).toBe(
      "revoked",
    );
    await world.advance(runId);
    const next = await world.latest(runId);
    expect(next.gateId).not.toBe(gate.gateId);
    expect(next.nonce).not.toBe(gate.nonce);
    expect(codeOf(await world.decide(gate))).toBe("gate_superseded");
    expect(codeOf(await world.decide({ ...gate, gateId: next.gateId }))).toBe("gate_changed");
    expect(await world.refusals(gate.gateId)).toEqual(["gate_superseded"]);
    expect(await world.refusals(next.gateId)).toEqual(["gate_changed"]);
  });

  test("for the same step of another run is refused", async () => {
    const one = await world.openOne(countingPlan(["same"]));
    const other = await world.openOne(countingPlan(["same"]));
    expect(one.gate.argumentsHash).toBe(other.gate.argumentsHash);
    expect(codeOf(await world.decide({ ...one.gate, gateId: other.gate.gateId }))).toBe("gate_changed");
    expect(await world.refusals(other.gate.gateId)).toEqual(["gate_changed"]);
    expect(await world.decisions(other.runId)).toEqual([]);
  });

  test("from another workspace finds nothing, as for a gate that never was", async () => {
    const { runId, gate } = await world.openOne(countingPlan(["foreign"]));
    const foreign = await world.decide(gate, {}, outsider);
    const random = await world.decide({ ...gate, gateId: "never" }, {}, outsider);
    expect(foreign.status).toBe(404);
    expect(foreign.error).toEqual(random.error);
    expect((await world.api.mutate("gates.revoke", { gateId: gate.gateId }, outsider)).status).toBe(404);
    expect(await world.refusals(gate.gateId)).toEqual(["not_found"]);
    expect(await world.decisions(runId)).toEqual([]);
  });

  test("from a page that was opened before the request changed is refused by its nonce", async () => {
    const { runId, gate } = await world.openOne(countingPlan(["stale"]));
    await world.decide(gate, { decision: "send_back", reason: "typo", editedArguments: { key: "stale-edited" } });
    await world.advance(runId);
    const next = await world.latest(runId);
    const stale = { ...gate, gateId: next.gateId };
    expect(codeOf(await world.decide(stale, {}, second))).toBe("gate_changed");
    expect(codeOf(await world.decide({ ...next, argumentsHash: gate.argumentsHash }, {}, second))).toBe("gate_changed");
    expect((await world.decide(next, {}, second)).status).toBe(200);
  });
});

describe("R18 what was approved is what runs", () => {
  test("a revision asks anew, even where the step itself is the same", async () => {
    const { runId, gate } = await world.openOne(countingPlan(["revised"]));
    await world.decide(gate);
    await submit(runId, (state, at) => {
      const before = state.plan ?? planSchema.parse(countingPlan(["revised"]));
      const plan = { ...before, tasks: before.tasks.map((task) => ({ ...task, arguments: { key: "other" } })) };
      const diff = diffPlans(before, plan);
      const news = { revision: 2, reason: "new_information" as const, triggerSeq: 1, by: "test" };
      return [{ type: "plan_revised", at, ...news, plan, capabilities: [...state.capabilities.values()], diff }];
    });
    await world.advance(runId);
    const next = await world.latest(runId);
    expect(await gateRow(gate.gateId)).toBe("superseded");
    expect(next.argumentsHash).not.toBe(gate.argumentsHash);
    expect(codeOf(await world.decide(gate, {}, second))).toBe("gate_superseded");
  });

  test("the same arguments in another order, or 1.0 for 1, are the same request; another value is another", async () => {
    const plan = (text: string) => ({
      format: "planwright/v1",
      name: "order",
      tasks: [{ id: "a", capability: "test.echo", arguments: JSON.parse(text), approval: {} }],
    });
    const hash = async (text: string) => (await world.openOne(plan(text))).gate.argumentsHash;
    const one = await hash('{"value":{"a":1,"b":[1.0,2e0]}}');
    expect(await hash('{"value":{"b":[1,2],"a":1.00}}')).toBe(one);
    expect(await hash('{"value":{"b":[2,1],"a":1}}')).not.toBe(one);
    expect(await hash('{"value":{"b":[1,2],"a":"1"}}')).not.toBe(one);
  });

  test("bugs 25: the bytes that were approved are the bytes that run: defaults are shown, and nothing is changed again", async () => {
    const worker = await world.work();
    try {
      const runId = await world.start({
        format: "planwright/v1",
        name: "from upstream",
        tasks: [
          { id: "source", capability: "test.echo", arguments: { value: { n: "3", list: [1, 2] } } },
          {
            id: "gated",
            capability: "test.echo",
            arguments: { value: { $output: "source#/value" } },
            approval: {},
          },
        ],
      });
      const request = await until("it is asked", async () => (await world.requests(runId))[0]);
      expect(request.arguments).toEqual({ value: { n: "3", list: [1, 2] } });
      await world.decide(request);
      expect(await world.ended(runId)).toBe("completed");
      const end = (await world.events(runId)).findLast((event) => event.type === "task_succeeded");
      expect(end).toMatchObject({ taskId: "gated", observation: { output: request.arguments } });
    } finally {
      await worker.stop();
    }
  });

  test("a retry runs the request that was approved, and asks nobody again", async () => {
    const worker = await world.work();
    try {
      const runId = await world.start({
        format: "planwright/v1",
        name: "retried",
        tasks: [
          {
            id: "flaky",
            capability: "test.flaky",
            arguments: { failures: 1, kind: "retryable" },
            retry: { maxAttempts: 3, backoffSeconds: 0.05 },
            approval: {},
          },
        ],
      });
      const request = await until("it is asked", async () => (await world.requests(runId))[0]);
      await world.decide(request);
      expect(await world.ended(runId)).toBe("completed");
      expect(await world.requests(runId)).toHaveLength(1);
    } finally {
      await worker.stop();
    }
  });
});

describe("taking an approval back", () => {
  test("voids the round until what it lets run is dispatched, and not after", async () => {
    const { runId, gate } = await world.openOne(countingPlan(["back"]));
    const revoke = (gateId: string, who: Credentials = world.api.keys.approver) =>
      world.api.mutate("gates.revoke", { gateId, reason: "second thoughts" }, who);
    expect(codeOf(await revoke(gate.gateId))).toBe("not_signed");
    await world.decide(gate);
    expect(codeOf(await revoke(gate.gateId, second))).toBe("not_signed");
    expect((await revoke(gate.gateId)).data.status).toBe("revoked");
    expect(codeOf(await revoke(gate.gateId))).toBe("gate_closed");
    await world.advance(runId);
    const next = await world.latest(runId);
    await world.decide(next);
    await submit(runId, (_state, at) => [
      { type: "task_dispatched", at, taskId: "back" as never, attempt: 1, gateId: next.gateId as never },
    ]);
    expect(codeOf(await revoke(next.gateId))).toBe("already_started");
    const { rows } = await world.api.database.pool.query(
      "SELECT action FROM audit_entries WHERE subject_id = ANY($1) AND action LIKE 'gate.approval_revoked%' ORDER BY number",
      [[gate.gateId, next.gateId]],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "gate.approval_revoked_refused",
      "gate.approval_revoked_refused",
      "gate.approval_revoked",
      "gate.approval_revoked_refused",
      "gate.approval_revoked_refused",
    ]);
  });

  test("races the dispatch: either nothing runs and it is asked anew, or it runs once and the answer says too late", async () => {
    const worker = await world.work();
    try {
      const ends = await Promise.all(
        Array.from({ length: 20 }, async (_, round) => {
          const key = `revoked-${round}`;
          const runId = await world.start(countingPlan([key]));
          const request = await until("it is asked", async () => (await world.requests(runId))[0]);
          await world.decide(request);
          const answer = await world.api.mutate("gates.revoke", { gateId: request.gateId }, world.api.keys.approver);
          if (answer.status === 200) {
            const again = await until("it is asked anew", async () => (await world.requests(runId))[1]);
            expect(world.effects(key)).toBe(0);
            await world.decide(again);
          } else {
            expect(codeOf(answer)).toMatch(/already_started|run_finished/);
          }
          expect(await world.ended(runId)).toBe("completed");
          expect(world.effects(key)).toBe(1);
          return answer.status;
        }),
      );
      expect(new Set(ends).size).toBeGreaterThan(0);
    } finally {
      await worker.stop();
    }
  });
});

test("no request was answered with a fault of ours", () => {
  expect(world.api.faults).toEqual([]);
});
