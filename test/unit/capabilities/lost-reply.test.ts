import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createProxy, type Server as NetServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpRequest } from "#kernel/capability/built-in/http";
import { type CapabilitySnapshot, snapshotCapability } from "#kernel/capability/capability";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { httpImplementations } from "../../../server/capabilities/http";
import { systemTimers } from "../../../server/runtime/controller";
import { makeCall } from "../../../server/runtime/driver/make-call";
import { ModelRun } from "../../support/model-run";
import { planOf } from "../../support/run-fixture";

const ROUNDS = 100;

/** The effects of every request that reached the service, by what it was about: the judge. */
const effects = new Map<string, number>();
const keysSeen = new Set<string>();
let requests = 0;
let service: Server;
let proxy: NetServer;
let url: string;
/** Replies that the proxy still swallows, by what the request was about. */
const cuts = new Map<string, number>();

beforeAll(async () => {
  service = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      requests += 1;
      const about = request.url ?? "";
      const key = String(request.headers["idempotency-key"]);
      const honours = about.startsWith("/keyed/");
      if (!honours || !keysSeen.has(key)) effects.set(about, (effects.get(about) ?? 0) + 1);
      keysSeen.add(key);
      response.setHeader("content-type", "application/json").end('{"done":true}');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const servicePort = (service.address() as AddressInfo).port;
  // Lets requests through and cuts the connection as soon as the service has begun to answer: it has committed by then.
  proxy = createProxy((client) => {
    const upstream = connect(servicePort, "127.0.0.1");
    let about = "";
    client.on("data", (chunk: Buffer) => {
      about ||= chunk.toString("latin1").split(" ", 2)[1] ?? "";
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      const left = cuts.get(about) ?? 0;
      if (left > 0) {
        cuts.set(about, left - 1);
        client.destroy();
        upstream.destroy();
      } else {
        client.write(chunk);
      }
    });
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  service.closeAllConnections();
  await Promise.all([service, proxy].map((server) => new Promise((resolve) => server.close(resolve))));
});

const KEYED = snapshotCapability({ ...httpRequest, name: "test.keyed", idempotency: "key" });

const implementations = httpImplementations({ allowedHosts: [], allowedPrivate: ["127.0.0.1"] });
const executor = capabilityExecutor([
  ...implementations,
  ...implementations
    .filter(({ capability }) => capability.name === httpRequest.name)
    .map((each) => ({ ...each, capability: KEYED })),
]);

/** Drives a run of one request until it waits for nothing but a person. */
async function drive(path: string, capability: CapabilitySnapshot): Promise<ModelRun> {
  const retry = { maxAttempts: 4, backoffSeconds: 0 };
  const task = { id: "send", capability: capability.name, arguments: { method: "POST", url: url + path }, retry };
  const run = new ModelRun(planOf([task]), {}, { capabilities: [KEYED] }).decide();
  for (let call = run.calls.get("send"); call !== undefined; call = run.calls.get("send")) {
    const context = {
      runId: path,
      taskId: "send",
      attempt: call.attempt,
      idempotencyKey: path + call.idempotencyKey,
      workspaceId: "w",
    };
    const request = { ...call, changes: true, context };
    run.answer("send", await makeCall(executor, systemTimers, { request, abort: new AbortController() }));
  }
  return run;
}

describe("a reply that is lost after the service has committed", () => {
  it(`costs one effect where the service honours the key, whatever the retries (${ROUNDS} rounds)`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const path = `/keyed/${round}`;
      cuts.set(path, 1 + (round % 3));
      const run = await drive(path, KEYED);
      expect(run.state.outcome).toBe("completed");
      expect(run.dispatched).toHaveLength(2 + (round % 3));
      expect(effects.get(path)).toBe(1);
    }
  });

  it(`is never repeated where it honours none: the outcome is unknown and a person is asked (${ROUNDS} rounds)`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const path = `/plain/${round}`;
      cuts.set(path, 1);
      const before = requests;
      const run = await drive(path, snapshotCapability(httpRequest));
      expect(run.statusOf("send")).toBe("unknown_outcome");
      expect(requests - before).toBe(1);
      expect(effects.get(path)).toBe(1);
      expect([...run.state.gates.values()].map((gate) => gate.request.purpose)).toEqual(["reconcile"]);
    }
  });
});
