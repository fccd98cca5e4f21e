import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunEvent } from "#kernel/run/event";
import { fold } from "#kernel/run/reduce";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { testImplementations } from "../../../server/capabilities/testing";
import { startWorker, type Worker } from "../../../server/worker-services";
import { type ApiServer, openApiServer } from "../../support/api-server";
import { brokenInvariants } from "../../support/invariants";
import { planOf } from "../../support/run-fixture";
import { SCRIPTED, ScriptedReplanner } from "../../support/scripted-replanner";
import { until } from "../../support/until";

let api: ApiServer;
let worker: Worker;
let folder: string;
const quiet = (): void => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const replanner = new ScriptedReplanner({
  plan: { tasks: [{ id: "b", capability: "test.echo", arguments: { value: "planned" } }] },
  message: "Without it.",
});

beforeAll(async () => {
  api = await openApiServer();
  folder = await mkdtemp(path.join(tmpdir(), "planwright-"));
  const { pool, url } = api.database;
  worker = await startWorker({
    database: { pool, url },
    executor: capabilityExecutor(testImplementations(path.join(folder, "ledger.jsonl"))),
    log,
    replanner,
  });
});
afterAll(async () => {
  await worker.stop();
  expect(await brokenInvariants(api.database.pool)).toEqual([]);
  expect(api.faults).toEqual([]);
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

type Tasks = Parameters<typeof planOf>[0];
const engineer = () => api.keys.engineer;

async function start(tasks: Tasks, rest: object = {}): Promise<string> {
  const plan = planOf(tasks, { name: `plan ${Math.random()}`, ...rest });
  const created = await api.mutate("plans.create", { name: plan.name, plan }, engineer());
  const started = await api.mutate("runs.start", { planId: created.data.planId, fourEyes: true }, engineer());
  return started.data.runId;
}
const eventsOf = async (runId: string): Promise<RunEvent[]> =>
  (await api.query("runs.events", { runId }, engineer())).data.events;
const stateOf = async (runId: string) => fold(await eventsOf(runId));
const reaches = (runId: string, taskId: string, status: string) =>
  until(`${taskId} is ${status}`, async () => (await stateOf(runId)).tasks.get(taskId)?.status === status);
const ends = async (runId: string) => {
  await until("the run ends", async () => (await stateOf(runId)).status === "finished");
  return stateOf(runId);
};
const codeOf = (answer: { error?: { data: { appCode: string } } }) => answer.error?.data.appCode;

const ask = { capability: "human.ask", arguments: { question: "Go on?" } };
/** What the editor sends: the unfinished part with changes. */
async function revision(runId: string, change: (tasks: readonly object[]) => readonly object[], rest: object = {}) {
  const state = await stateOf(runId);
  const open = state.nodes.filter(({ status }) => !/succeeded|failed|cancelled|skipped/.test(status));
  return {
    runId,
    reason: "new_information",
    triggerSeq: state.lastSeq,
    expectedRevision: state.revision,
    seenSeq: state.lastSeq,
    plan: { ...state.plan, tasks: change(open.map(({ task }) => task)) },
    ...rest,
  };
}
const echo = (id: string, rest: object = {}) => ({ id, capability: "test.echo", arguments: { value: id }, ...rest });

test("an engineer revises a live run; a second editor of the same revision hears of the first", async () => {
  const runId = await start([{ id: "a" }, { id: "wait", ...ask, dependsOn: ["a"] }, { id: "c", dependsOn: ["wait"] }]);
  await reaches(runId, "wait", "awaiting_approval");
  const first = await revision(runId, (tasks) => [...tasks, echo("d")]);
  const second = await revision(runId, (tasks) => [...tasks, echo("e")]);
  const preview = await api.mutate("runs.previewRevision", first, engineer());
  expect(preview.data).toMatchObject({ ok: true, diff: { added: ["d"] }, approvals: { steps: [], superseded: [] } });
  const answers = await Promise.all([first, second].map((each) => api.mutate("runs.revise", each, engineer())));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.map(codeOf).filter(Boolean)).toEqual(["revision_conflict"]);
  await until("one of them ran", async () => {
    const { tasks } = await stateOf(runId);
    return [tasks.get("d"), tasks.get("e")].some((task) => task?.status === "succeeded");
  });
  const state = await stateOf(runId);
  expect(state.revision).toBe(2);
  expect([...state.gates.values()].map(({ status }) => status)).toEqual(["open"]);
  await api.mutate("runs.cancel", { runId }, engineer());
  await ends(runId);
});

test("a revision sent twice is made once, and one with faults is refused with their places", async () => {
  const runId = await start([
    { id: "wait", ...ask },
    { id: "c", dependsOn: ["wait"] },
  ]);
  await reaches(runId, "wait", "awaiting_approval");
  const requestId = "request-0001";
  const body = await revision(runId, (tasks) => [...tasks, echo("d")], { requestId });
  const [one, two] = [
    await api.mutate("runs.revise", body, engineer()),
    await api.mutate("runs.revise", body, engineer()),
  ];
  expect(two.data.seq).toBe(one.data.seq);
  const wrong = await api.mutate(
    "runs.revise",
    await revision(runId, (tasks) => [...tasks, echo("x", { dependsOn: ["nobody"] })]),
    engineer(),
  );
  expect(wrong.error?.data).toMatchObject({
    appCode: "revision_refused",
    details: {
      refusal: "plan_invalid",
      problems: [{ code: "missing_dependency", pointer: expect.stringContaining("/dependsOn/0") }],
    },
  });
  await api.mutate("runs.cancel", { runId }, engineer());
  await ends(runId);
});

test("a widened revision waits for its own approval, and the author cannot give it", async () => {
  const runId = await start([
    { id: "wait", ...ask },
    { id: "c", dependsOn: ["wait"] },
  ]);
  await reaches(runId, "wait", "awaiting_approval");
  const write = { id: "count", capability: "test.count", arguments: { key: runId } };
  const body = await revision(runId, (tasks) => [...tasks, write]);
  const made = await api.mutate("runs.revise", body, engineer());
  expect(made.data).toMatchObject({ awaitsApproval: true, revision: 2 });
  await until("the approval is asked for", async () => (await stateOf(runId)).proposal?.gateId !== undefined);
  const state = await stateOf(runId);
  const gate = state.gates.get(state.proposal?.gateId ?? "");
  expect(gate?.request).toMatchObject({
    purpose: "revision",
    arguments: { tasks: [{ task: "count", sideEffect: "write" }] },
  });
  const { gateId, nonce, argumentsHash } = gate?.request ?? {};
  const decided = await api.mutate(
    "gates.decide",
    { gateId, nonce, argumentsHash, decision: "approve" },
    api.keys.approver,
  );
  expect(decided.status).toBe(200);
  await reaches(runId, "count", "succeeded");
  expect((await eventsOf(runId)).find(({ type }) => type === "plan_revised")).toMatchObject({
    gateId,
    author: { kind: "person" },
  });
  await api.mutate("runs.cancel", { runId }, engineer());
  await ends(runId);
});

test("a declared alternative and a planner take over without anybody's help", async () => {
  const fails = { capability: "test.flaky", arguments: { failures: 9, kind: "terminal" } };
  const byRule = await start([
    { id: "a", ...fails, alternatives: [{ capability: "test.echo", arguments: { value: 1 } }] },
    { id: "b", arguments: { value: { $output: "a" } } },
  ]);
  expect(await ends(byRule)).toMatchObject({ outcome: "completed", revision: 2 });
  const byPlanner = await start(
    [
      { id: "a", ...fails },
      { id: "b", dependsOn: ["a"] },
    ],
    { replanning: { planner: SCRIPTED } },
  );
  const state = await ends(byPlanner);
  expect(state).toMatchObject({ outcome: "completed", revision: 2 });
  expect(state.tasks.get("b")?.output).toEqual({ value: "planned" });
  expect(replanner.questions).toHaveLength(1);
});

test("a failed task is tried again by a person, and a rerun of the run carries what still stands", async () => {
  const runId = await start([
    { id: "big", arguments: { value: "x".repeat(100_000) } },
    { id: "count", capability: "test.count", arguments: { key: `rerun-${Math.random()}` } },
    { id: "a", capability: "test.flaky", arguments: { failures: 1, kind: "terminal" } },
    { id: "b", dependsOn: ["a"] },
    { id: "wait", ...ask },
  ]);
  await reaches(runId, "b", "cancelled");
  await reaches(runId, "count", "succeeded");
  await reaches(runId, "big", "succeeded");
  const retried = await api.mutate("runs.retryTask", { runId, taskId: "b" }, engineer());
  expect(retried.status).toBe(200);
  await reaches(runId, "b", "succeeded");
  expect((await stateOf(runId)).tasks.get("a")?.attempts).toHaveLength(2);
  const again = await api.mutate("runs.retryTask", { runId, taskId: "b" }, engineer());
  expect(codeOf(again)).toBe("not_retryable");
  const { data: plan } = await api.query("runs.previewRerun", { runId, fromTaskIds: ["b"] }, engineer());
  expect(plan).toMatchObject({ again: ["b", "wait"], mayRepeat: [] });
  const { data } = await api.mutate("runs.rerun", { runId, fromTaskIds: ["b"], requestId: "request-0002" }, engineer());
  const twice = await api.mutate("runs.rerun", { runId, fromTaskIds: ["b"], requestId: "request-0002" }, engineer());
  expect(twice.data.runId).toBe(data.runId);
  await reaches(data.runId, "b", "succeeded");
  const state = await stateOf(data.runId);
  expect(state.rerunOf).toEqual({ runId, fromTaskIds: ["b"] });
  expect(state.tasks.get("count")).toMatchObject({ status: "succeeded", attempts: [], carriedFrom: { runId } });
  expect(state.budgetUse.toolCalls).toBe(1);
  const { outputRef } = state.tasks.get("big") ?? {};
  const slice = await api.services.runs.artifact(api.workspaceId, data.runId, {
    outputRef: outputRef ?? "",
    offset: 0,
    limit: 10,
  });
  expect(slice?.bytes).toBeGreaterThan(100_000);
  const risky = await api.mutate("runs.rerun", { runId, fromTaskIds: ["count"] }, engineer());
  expect(risky.error?.data).toMatchObject({ appCode: "effects_repeated", details: { taskIds: ["count"] } });
  for (const id of [runId, data.runId]) await api.mutate("runs.cancel", { runId: id }, engineer());
  await ends(runId);
  await ends(data.runId);
  const late = await api.mutate("runs.retryTask", { runId, taskId: "a" }, engineer());
  expect(codeOf(late)).toBe("run_finished");
});
