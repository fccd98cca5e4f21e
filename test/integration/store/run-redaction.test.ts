import { afterAll, beforeAll, expect, it } from "vitest";
import { fold } from "#kernel/run/reduce";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { testImplementations } from "../../../server/capabilities/testing";
import type { Database } from "../../../server/db";
import { readAudit } from "../../../server/store/audit-reader";
import { RunProofs } from "../../../server/store/audit-runs";
import { createRetentionDesk } from "../../../server/store/retention-desk";
import { RunReader } from "../../../server/store/run-reader";
import { redactDueRuns } from "../../../server/store/run-redaction";
import { startWorker, type Worker } from "../../../server/worker-services";
import { brokenInvariants } from "../../support/invariants";
import { MemoryLog } from "../../support/memory-log";
import { planOf } from "../../support/run-fixture";
import { createRun, creatorOf, WORKSPACE } from "../../support/stored-runs";
import { openTestDatabase } from "../../support/test-database";
import { until } from "../../support/until";

const CANARY = "canary-7d0f2a";
const LARGE = `${CANARY} ${"x".repeat(70_000)}`;

const PLAN = planOf(
  [
    { id: "a", arguments: { value: { secret: CANARY, list: [CANARY, "y"] } } },
    { id: "large", arguments: { value: LARGE } },
    { id: "each", forEach: { $output: "a#/value/list" }, arguments: { value: "${item}" } },
    { id: "joined", dependsOn: ["large"], arguments: { value: `${CANARY} \${a#/value/secret}` } },
    { id: "fails", capability: "test.fail", arguments: { message: CANARY }, onFailure: "continue" },
    { id: "end", dependsOn: ["joined", "each", "fails"], join: "all_done" },
  ],
  { objective: CANARY },
);

let database: Database;
let worker: Worker;
beforeAll(async () => {
  database = await openTestDatabase();
  worker = await startWorker({
    database,
    executor: capabilityExecutor(testImplementations("/dev/null")),
    log: new MemoryLog(),
  });
});
afterAll(async () => {
  await worker.stop();
  await database.close();
});

const failed: string[] = [];
const redact = () => redactDueRuns(database.pool, (_problem, runId) => failed.push(runId));

async function finishedRun(plan = PLAN): Promise<string> {
  const runId = await createRun(creatorOf(database), plan);
  await until("it ends", async () => {
    const { rows } = await database.pool.query("SELECT FROM runs WHERE id = $1 AND finished_at IS NOT NULL", [runId]);
    return rows.length > 0;
  });
  return runId;
}

const stateOf = async (runId: string) =>
  fold(await new RunReader(database.pool, new AbortController().signal).read(runId));
const shapeOf = async (runId: string) => {
  const state = await stateOf(runId);
  return {
    outcome: state.outcome,
    edges: state.graph?.edgeCount,
    tasks: [...state.tasks].map(([id, task]) => [
      id,
      task.status,
      task.attempts.map(({ attempt, startedAt, endedAt, observation }) => [
        attempt,
        startedAt,
        endedAt,
        observation?.status,
        observation?.sideEffect,
        observation?.latencyMs,
      ]),
    ]),
  };
};
const digestOf = async (runId: string): Promise<string> => {
  const { rows } = await database.pool.query("SELECT run_log_digest(key) AS digest FROM runs WHERE id = $1", [runId]);
  return rows[0].digest;
};
const age = (runId: string, days: number) =>
  database.pool.query("UPDATE runs SET finished_at = now() - $2::int * interval '1 day' WHERE id = $1", [runId, days]);

/** What the verifier of the audit finds wrong with the workspace's runs. */
async function auditFaults(): Promise<readonly unknown[]> {
  const proofs = new RunProofs(database.pool, WORKSPACE);
  const faults: unknown[] = [];
  for await (const page of readAudit(database.pool, WORKSPACE)) faults.push(...(await proofs.check(page)));
  return [...faults, ...(await proofs.end())];
}

/** Whatever of the database holds the canary: every table but the audit, whose payloads have a time of their own. */
async function tablesWithCanary(canary = CANARY): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'audit%'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await database.pool.query(`SELECT FROM "${name}" AS row WHERE row::text LIKE '%${canary}%' LIMIT 1`);
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}

const keep = (days: number) =>
  database.pool.query(
    `INSERT INTO retention_policies (workspace_id, keep_days, updated_by_id, updated_by_name) VALUES ($1, $2, 'a', 'A')
     ON CONFLICT (workspace_id) DO UPDATE SET keep_days = excluded.keep_days`,
    [WORKSPACE, days],
  );

it("erases what a run worked with and keeps how it went, with the same digest", async () => {
  const runId = await finishedRun();
  const [shape, digest] = [await shapeOf(runId), await digestOf(runId)];
  expect(await tablesWithCanary()).toEqual(expect.arrayContaining(["artifacts", "documents", "run_events"]));
  await age(runId, 31);
  await keep(30);
  expect(await createRetentionDesk(database.pool).preview(WORKSPACE, 30)).toMatchObject({ runs: 1, held: 0 });
  expect((await redact()).runs).toBe(1);
  expect(await shapeOf(runId)).toEqual(shape);
  expect(await digestOf(runId)).toBe(digest);
  expect((await stateOf(runId)).redactedAt).toBeGreaterThan(0);
  expect(await tablesWithCanary()).toEqual([]);
  expect((await redact()).runs).toBe(0);
  expect(await auditFaults()).toEqual([]);
  expect(await brokenInvariants(database.pool)).toEqual([]);
});

it("leaves alone what is younger, what is held, and what has not ended", async () => {
  const [young, held] = [await finishedRun(), await finishedRun()];
  await age(young, 29);
  await age(held, 31);
  await database.pool.query(
    `INSERT INTO run_holds (run_key, placed_by_id, placed_by_name, reason)
     SELECT key, 'a', 'A', 'asked' FROM runs WHERE id = $1`,
    [held],
  );
  const digests = [await digestOf(young), await digestOf(held)];
  expect(await createRetentionDesk(database.pool).preview(WORKSPACE, 30)).toMatchObject({ runs: 0, held: 1 });
  expect((await redact()).runs).toBe(0);
  expect([await digestOf(young), await digestOf(held)]).toEqual(digests);
  expect((await stateOf(held)).redactedAt).toBeUndefined();
});

it("lets several workers look at once, and redacts each run once", async () => {
  const runIds = [await finishedRun(), await finishedRun(), await finishedRun()];
  for (const runId of runIds) await age(runId, 40);
  const passes = await Promise.all(Array.from({ length: 4 }, () => redact()));
  expect(passes.reduce((total, { runs }) => total + runs, 0)).toBe(3);
});

it("goes on past a run that cannot be redacted, says which, and does it when it can be", async () => {
  const [bad, good] = [await finishedRun(planOf([{ id: "spoiled" }])), await finishedRun()];
  await age(bad, 60);
  await age(good, 31);
  const { rows } = await database.pool.query(
    `SELECT document.hash, document.content FROM documents AS document, run_events AS event
     WHERE event.run_key = (SELECT key FROM runs WHERE id = $1) AND event.type = 'plan_accepted'
       AND document.hash = event.payload::json->>'planRef'`,
    [bad],
  );
  const [plan] = rows;
  const setPlan = (content: string) =>
    database.pool.query("UPDATE documents SET content = $2 WHERE hash = $1", [plan.hash, content]);
  await setPlan("cut off {");
  expect(await redact()).toEqual({ runs: 1, more: false });
  expect((await stateOf(good)).redactedAt).toBeGreaterThan(0);
  expect(failed).toEqual([bad]);
  await setPlan(plan.content);
  expect((await redact()).runs).toBe(0);
  await database.pool.query("UPDATE run_redaction_failures SET at = at - interval '61 minutes'");
  expect((await redact()).runs).toBe(1);
  expect((await stateOf(bad)).redactedAt).toBeGreaterThan(0);
  expect((await database.pool.query("SELECT FROM run_redaction_failures")).rowCount).toBe(0);
});

it("waits for no start, keeps a plan that another run names, and forgets none that it could not remove yet", async () => {
  const canary = "canary-of-two";
  const plan = planOf([{ id: "shared", arguments: { value: canary } }]);
  const [first, second] = [await finishedRun(plan), await finishedRun(plan)];
  await age(first, 31);
  expect((await redact()).runs).toBe(1);
  expect(await tablesWithCanary(canary)).toContain("documents");
  expect((await stateOf(second)).graph?.edgeCount).toBe(0);
  await age(second, 31);
  const start = await database.pool.connect();
  try {
    await start.query("BEGIN; LOCK TABLE documents IN ROW EXCLUSIVE MODE");
    expect((await redact()).runs).toBe(1);
    expect(await tablesWithCanary(canary)).toEqual(["documents"]);
  } finally {
    await start.query("ROLLBACK");
    start.release();
  }
  await redact();
  expect(await tablesWithCanary(canary)).toEqual([]);
  expect((await database.pool.query("SELECT FROM dropped_documents")).rowCount).toBe(0);
});

it("leaves the work to another worker that is at it, and does not wait", async () => {
  const runId = await finishedRun();
  await age(runId, 31);
  const other = await database.pool.connect();
  try {
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(72707370)");
    expect(await redact()).toEqual({ runs: 0, more: false });
  } finally {
    await other.query("ROLLBACK");
    other.release();
  }
  expect((await redact()).runs).toBe(1);
});

it("refuses any change of an event that is not a true redaction", async () => {
  const runId = await finishedRun();
  for (const change of [
    "payload = '{}'",
    "payload = '{}', hash = sha256('lie')",
    "at = at + 1, hash = run_event_hash(run_events)",
    "type = 'run_paused', hash = run_event_hash(run_events)",
  ]) {
    const update = `UPDATE run_events SET ${change} WHERE run_key = (SELECT key FROM runs WHERE id = '${runId}')`;
    await expect(database.pool.query(update), change).rejects.toThrow(/append-only/);
  }
  const live = await createRun(
    creatorOf(database),
    planOf([{ id: "a", capability: "test.sleep", arguments: { ms: 60_000, value: 1 } }]),
  );
  const redactLive = `UPDATE run_events SET payload = '{}', hash = run_event_hash(run_events)
    WHERE run_key = (SELECT key FROM runs WHERE id = '${live}')`;
  await expect(database.pool.query(redactLive)).rejects.toThrow(/append-only/);
});
