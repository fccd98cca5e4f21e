import { afterAll, beforeAll, expect, test } from "vitest";
import type { Review, ReviewQuestion } from "#kernel/view/review/answer";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { testImplementations } from "../../../server/capabilities/testing";
import { startWorker, type Worker } from "../../../server/worker-services";
import { type ApiServer, type Credentials, openApiServer } from "../../support/api-server";
import { MemoryLog } from "../../support/memory-log";
import { until } from "../../support/until";

let api: ApiServer;
let worker: Worker;
let soundPlan: string;
let failingPlan: string;
let failedRun: string;

beforeAll(async () => {
  api = await openApiServer();
  const { database } = api;
  const executor = capabilityExecutor(testImplementations("/dev/null"));
  worker = await startWorker({ database, executor, log: new MemoryLog() });
  soundPlan = await create("sound", [{ id: "a", capability: "test.echo", arguments: { value: 1 } }], {
    completion: [{ check: "json_schema", task: "a", schema: { type: "object" } }],
    budgets: { deadlineSeconds: 600, toolCalls: 10 },
  });
  failingPlan = await create("failing", [{ id: "b", capability: "test.fail", arguments: { category: "internal" } }]);
  await create("unknown", [{ id: "c", capability: "no.such" }]);
  await runToEnd(soundPlan);
  failedRun = await runToEnd(failingPlan);
});
afterAll(async () => {
  await worker.stop();
  await api.close();
});

async function create(name: string, tasks: readonly object[], rest: object = {}): Promise<string> {
  const plan = { format: "planwright/v1", name, tasks, ...rest };
  return (await api.mutate("plans.create", { name, plan }, api.keys.engineer)).data.planId;
}

async function runToEnd(planId: string): Promise<string> {
  const { runId } = (await api.mutate("runs.start", { planId }, api.keys.engineer)).data;
  await until(`the run of ${planId} ends`, async () => {
    const run = await api.query("runs.get", { runId }, api.keys.engineer);
    return run.data.status === "finished";
  });
  return runId;
}

async function review(planId?: string, credentials: Credentials = api.keys.reviewer): Promise<Review> {
  const answer =
    planId === undefined
      ? await api.query("review.workspace", undefined, credentials)
      : await api.query("review.plan", { planId }, credentials);
  expect(answer.status).toBe(200);
  return answer.data;
}

const answerIn = ({ answers }: Review, id: ReviewQuestion) => answers.find((each) => each.id === id);

test("a workspace is answered from its plans and its runs, each exception with where it lies", async () => {
  const found = await review();
  expect(found).toMatchObject({ plans: 3, plansTotal: 3, tasks: 3, runs: { looked: 2, total: 2 } });
  expect(answerIn(found, "actions_validated")).toMatchObject({
    verdict: "partly",
    findings: [{ subject: "unknown › c", evidence: { kind: "task", taskId: "c" } }],
  });
  expect(answerIn(found, "failures_told_apart")?.findings).toContainEqual(
    expect.objectContaining({ evidence: expect.objectContaining({ kind: "run", runId: failedRun, taskId: "b" }) }),
  );
  expect(answerIn(found, "completion_independent")).toMatchObject({ verdict: "partly" });
  expect(answerIn(found, "budgets_enforced")).toMatchObject({ verdict: "partly" });
  expect(answerIn(found, "stops_explained")).toMatchObject({ verdict: "yes" });
  expect(answerIn(found, "baseline_measured")).toMatchObject({ verdict: "not_measured" });
});

test("a plan is answered from itself and its own runs alone", async () => {
  const sound = await review(soundPlan);
  expect(sound).toMatchObject({ plans: 1, tasks: 1, runs: { looked: 1, total: 1 } });
  expect(sound.answers.filter(({ findings }) => findings.length > 0)).toEqual([]);
  const failing = answerIn(await review(failingPlan), "stops_explained");
  expect(failing?.figures).toContainEqual({ label: "stop_terminal_failure", value: "1" });
});

test("another workspace sees nothing of it, and its own is empty", async () => {
  const stranger = await api.addPerson({ name: "Stranger", roles: ["admin"] });
  const foreign = await api.query("review.plan", { planId: soundPlan }, stranger);
  const missing = await api.query("review.plan", { planId: "0198c000-0000-7000-8000-000000000000" }, stranger);
  expect(foreign.status).toBe(404);
  expect(foreign.body).toBe(missing.body);
  expect(await review(undefined, stranger)).toMatchObject({ plans: 0, runs: { looked: 0, total: 0 } });
});
