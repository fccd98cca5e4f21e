import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "../../../server/trpc/root";
import { type ApiAnswer, type ApiServer, type Credentials, openApiServer } from "../../support/api-server";
import { gatedPlan, startGatedRun } from "../../support/gated-run";

let api: ApiServer;
let outsider: Credentials;
let ids: Ids;

/** Ids of things of the first workspace; or ids of nothing. */
interface Ids {
  readonly planId: string;
  readonly runId: string;
  readonly gate: { readonly gateId: string; readonly nonce: string; readonly argumentsHash: string };
  readonly keyId: string;
}

const NOTHING: Ids = {
  planId: "00000000-0000-7000-8000-000000000000",
  runId: "00000000-0000-7000-8000-000000000000",
  gate: { gateId: "00000000-0000-7000-8000-000000000000:write:1", nonce: "0", argumentsHash: "0".repeat(64) },
  keyId: "00000000-0000-7000-8000-000000000000",
};

interface Procedure {
  readonly kind: "query" | "mutation";
  readonly input: (ids: Ids) => unknown;
  /** Set where it takes the id of something in a workspace. */
  readonly takesId?: true;
  /** Who of the three may use it; everybody, where not given. */
  readonly only?: readonly ("engineer" | "reviewer" | "approver")[];
}

const plan = gatedPlan();
const anEngineer = { only: ["engineer"] } as const;

const channel = {
  name: "Chat",
  enabled: true,
  events: [],
  target: { kind: "webhook", url: "https://hooks.example.org/1" },
};

const PROCEDURES: Readonly<Record<string, Procedure>> = {
  "me.get": { kind: "query", input: () => undefined },
  "capabilities.list": { kind: "query", input: () => undefined },
  "plans.list": { kind: "query", input: () => ({}) },
  "plans.get": { kind: "query", input: ({ planId }) => ({ planId }), takesId: true },
  "plans.versions": { kind: "query", input: ({ planId }) => ({ planId }), takesId: true },
  "plans.version": { kind: "query", input: ({ planId }) => ({ planId, number: 1 }), takesId: true },
  "plans.export": { kind: "query", input: ({ planId }) => ({ planId, format: "dot" }), takesId: true },
  "plans.create": { kind: "mutation", input: () => ({ name: "a" }), ...anEngineer },
  "plans.import": {
    kind: "mutation",
    input: () => ({ fileName: "a.json", content: { encoding: "text", data: JSON.stringify(plan) } }),
    ...anEngineer,
  },
  "plans.saveDraft": {
    kind: "mutation",
    input: ({ planId }) => ({ planId, plan, baseVersion: 1, expectedRevision: null }),
    takesId: true,
    ...anEngineer,
  },
  "plans.discardDraft": { kind: "mutation", input: ({ planId }) => ({ planId }), takesId: true, ...anEngineer },
  "plans.saveVersion": {
    kind: "mutation",
    input: ({ planId }) => ({ planId, plan, baseVersion: 1 }),
    takesId: true,
    ...anEngineer,
  },
  "runs.start": { kind: "mutation", input: ({ planId }) => ({ planId }), takesId: true, ...anEngineer },
  "runs.list": { kind: "query", input: () => ({}) },
  "runs.get": { kind: "query", input: ({ runId }) => ({ runId }), takesId: true },
  "runs.events": { kind: "query", input: ({ runId }) => ({ runId }), takesId: true },
  "runs.pause": { kind: "mutation", input: ({ runId }) => ({ runId }), takesId: true, ...anEngineer },
  "runs.resume": { kind: "mutation", input: ({ runId }) => ({ runId }), takesId: true, ...anEngineer },
  "gates.list": { kind: "query", input: () => ({}) },
  "gates.get": { kind: "query", input: ({ gate }) => ({ gateId: gate.gateId }), takesId: true },
  "gates.decide": {
    kind: "mutation",
    input: ({ gate }) => ({ ...gate, decision: "approve" }),
    takesId: true,
    only: ["approver"],
  },
  "gates.revoke": { kind: "mutation", input: ({ gate }) => ({ gateId: gate.gateId }), takesId: true },
  "delegations.list": { kind: "query", input: () => undefined },
  "delegations.candidates": { kind: "query", input: () => undefined },
  // A key cannot lend what its owner may sign: see delegations.test.ts for the session that can.
  "delegations.create": { kind: "mutation", input: () => ({ delegateId: "nobody", endsAt: 1 }), only: [] },
  "delegations.revoke": { kind: "mutation", input: () => ({ delegationId: "none" }), only: [] },
  // Settings are an admin's; what changes them wants a session besides: see notifications/deliver.test.ts.
  "notifications.channels": { kind: "query", input: () => undefined, only: [] },
  "notifications.deliveries": { kind: "query", input: () => ({ limit: 1 }), only: [] },
  "notifications.create": { kind: "mutation", input: () => channel, only: [] },
  "notifications.update": { kind: "mutation", input: () => ({ ...channel, channelId: "none" }), only: [] },
  "notifications.remove": { kind: "mutation", input: () => ({ channelId: "none" }), only: [] },
  "notifications.test": { kind: "mutation", input: () => ({ channelId: "none" }), only: [] },
  "notifications.retry": { kind: "mutation", input: () => ({ deliveryId: "none" }), only: [] },
  "apiKeys.list": { kind: "query", input: () => undefined },
  // A key cannot make keys: see origin.test.ts for the session that can.
  "apiKeys.create": { kind: "mutation", input: () => ({ name: "a", scopes: ["read"] }), only: [] },
  "apiKeys.revoke": { kind: "mutation", input: ({ keyId }) => ({ keyId }), takesId: true },
  // Last, since they end what the others need.
  "runs.cancel": { kind: "mutation", input: ({ runId }) => ({ runId }), takesId: true, ...anEngineer },
  "plans.remove": { kind: "mutation", input: ({ planId }) => ({ planId }), takesId: true, ...anEngineer },
};

beforeAll(async () => {
  api = await openApiServer();
  outsider = await api.addPerson({ name: "outsider", roles: ["engineer", "reviewer", "approver", "admin"] });
  const run = await startGatedRun(api, api.keys.engineer);
  const { data } = await api.query("runs.get", { runId: run.runId }, api.keys.engineer);
  const keys = await api.query("apiKeys.list", undefined, api.keys.engineer);
  ids = { planId: data.planId, runId: run.runId, gate: run.seen, keyId: keys.data.keys[0].id };
});
afterAll(() => api.close());

const call = (path: string, given: Ids, credentials: Credentials): Promise<ApiAnswer> => {
  const procedure = PROCEDURES[path];
  if (procedure === undefined) throw new Error(`no ${path}`);
  const ask = procedure.kind === "query" ? api.query : api.mutate;
  return ask(path, procedure.input(given), credentials);
};

test("every procedure is in this table", () => {
  const paths = Object.keys(appRouter._def.procedures).filter((path) => path !== "events.stream");
  expect(Object.keys(PROCEDURES).sort()).toEqual(paths.sort());
});

describe.each(Object.entries(PROCEDURES))("%s", (path, procedure) => {
  test("answers nobody without a session or a key", async () => {
    const answer = await call(path, ids, {});
    const expected = procedure.kind === "query" ? "unauthenticated" : "origin_refused";
    expect(answer.error?.data.appCode).toBe(expected);
    const withOrigin = await call(path, ids, { origin: "http://planwright.test" });
    expect(withOrigin.error?.data.appCode).toBe("unauthenticated");
    expect(withOrigin.status).toBe(401);
  });

  test("answers an unknown key like none", async () => {
    const answer = await call(path, ids, { origin: "http://planwright.test", authorization: "Bearer pw_unknown" });
    expect(answer.status).toBe(401);
  });

  if (procedure.takesId)
    test("says nothing about another workspace that it would not say of nothing", async () => {
      const foreign = await call(path, ids, outsider);
      const random = await call(path, NOTHING, outsider);
      expect(foreign.status).toBe(path === "plans.discardDraft" ? 200 : 404);
      expect(foreign).toEqual(random);
    });

  if (procedure.only)
    test("refuses everybody without the role, and changes nothing", async () => {
      const before = await everything();
      for (const role of ["engineer", "reviewer", "approver"] as const) {
        if (procedure.only?.includes(role)) continue;
        const answer = await call(path, ids, api.keys[role]);
        expect(answer.status, role).toBe(403);
      }
      expect(await everything()).toEqual(before);
    });
});

/** How much there is of what procedures change. */
async function everything(): Promise<unknown> {
  const { rows } = await api.database.pool.query(
    `SELECT (SELECT count(*) FROM plans WHERE archived_at IS NULL) AS plans, (SELECT count(*) FROM plan_versions) AS versions,
            (SELECT count(*) FROM plan_drafts) AS drafts, (SELECT count(*) FROM runs) AS runs,
            (SELECT count(*) FROM run_events) AS events, (SELECT count(*) FROM gate_decisions) AS decisions,
            (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL) AS keys`,
  );
  return rows[0];
}

test("a stream tells an outsider that there is no such run, as of any id", async () => {
  const first = async (runId: string): Promise<string> => {
    const input = encodeURIComponent(JSON.stringify({ runs: [{ runId, afterSeq: 0 }] }));
    const stop = new AbortController();
    const response = await api.fetch(`events.stream?input=${input}`, { headers: outsider, signal: stop.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("run_gone")) text += (await reader?.read())?.value ?? "";
    stop.abort();
    return text.replaceAll(runId, "ID");
  };
  expect(await first(ids.runId)).toBe(await first(NOTHING.runId));
});

test("no request was answered with a fault of ours", () => {
  expect(api.faults).toEqual([]);
});
