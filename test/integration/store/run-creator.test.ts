import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../server/db";
import type { RunCreator } from "../../../server/store/run-creator";
import { brokenInvariants } from "../../support/invariants";
import { planOf } from "../../support/run-fixture";
import { createRun, creatorOf } from "../../support/stored-runs";
import { openTestDatabase } from "../../support/test-database";

let database: Database;
let creator: RunCreator;
beforeAll(async () => {
  database = await openTestDatabase();
  creator = creatorOf(database);
});
afterAll(() => database.close());

it("numbers the runs of each workspace from 1 in the order of their creation, without a gap", async () => {
  const plan = planOf([{ id: "a" }]);
  const ids = new Map<string, string[]>([
    ["one", []],
    ["two", []],
  ]);
  for (let round = 0; round < 3; round++) {
    const created = ["one", "two", "one"].map(async (workspace) => [
      workspace,
      await createRun(creator, plan, workspace),
    ]);
    for (const [workspace = "", id = ""] of await Promise.all(created)) ids.get(workspace)?.push(id);
  }
  for (const [workspace, expected] of ids) {
    const { rows } = await database.pool.query("SELECT id, number FROM runs WHERE workspace_id = $1 ORDER BY number", [
      workspace,
    ]);
    expect(rows.map((row) => row.number)).toEqual(expected.map((_, index) => index + 1));
    expect(rows.map((row) => row.id)).toEqual(expected);
  }
  expect(await brokenInvariants(database.pool)).toEqual([]);
});

it("leaves neither a run nor a job behind where one of the two cannot be written", async () => {
  const counts = "SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM graphile_worker.jobs) AS jobs";
  const before = await database.pool.query(counts);
  await database.pool.query("ALTER TABLE runs ADD CONSTRAINT refuse CHECK (workspace_id <> 'refused')");
  await expect(createRun(creator, planOf([{ id: "a" }]), "refused")).rejects.toThrow(/refuse/);
  expect((await database.pool.query(counts)).rows).toEqual(before.rows);
});
