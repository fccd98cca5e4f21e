import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import { runTaskIdSchema } from "#kernel/ids";
import type { JsonValue } from "#kernel/json";
import { ok } from "#kernel/result";
import { decide } from "#kernel/run/decide";
import type { NewRunEvent } from "#kernel/run/event";
import { callAuthority } from "../../../server/store/call-authority";
import { RunArtifacts } from "../../../server/store/run-artifacts";
import { type ApiServer, type Credentials, openApiServer } from "../../support/api-server";
import { callContext } from "../../support/call-context";

let api: ApiServer;
let second: Credentials & { readonly personId: string };
beforeAll(async () => {
  api = await openApiServer();
  second = await api.addPerson({ name: "second", roles: ["approver"], workspaceId: api.workspaceId });
});
afterAll(() => api.close());

const taskId = runTaskIdSchema.parse("send");
const plan = {
  format: "planwright/v1",
  name: "a request whose answer is lost",
  tasks: [{ id: "send", capability: "http.request", arguments: { method: "POST", url: "https://example.org/" } }],
};

async function started(): Promise<string> {
  const created = await api.mutate("plans.create", { name: plan.name, plan }, api.keys.engineer);
  const run = await api.mutate("runs.start", { planId: created.data.planId }, api.keys.engineer);
  return run.data.runId;
}

const append = (runId: string, ...events: readonly NewRunEvent[]) =>
  api.services.runs.submit(api.workspaceId, runId, () => ok(events));

/** A run whose only call may have taken effect, with its gate open, as a driver leaves it. */
async function lost(): Promise<string> {
  const runId = await started();
  const at = Date.now();
  const head = { at, taskId, attempt: 1 };
  const observation = { status: "retryable", errorCategory: "timeout", sideEffect: "unknown", latencyMs: 5 } as const;
  await append(runId, { type: "task_dispatched", ...head });
  await append(runId, { type: "outcome_unknown", ...head, startedAt: at, observation });
  await api.services.runs.submit(api.workspaceId, runId, (state, now) =>
    ok(decide(state, now).flatMap((command) => (command.type === "record" ? [command.event] : []))),
  );
  return runId;
}

const response = { status: 201, headers: {}, body: null };
const say = (runId: string, said: object, who: Credentials = api.keys.approver) =>
  api.mutate("runs.reconcile", { runId, taskId: "send", attempt: 1, reason: "I looked.", ...said }, who);

describe("what became of a lost call", () => {
  it("is said once, of two people at once the second hears who was first, and both stand in the audit", async () => {
    for (let round = 0; round < 5; round++) {
      const runId = await lost();
      const answers = await Promise.all([
        say(runId, { action: "done", output: response }),
        say(runId, { action: "not_done" }, second),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.error?.data.appCode).toBe("outcome_settled");
      expect(refused?.error?.message).toMatch(/Approver|second/);
      const { rows } = await api.database.pool.query(
        "SELECT action FROM audit_entries WHERE subject_id = $1 AND action LIKE 'outcome%' ORDER BY action",
        [runId],
      );
      expect(rows.map(({ action }) => action)).toEqual(["outcome.reconciled", "outcome.reconciled_refused"]);
    }
  });

  it("is not for those who may not answer its gate, nor without a reason, nor with an output that does not fit", async () => {
    const runId = await lost();
    const code = async (said: object, who?: Credentials) => (await say(runId, said, who)).error?.data.appCode;
    expect(await code({ action: "done", output: response }, api.keys.engineer)).toBe("not_eligible");
    expect(await code({ action: "done", output: response, reason: " " })).toBe("reason_required");
    expect(await code({ action: "done", output: { status: "fine" } })).toBe("answer_invalid");
    expect(await code({ action: "look_up" })).toBe("look_up_unavailable");
    expect(await code({ action: "retry", attempt: 2 })).toBe("outcome_changed");
    expect((await say(runId, { action: "retry" })).status).toBe(200);
  });
});

describe("odd outputs", () => {
  const odd: JsonValue = JSON.parse(
    '{"__proto__":{"p":1},"constructor":{"name":"x"},"nul":"a\\u0000b","half":"\\ud800","esc":"\\u001b[31m","deep":[[[[{}]]]]}',
  );

  it("come back from the log through the interface as they were, and reach no prototype", async () => {
    const runId = await started();
    const at = Date.now();
    const observation = { status: "ok", output: odd, sideEffect: "committed", latencyMs: 1 } as const;
    await append(runId, { type: "task_succeeded", at, taskId, attempt: 1, startedAt: at, observation });
    const { body } = await api.query("runs.events", { runId }, api.keys.reviewer);
    const events = JSON.parse(body).result.data.events;
    const last = events.at(-1);
    expect(JSON.stringify(last.observation.output)).toBe(JSON.stringify(odd));
    expect(({} as Record<string, unknown>).p).toBeUndefined();
    expect(api.faults).toEqual([]);
  });

  it("that are large are read slice by slice, each saying how large the whole is, and by nobody else", async () => {
    const runId = await started();
    const output = { text: "é\u0000".repeat(100_000), odd };
    const text = JSON.stringify(output);
    const artifacts = new RunArtifacts(api.database.pool, new AbortController().signal);
    const outputRef = await artifacts.put({ runId, taskId, attempt: 1, output });
    let read = "";
    let cursor: number | null = 0;
    while (cursor !== null) {
      const slice = await api.query("runs.artifact", { runId, outputRef, cursor, limit: 300_000 }, api.keys.reviewer);
      expect(slice.data).toMatchObject({ characters: text.length, bytes: Buffer.byteLength(text), offset: cursor });
      read += slice.data.text;
      cursor = slice.data.nextOffset;
    }
    expect(read).toBe(text);
    const stranger = await api.addPerson({ name: "stranger", roles: ["engineer"] });
    expect((await api.query("runs.artifact", { runId, outputRef }, stranger)).status).toBe(404);
  });
});

describe("authority at the moment of action", () => {
  it("ends with the membership, the role's scopes, and the key, at the very next call", async () => {
    const { pool } = api.database;
    const authorize = callAuthority(pool);
    const write = BUILT_IN_REGISTRY.find("http.request");
    if (write === undefined) throw new Error("http.request is built in.");
    const scoped = { capability: write, scopes: ["crm:write"] };
    const unscoped = { capability: write, scopes: [] };
    const person = await api.addPerson({ name: "runner", roles: ["engineer"], workspaceId: api.workspaceId });
    const { personId } = person;
    const key = (await api.database.prisma.apiKey.findFirstOrThrow({ where: { personId } })).id;
    const ask = (question: typeof scoped, apiKeyId?: string) => {
      const actor = { personId, ...(apiKeyId !== undefined && { apiKeyId }) };
      return authorize(question, callContext({ workspaceId: api.workspaceId, actor }));
    };
    expect(await ask(scoped, key)).toBeUndefined();

    await api.mutate("limits.setScopes", { role: "engineer", scopes: ["crm:read"] }, api.keys.admin);
    expect(await ask(scoped, key)).toContain("crm:write");
    expect(await ask(unscoped, key)).toBeUndefined();
    await api.mutate("limits.setScopes", { role: "engineer", scopes: ["crm:*"] }, api.keys.admin);
    expect(await ask(scoped, key)).toBeUndefined();
    await api.mutate("limits.setScopes", { role: "engineer", scopes: null }, api.keys.admin);

    await pool.query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [key]);
    expect(await ask(unscoped, key)).toContain("key");
    expect(await ask(unscoped)).toBeUndefined();
    await pool.query("DELETE FROM memberships WHERE person_id = $1", [personId]);
    expect(await ask(unscoped)).toContain("not in the workspace");
    expect(await authorize(unscoped, callContext({ workspaceId: api.workspaceId }))).toBeDefined();
  });
});

describe("authority at the start", () => {
  it("refuses, at its place, a plan whose calls whoever starts it has no scopes for, as far as it can be told", async () => {
    const tasks = [
      { id: "read", capability: "file.read", arguments: { path: "reports/a.md" } },
      { id: "up", capability: "file.read@1", arguments: { path: "reports/../a.md" } },
      { id: "later", capability: "file.write", arguments: { path: { $output: "read#/text" }, text: "" } },
      { id: "host", capability: "http.get", arguments: { url: "https://example.org/a" } },
    ];
    const given = { format: "planwright/v1", name: "scoped", tasks };
    const created = await api.mutate("plans.create", { name: "scoped", plan: given }, api.keys.engineer);
    const start = () => api.mutate("runs.start", { planId: created.data.planId }, api.keys.engineer);
    const refused = async (scopes: string[]) => {
      await api.mutate("limits.setScopes", { role: "engineer", scopes }, api.keys.admin);
      const { error } = await start();
      expect(error?.data.appCode).toBe("plan_invalid");
      const details = error?.data.details as { diagnostics: { code: string; pointer: string }[] } | undefined;
      return details?.diagnostics.filter(({ code }) => code === "not_authorized").map(({ pointer }) => pointer);
    };
    const at = (...tasks: number[]) => tasks.map((index) => `/tasks/${index}/capability`);
    expect(await refused([])).toEqual(at(0, 1, 2, 3));
    expect(await refused(["file:read:reports/*", "file:write:reports/*"])).toEqual(at(1, 3));
    expect(await refused(["file:*", "http:read:example.com"])).toEqual(at(3));
    await api.mutate(
      "limits.setScopes",
      { role: "engineer", scopes: ["file:*", "http:read:example.org"] },
      api.keys.admin,
    );
    expect((await start()).status).toBe(200);
    await api.mutate("limits.setScopes", { role: "engineer", scopes: null }, api.keys.admin);
  });
});

describe("ceilings", () => {
  it("are set by admins alone, refuse a start that is over them by name, and are told to everybody", async () => {
    const ceiling = { period: "month", budget: "runs", limit: 0 };
    expect((await api.mutate("limits.setCeiling", ceiling, api.keys.engineer)).status).toBe(403);
    expect((await api.mutate("limits.setCeiling", ceiling, api.keys.admin)).status).toBe(200);
    const created = await api.mutate("plans.create", { name: plan.name, plan }, api.keys.engineer);
    const refused = await api.mutate("runs.start", { planId: created.data.planId }, api.keys.engineer);
    expect(refused.error?.data.appCode).toBe("limit_exceeded");
    expect(refused.error?.message).toContain("0 runs a month");
    const { data } = await api.query("limits.get", undefined, api.keys.reviewer);
    expect(data.ceilings).toMatchObject([{ budget: "runs", limit: 0, spent: 0 }]);
    const [{ id: ceilingId }] = data.ceilings;
    expect((await api.mutate("limits.removeCeiling", { ceilingId }, api.keys.admin)).status).toBe(200);
    expect((await api.mutate("runs.start", { planId: created.data.planId }, api.keys.engineer)).status).toBe(200);
  });
});
