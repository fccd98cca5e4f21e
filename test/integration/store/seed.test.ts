import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import { validatePlan } from "#kernel/plan/validate";
import { checkSchema } from "../../../server/capabilities/schema-check";
import { seedFirstWorkspace } from "../../../server/services";
import { ROOT } from "../../../server/setup/checkout.mjs";
import { type ApiServer, openApiServer } from "../../support/api-server";

let api: ApiServer;
let stateFolder: string;
beforeAll(async () => {
  api = await openApiServer();
  stateFolder = await mkdtemp(path.join(tmpdir(), "planwright-seed-"));
});
afterAll(async () => {
  await api.close();
  await rm(stateFolder, { recursive: true });
});

const listed = async () => (await api.query("plans.list", {}, api.keys.engineer)).data.plans;

test("a first workspace gets its examples once, also from two starts at once", async () => {
  const seed = () => seedFirstWorkspace(api.database, ROOT, stateFolder);
  expect((await Promise.all([seed(), seed()])).sort()).toEqual([false, true]);
  expect(
    (await listed()).map(({ name, example }: { name: string; example: boolean }) => [name, example]).sort(),
  ).toEqual([
    ["Capacity review", true],
    ["Publish release notes", true],
    ["Summarise three documents", true],
  ]);
  expect(await readFile(path.join(stateFolder, "files", api.workspaceId, "examples", "usage.md"), "utf8")).toContain(
    "# What people use",
  );
});

test("an example that somebody removed does not come back", async () => {
  for (const { id } of await listed()) await api.mutate("plans.remove", { planId: id }, api.keys.engineer);
  expect(await seedFirstWorkspace(api.database, ROOT, stateFolder)).toBe(false);
  expect(await listed()).toEqual([]);
});

test("the examples have no problem, not even a small one", async () => {
  const { rows } = await api.database.pool.query<{ document: string }>("SELECT document FROM plan_versions");
  expect(rows).toHaveLength(3);
  for (const { document } of rows) {
    const options = { registry: BUILT_IN_REGISTRY, checkSchema };
    expect(validatePlan(JSON.parse(document), options).diagnostics).toEqual([]);
  }
});

test("every recorded incident is a finished run that opens from first to last event and asks for no work", async () => {
  const { runs } = (await api.query("runs.list", {}, api.keys.reviewer)).data;
  const incidents = path.join(ROOT, "public", "incidents");
  expect(runs).toHaveLength(existsSync(incidents) ? (await readdir(incidents)).length : 0);
  for (const run of runs) {
    expect(run).toMatchObject({ planId: null, status: "finished", openGates: 0 });
    const { events } = (await api.query("runs.events", { runId: run.id }, api.keys.reviewer)).data;
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(
      Array.from({ length: run.lastSeq }, (_, at) => at + 1),
    );
  }
  const jobs = await api.database.pool.query("SELECT count(*)::int AS jobs FROM graphile_worker._private_jobs");
  expect(jobs.rows[0].jobs).toBe(0);
});
