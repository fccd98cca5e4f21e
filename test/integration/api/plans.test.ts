import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiServer, openApiServer } from "../../support/api-server";

let api: ApiServer;
beforeAll(async () => {
  api = await openApiServer();
});
afterAll(() => api.close());

const planOf = (name: string, tasks: readonly object[] = [{ id: "a", capability: "test.echo" }]) => ({
  format: "planwright/v1",
  name,
  tasks,
});
const mutate = (path: string, input: unknown) => api.mutate(path, input, api.keys.engineer);
const query = (path: string, input: unknown) => api.query(path, input, api.keys.engineer);
const create = async (plan: object = planOf("a plan")): Promise<string> =>
  (await mutate("plans.create", { name: (plan as { name: string }).name, plan })).data.planId;

describe("versions", () => {
  test("are numbered from 1, keep their author, and never change", async () => {
    const planId = await create();
    const first = (await query("plans.get", { planId })).data.current;
    await mutate("plans.saveVersion", { planId, plan: planOf("renamed"), baseVersion: 1, label: "second try" });
    const { versions } = (await query("plans.versions", { planId })).data;
    expect(versions.map(({ number, label }: { number: number; label?: string }) => [number, label])).toEqual([
      [2, "second try"],
      [1, undefined],
    ]);
    expect(versions[0].createdBy.name).toBe("Engineer");
    expect((await query("plans.version", { planId, number: 1 })).data).toEqual(first);
    expect((await query("plans.get", { planId })).data.summary.name).toBe("renamed");
  });

  test("of two savers that saw the same version, one is told which is current and loses nothing of the other", async () => {
    const planId = await create();
    const save = (title: string) =>
      mutate("plans.saveVersion", {
        planId,
        plan: planOf(title, [{ id: "a", capability: "test.echo", title }]),
        baseVersion: 1,
      });
    const answers = await Promise.all([save("left"), save("right")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.error?.data).toMatchObject({ appCode: "version_conflict", details: { currentVersion: 2 } });
    expect((await query("plans.versions", { planId })).data.versions).toHaveLength(2);
  });

  test("saving what is current already makes no version", async () => {
    const planId = await create();
    const again = await mutate("plans.saveVersion", { planId, plan: planOf("a plan"), baseVersion: 1 });
    expect(again.data.number).toBe(1);
    expect((await query("plans.versions", { planId })).data.versions).toHaveLength(1);
  });

  test("moving a card keeps the content hash, changing an argument does not", async () => {
    const planId = await create();
    const task = { id: "a", capability: "test.echo" };
    const first = (await query("plans.get", { planId })).data.current.contentHash;
    const moved = planOf("a plan", [{ ...task, position: { x: 1, y: 2 } }]);
    const second = await mutate("plans.saveVersion", { planId, plan: moved, baseVersion: 1 });
    expect(second.data).toMatchObject({ number: 2, contentHash: first });
    const changed = planOf("a plan", [{ ...task, arguments: { value: 1 } }]);
    const third = await mutate("plans.saveVersion", { planId, plan: changed, baseVersion: 2 });
    expect(third.data.contentHash).not.toBe(first);
  });

  test("keep U+0000, lone surrogates and the names of prototypes as they are", async () => {
    const text = '{"value":{"__proto__":{"p":1},"constructor":{"name":"x"},"nul":"a\\u0000b","half":"\\ud800"}}';
    const plan = `{"format":"planwright/v1","name":"odd","tasks":[{"id":"a","capability":"test.echo","arguments":${text}}]}`;
    const headers = { "content-type": "application/json", ...api.keys.engineer };
    const created = await api.fetch("plans.create", {
      method: "POST",
      headers,
      body: `{"name":"odd","plan":${plan}}`,
    });
    const { planId } = (await created.json()).result.data;
    const read = await query("plans.get", { planId });
    expect(read.body).toContain(text);
    expect(({} as { p?: number }).p).toBeUndefined();
  });
});

describe("drafts", () => {
  const save = (planId: string, expectedRevision: number | null, name = "draft") =>
    mutate("plans.saveDraft", { planId, plan: planOf(name), baseVersion: 1, expectedRevision });

  test("are each person's own, and end when they are saved as a version", async () => {
    const planId = await create();
    expect((await save(planId, null)).data.revision).toBe(1);
    expect((await save(planId, 1)).data.revision).toBe(2);
    expect((await query("plans.get", { planId })).data.draft).toMatchObject({ revision: 2, baseVersion: 1 });
    expect((await api.query("plans.get", { planId }, api.keys.reviewer)).data.draft).toBeNull();
    await mutate("plans.saveVersion", { planId, plan: planOf("draft"), baseVersion: 1 });
    expect((await query("plans.get", { planId })).data.draft).toBeNull();
  });

  test.each([null, 1])("of two tabs at revision %s, the second is told", async (revision) => {
    const planId = await create();
    if (revision !== null) await save(planId, null);
    const answers = await Promise.all([save(planId, revision, "left"), save(planId, revision, "right")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    const currentRevision = (revision ?? 0) + 1;
    expect(refused?.error?.data).toMatchObject({ appCode: "draft_conflict", details: { currentRevision } });
  });

  test("that another tab has saved as a version are not brought back", async () => {
    const planId = await create();
    await save(planId, null);
    await mutate("plans.discardDraft", { planId });
    expect((await save(planId, 1)).error?.data).toMatchObject({ appCode: "draft_conflict", details: {} });
  });

  test("may have any problem a plan can have, and open again", async () => {
    const planId = await create();
    const broken = planOf("cycle", [
      { id: "a", capability: "no.such", dependsOn: ["b"], arguments: { x: { $output: "gone#/v" } } },
      { id: "b", capability: "test.echo", dependsOn: ["a"] },
    ]);
    await mutate("plans.saveDraft", { planId, plan: broken, baseVersion: 1, expectedRevision: null });
    expect((await query("plans.get", { planId })).data.draft.plan.tasks).toHaveLength(2);
  });
});

describe("the list", () => {
  test("finds a plan by name or objective, whatever the case, and takes wildcards as letters", async () => {
    await create({ ...planOf("Quarterly 100%_sure"), objective: "Close the books" } as object);
    const names = async (search: string) =>
      (await query("plans.list", { search })).data.plans.map(({ name }: { name: string }) => name);
    expect(await names("quarterLY")).toEqual(["Quarterly 100%_sure"]);
    expect(await names("close THE")).toEqual(["Quarterly 100%_sure"]);
    expect(await names("%_s")).toEqual(["Quarterly 100%_sure"]);
    expect(await names("100_")).toEqual([]);
  });

  test("says how deep, how wide and how broken each plan is, and how it last ran", async () => {
    const planId = await create(
      planOf("shaped", [
        { id: "a", capability: "test.echo" },
        { id: "b", capability: "test.echo", dependsOn: ["a"] },
        { id: "c", capability: "test.echo", dependsOn: ["a"] },
      ]),
    );
    const broken = await create(planOf("broken", [{ id: "a", capability: "no.such" }]));
    const { data } = await mutate("runs.start", { planId });
    const { plans } = (await query("plans.list", {})).data;
    const entry = (id: string) => plans.find((plan: { id: string }) => plan.id === id);
    expect(entry(planId)).toMatchObject({ tasks: 3, edges: 2, shape: [1, 2], problems: { errors: 0 } });
    expect(entry(planId).lastRun.id).toBe(data.runId);
    expect(entry(broken)).toMatchObject({ problems: { errors: 1 }, lastRun: null });
  });

  test("no longer has a plan that was removed, whose runs stay", async () => {
    const planId = await create();
    const { data } = await mutate("runs.start", { planId });
    await mutate("plans.remove", { planId });
    expect((await query("plans.get", { planId })).status).toBe(404);
    expect((await query("runs.get", { runId: data.runId })).status).toBe(200);
  });
});

describe("starting", () => {
  test("refuses a plan with a problem and names every one of them", async () => {
    const planId = await create(
      planOf("broken", [
        { id: "a", capability: "no.such" },
        { id: "b", capability: "test.echo", dependsOn: ["gone"] },
      ]),
    );
    const answer = await mutate("runs.start", { planId });
    expect(answer.status).toBe(422);
    expect(answer.error?.data.appCode).toBe("plan_invalid");
    const { diagnostics } = (answer.error?.data.details ?? {}) as { diagnostics: { code: string }[] };
    expect(diagnostics.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["unknown_capability", "missing_dependency"]),
    );
    expect((await query("runs.list", { planId })).data.runs).toEqual([]);
  });

  test("refuses an empty plan: an empty plan is never success", async () => {
    const planId = (await mutate("plans.create", { name: "empty" })).data.planId;
    expect((await mutate("runs.start", { planId })).error?.data.appCode).toBe("plan_invalid");
  });

  test("pins the version it was asked for", async () => {
    const planId = await create();
    await mutate("plans.saveVersion", { planId, plan: planOf("second"), baseVersion: 1 });
    const { data } = await mutate("runs.start", { planId, version: 1 });
    expect((await query("runs.get", { runId: data.runId })).data).toMatchObject({ planVersion: 1, name: "a plan" });
  });

  test("without four eyes is for an admin", async () => {
    const planId = await create();
    expect((await mutate("runs.start", { planId, fourEyes: false })).error?.data.appCode).toBe("forbidden");
    const admin = await api.addPerson({ name: "admin", roles: ["admin"], workspaceId: api.workspaceId });
    expect((await api.mutate("runs.start", { planId, fourEyes: false }, admin)).status).toBe(200);
  });
});

describe("import", () => {
  const file = (fileName: string, bytes: Buffer | string, reuse = false) =>
    mutate("plans.import", {
      fileName,
      content: { encoding: "base64", data: Buffer.from(bytes).toString("base64") },
      reuse,
    });

  test("takes a gzip file, tells what came across, and keeps the plan", async () => {
    const answer = await file("plan.json.gz", gzipSync(JSON.stringify(planOf("zipped"))));
    expect(answer.data.report).toMatchObject({ name: "zipped", tasks: 1, edges: 0 });
    expect((await query("plans.get", { planId: answer.data.planId })).data.summary.name).toBe("zipped");
  });

  test("takes a pasted LLMCompiler plan and draws its references as edges", async () => {
    const data = '1. search("one")\n2. search("two")\n3. math("$1 + $2")\n4. join()\n';
    const answer = await mutate("plans.import", { fileName: "pasted text", content: { encoding: "text", data } });
    const { plan } = (await query("plans.get", { planId: answer.data.planId })).data.current;
    expect(answer.data.report.tasks).toBe(plan.tasks.length);
    expect(answer.data.report.edges).toBeGreaterThanOrEqual(2);
  });

  test("of the same content with `reuse` answers with the plan that is there", async () => {
    const text = JSON.stringify(planOf("same"));
    const first = await file("a.json", text, true);
    const second = await file("b.json", text, true);
    expect(second.data).toMatchObject({ planId: first.data.planId, created: false });
    expect((await file("c.json", text)).data.planId).not.toBe(first.data.planId);
  });

  test.each([
    ["an empty file", ""],
    ["truncated JSON", '{"format":"planwright/v1",\n"tasks":[{"id":'],
    ["a list", "[1,2]"],
    ["somebody else's document", '{"nodes":1}'],
    ["no tasks", '{"format":"planwright/v1","name":"none","tasks":[]}'],
    ["damaged gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
    ["binary", Buffer.from([0, 1, 2, 255, 254, 0])],
  ])("says where and why it refuses %s, and keeps nothing", async (_name, bytes) => {
    const before = (await query("plans.list", {})).data.plans.length;
    const answer = await file("broken.json", bytes);
    expect(answer.status).toBe(422);
    expect(answer.error?.data.appCode).toBe("import_failed");
    expect(answer.error?.message).toContain("broken.json");
    const { diagnostics } = (answer.error?.data.details ?? {}) as {
      diagnostics: { severity: string; message: string }[];
    };
    expect(diagnostics.filter(({ severity }) => severity === "error").length).toBeGreaterThan(0);
    expect((await query("plans.list", {})).data.plans).toHaveLength(before);
  });
});

describe("export", () => {
  test.each(["planwright", "yaml", "mermaid", "dot"])("writes %s", async (format) => {
    const planId = await create(planOf("Q3 report: final/2"));
    const { data } = await query("plans.export", { planId, format });
    expect(data.fileName).toMatch(/^q3-report-final-2\.\w+$/);
    expect(data.text).toContain("a");
  });
});

test("no request was answered with a fault of ours", () => {
  expect(api.faults).toEqual([]);
});
