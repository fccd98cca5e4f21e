import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { argumentsHash } from "#kernel/run/signature";
import type { Worker } from "../../../server/worker-services";
import { type Credentials, openApiServer } from "../../support/api-server";
import { codeOf, countingPlan, GateWorld, seen } from "../../support/gate-world";
import { brokenInvariants } from "../../support/invariants";
import { until } from "../../support/until";

let world: GateWorld;
let second: Credentials & { readonly personId: string };
const workers: Worker[] = [];

beforeAll(async () => {
  world = new GateWorld(await openApiServer());
  const { api } = world;
  second = await api.addPerson({ name: "second", roles: ["approver"], workspaceId: api.workspaceId });
});
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await world.close();
});

const keys = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const jitter = (msMax: number) => delay(Math.random() * msMax);

test("R15 of two approvers 0 to 50 ms apart one signs, and the other hears who was first and when: 100 rounds", async () => {
  const { runId, gates } = await world.open(countingPlan(keys(100, "race")));
  expect(gates).toHaveLength(100);
  for (let from = 0; from < gates.length; from += 10) {
    await Promise.all(
      gates.slice(from, from + 10).map(async (gate, index) => {
        const contrary = index % 2 === 0 ? {} : { decision: "reject", reason: "no" };
        const answers = await Promise.all([
          jitter(50).then(() => world.decide(gate)),
          jitter(50).then(() => world.decide(gate, contrary, second)),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
        const loser = answers.find(({ status }) => status === 409);
        expect(loser?.error?.data.appCode).toBe("gate_closed");
        const winner = answers[0]?.status === 200 ? "Approver" : "second";
        expect(loser?.error?.data.details).toMatchObject({ by: { name: winner }, at: expect.any(Number) });
      }),
    );
  }
  const decided = (await world.decisions(runId)).map(({ gateId }) => gateId);
  expect(decided).toHaveLength(100);
  expect(new Set(decided).size).toBe(100);
});

test("R21 bugs 18: 100 open gates outlive the worker; each resumes once, and nothing ran before its quorum", async () => {
  const names = keys(50, "restart");
  const one = await world.work();
  const runs = await Promise.all([
    world.start(countingPlan(names.slice(0, 25), { quorum: 2 })),
    world.start(countingPlan(names.slice(25))),
    world.start(countingPlan(keys(50, "more"))),
  ]);
  const all = await until("100 gates are open", async () => {
    const requests = (await Promise.all(runs.map((runId) => world.requests(runId)))).flat();
    return requests.length === 100 && requests.map(seen);
  });
  await one.stop();
  await Promise.all(all.map((gate) => world.decide(gate)));
  const two = await world.work();
  workers.push(two);
  await Promise.all(runs.slice(1).map((runId) => world.ended(runId)));
  expect(names.slice(0, 25).map((key) => world.effects(key))).toEqual(Array(25).fill(0));
  expect(names.slice(25).map((key) => world.effects(key))).toEqual(Array(25).fill(1));
  await Promise.all(all.slice(0, 25).map((gate) => world.decide(gate, {}, second)));
  for (const runId of runs) expect(await world.ended(runId)).toBe("completed");
  expect([...names, ...keys(50, "more")].map((key) => world.effects(key))).toEqual(Array(100).fill(1));
  expect(await brokenInvariants(world.api.database.pool)).toEqual([]);
});

test("bugs 19: two gates of one run decided within 0 to 50 ms of each other both count", async () => {
  const runs = await Promise.all(
    Array.from({ length: 20 }, async (_, round) => {
      const runId = await world.start(countingPlan([`left-${round}`, `right-${round}`]));
      const [left, right] = await until("both are open", async () => {
        const found = await world.requests(runId);
        return found.length === 2 && found.map(seen);
      });
      if (left === undefined || right === undefined) throw new Error("two gates were open");
      const answers = await Promise.all([
        jitter(50).then(() => world.decide(left)),
        jitter(50).then(() => world.decide(right, {}, second)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      return runId;
    }),
  );
  for (const runId of runs) expect(await world.ended(runId)).toBe("completed");
});

test("bugs 13: a decision that races the opening of its gate is refused or counts, and the run never sticks", async () => {
  await workers.shift()?.stop();
  const worker = await world.work((gateId) => `known-${gateId}`);
  workers.push(worker);
  const late: string[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, round) => {
      const key = `opening-${round}`;
      const runId = await world.start(countingPlan([key]));
      const gateId = `${runId}:${key}:1`;
      const gate = { gateId, nonce: `known-${gateId}`, argumentsHash: argumentsHash({ key }) };
      for (;;) {
        await jitter(20);
        const answer = await world.decide(gate);
        if (answer.status === 200) break;
        expect(codeOf(answer)).toBe("not_found");
        late.push(gateId);
      }
      expect(await world.ended(runId)).toBe("completed");
      expect(world.effects(key)).toBe(1);
    }),
  );
  expect(late.length).toBeGreaterThan(0);
});

test("bugs 20: closing every stream in the tick of the answer stops nothing", async () => {
  await Promise.all(
    Array.from({ length: 10 }, async (_, round) => {
      const runId = await world.start(countingPlan([`watched-${round}`]));
      const request = await until("it is open", async () => (await world.requests(runId))[0]);
      const view = new AbortController();
      const input = encodeURIComponent(JSON.stringify({ runs: [{ runId, afterSeq: 0 }], inbox: true }));
      const headers = { ...world.api.keys.approver, accept: "text/event-stream" };
      const stream = await world.api.fetch(`events.stream?input=${input}`, { headers, signal: view.signal });
      expect(stream.status).toBe(200);
      const answer = await world.decide(seen(request));
      view.abort();
      expect(answer.data.status).toMatch(/approved|used/);
      expect(await world.ended(runId)).toBe("completed");
    }),
  );
});

test("bugs 21, 02: a gate whose task is skipped is never opened, and parks nothing", async () => {
  const runId = await world.start({
    format: "planwright/v1",
    name: "skipped",
    tasks: [
      { id: "gated", capability: "test.count", arguments: { key: "skipped" }, approval: {}, when: false },
      { id: "after", capability: "test.echo", arguments: { value: 42 }, dependsOn: ["gated"], join: "all_done" },
    ],
  });
  expect(await world.ended(runId)).toBe("completed");
  expect(await world.requests(runId)).toEqual([]);
});

test("no request was answered with a fault of ours", () => {
  expect(world.api.faults).toEqual([]);
});
