import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, type Credentials, openApiServer } from "../../support/api-server";

let api: ApiServer;
let planId: string;
const plan = {
  format: "planwright/v1",
  name: "begun",
  tasks: [{ id: "ask", capability: "human.ask", arguments: { question: "Go on?" } }],
};

beforeAll(async () => {
  api = await openApiServer();
  planId = (await api.mutate("plans.create", { name: plan.name, plan }, api.keys.engineer)).data.planId;
});
afterEach(() => api.database.pool.query("DELETE FROM ceilings"));
afterAll(() => api.close());

const start = (input: object = {}, who: Credentials = api.keys.engineer) =>
  api.mutate("runs.start", { planId, ...input }, who);
const rerun = (runId: string, who: Credentials = api.keys.engineer, rest: object = {}) =>
  api.mutate("runs.rerun", { runId, fromTaskIds: ["ask"], ...rest }, who);
const createdOf = async (runId: string) =>
  (await api.query("runs.events", { runId }, api.keys.reviewer)).data.events[0];
const limitRuns = (limit: number) =>
  api.mutate("limits.setCeiling", { period: "month", budget: "runs", limit }, api.keys.admin);
const spent = async (): Promise<number> =>
  (await api.query("limits.get", undefined, api.keys.reviewer)).data.ceilings[0].spent;

describe("a rerun begins as a start does", () => {
  it("has four eyes where no admin asks for it, though an admin's run went without", async () => {
    const first = (await start({ fourEyes: false, budgetBeforeCompletion: true }, api.keys.admin)).data.runId;
    const byEngineer = await createdOf((await rerun(first)).data.runId);
    expect(byEngineer.policy).toEqual({ fourEyes: true, budgetBeforeCompletion: true });
    const byAdmin = await createdOf((await rerun(first, api.keys.admin)).data.runId);
    expect(byAdmin.policy.fourEyes).toBe(false);
  });

  it("acts for the key that asked for it, and not for the key that started the first", async () => {
    const first = (await start()).data.runId;
    const key = await api.makeKey("engineer", {});
    const { apiKeyId: firstKeyId } = await createdOf(first);
    const { apiKeyId } = await createdOf((await rerun(first, key)).data.runId);
    expect(apiKeyId).toEqual(expect.any(String));
    expect(apiKeyId).not.toBe(firstKeyId);
  });

  it("counts against the ceiling on runs and is refused over it", async () => {
    const first = (await start()).data.runId;
    await limitRuns(1);
    expect((await rerun(first)).status).toBe(200);
    expect(await spent()).toBe(1);
    expect((await rerun(first)).error?.data.appCode).toBe("limit_exceeded");
    expect((await start()).error?.data.appCode).toBe("limit_exceeded");
    expect(await spent()).toBe(1);
  });
});

describe("a start under a ceiling", () => {
  it("that is sent again is answered as before and counted once, also both at once", async () => {
    await limitRuns(2);
    const requestId = "the-same-start-1";
    const both = await Promise.all([start({ requestId }), start({ requestId })]);
    const [runId] = both.map(({ data }) => data.runId);
    expect(both.map(({ data }) => data.runId)).toEqual([runId, runId]);
    expect(await spent()).toBe(1);
    expect((await start({ requestId: "another-start-2" })).status).toBe(200);
    expect(await spent()).toBe(2);
    expect((await start({ requestId })).data).toEqual({ runId });
    expect((await start({ requestId: "a-third-start-3" })).error?.data.appCode).toBe("limit_exceeded");
    expect(await spent()).toBe(2);
  });

  it("is not counted where it fails", async () => {
    const { pool } = api.database;
    await limitRuns(1);
    await pool.query("ALTER TABLE runs ADD CONSTRAINT no_start CHECK (name <> 'begun') NOT VALID");
    const failed = await start();
    await pool.query("ALTER TABLE runs DROP CONSTRAINT no_start");
    expect(failed.error?.data.appCode).toBe("internal");
    expect(await spent()).toBe(0);
    expect((await start()).status).toBe(200);
    expect(await spent()).toBe(1);
  });
});
