import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunEvent } from "#kernel/run/event";
import { builtInExecutor } from "../../../server/capabilities/built-in";
import { openApiProvider } from "../../../server/capabilities/openapi";
import { createCapabilityRecords } from "../../../server/store/capability-records";
import { createSecretReader } from "../../../server/store/secret-store";
import { startWorker, type Worker } from "../../../server/worker-services";
import { type ApiServer, openApiServer, TEST_KEYS } from "../../support/api-server";
import { type EchoService, startEchoService } from "../../support/echo-service";
import { httpCapability } from "../../support/http-capability";
import { MemoryLog } from "../../support/memory-log";
import { until } from "../../support/until";

let api: ApiServer;
let shop: EchoService;
let worker: Worker;

beforeAll(async () => {
  api = await openApiServer();
  shop = await startEchoService();
  const { pool } = api.database;
  const policy = { allowedHosts: [], allowedPrivate: ["127.0.0.1"] };
  const executor = builtInExecutor({
    folderOf: () => "/nonexistent",
    ledgerFile: "/nonexistent",
    addressPolicy: policy,
    registered: {
      records: createCapabilityRecords(pool),
      providers: new Map([["http", openApiProvider({ policy, secrets: createSecretReader(pool, TEST_KEYS) })]]),
    },
  });
  worker = await startWorker({ database: api.database, executor, log: new MemoryLog() });
});
afterAll(async () => {
  await worker?.stop();
  await shop?.close();
  await api?.close();
});

const ask = async (path: string, input: unknown) => {
  const answer = await api.mutate(path, input, api.keys.engineer);
  expect(answer.status, answer.body).toBe(200);
  return answer.data;
};

/** Registers the version after `baseVersion`: it asks the shop at that path. */
const register = (baseVersion: number, path: string) => {
  const draft = httpCapability("shop.getOrder", { settings: { server: shop.origin, path } });
  return ask("capabilities.register", { draft, baseVersion });
};

const echo = (id: string, more: object = {}) => ({ id, capability: "test.echo", arguments: { value: id }, ...more });
const order = { id: "order", capability: "shop.getOrder", arguments: { orderId: "7" }, dependsOn: ["sign"] };
const planOf = (tasks: readonly object[]) => ({ format: "planwright/v1", name: "order", tasks: [...tasks, order] });
const PLAN = planOf([echo("collect"), echo("sign", { dependsOn: ["collect"], approval: {} })]);
const EDITED = planOf([
  echo("collect"),
  echo("inserted", { dependsOn: ["collect"] }),
  echo("sign", { dependsOn: ["inserted"], approval: {} }),
]);

async function startRun(planId: string): Promise<string> {
  return (await ask("runs.start", { planId })).runId;
}

/** Signs the run's gate once it waits there, and gives back all events of the run. */
async function signToTheEnd(runId: string): Promise<readonly RunEvent[]> {
  const events = async () => (await api.services.runs.events(api.workspaceId, runId, 0)) ?? [];
  const { gateId, nonce, argumentsHash } = await gateOf(runId);
  const decision = { gateId, nonce, argumentsHash, decision: "approve" };
  const decided = await api.mutate("gates.decide", decision, api.keys.approver);
  expect(decided.status, decided.body).toBe(200);
  await until("the run ends", async () => (await events()).some(({ type }) => type === "run_finished"));
  return events();
}

const gateOf = (runId: string) =>
  until("the run waits at its gate", async () =>
    (await api.services.runs.events(api.workspaceId, runId, 0))?.find((event) => event.type === "approval_requested"),
  );

const succeededOf = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === "task_succeeded" ? [event.taskId] : []));
const outcomeOf = (events: readonly RunEvent[]) => events.find((event) => event.type === "run_finished")?.outcome;
const acceptedOf = (events: readonly RunEvent[]) => events.find((event) => event.type === "plan_accepted");

test("a run that waits at a gate ends on its own plan and capability, whatever is saved and registered meanwhile", async () => {
  await register(0, "/first/{orderId}");
  const { planId } = await ask("plans.create", { name: "order", plan: PLAN });
  const runId = await startRun(planId);
  await gateOf(runId);

  await ask("plans.saveVersion", { planId, plan: EDITED, baseVersion: 1 });
  await register(1, "/second/{orderId}");

  const before = await signToTheEnd(runId);
  expect(outcomeOf(before)).toBe("completed");
  expect(succeededOf(before)).toEqual(["collect", "sign", "order"]);
  expect(shop.received.map(({ url }) => url)).toEqual(["/first/7"]);

  // What was saved is for the runs started from then on.
  const after = await signToTheEnd(await startRun(planId));
  expect(outcomeOf(after)).toBe("completed");
  expect(succeededOf(after)).toEqual(["collect", "inserted", "sign", "order"]);
  expect(shop.received.map(({ url }) => url)).toEqual(["/first/7", "/second/7"]);
  expect(versionsOf(acceptedOf(before))).toEqual([1]);
  expect(versionsOf(acceptedOf(after))).toEqual([2]);
});

/** Of the shop's operation, as the run is pinned to it. */
const versionsOf = (accepted: ReturnType<typeof acceptedOf>): number[] =>
  (accepted?.capabilities ?? []).flatMap(({ name, version }) => (name === "shop.getOrder" ? [version] : []));
