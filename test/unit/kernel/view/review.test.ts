import { describe, expect, test } from "vitest";
import { BUILT_IN_CAPABILITIES } from "#kernel/capability/built-in/registry";
import {
  type Capability,
  type CapabilitySnapshot,
  registryOf,
  snapshotCapability,
} from "#kernel/capability/capability";
import { planIdSchema, runIdSchema } from "#kernel/ids";
import { type Plan, planSchema } from "#kernel/plan/plan";
import { type RunEvent, type RunOutcome, runEventSchema, runOutcomeSchema } from "#kernel/run/event";
import { FINDINGS_MAX, REVIEW_QUESTIONS, type ReviewQuestion, reviewSchema } from "#kernel/view/review/answer";
import type { ReviewedEvent, ReviewedRun, ReviewFacts } from "#kernel/view/review/facts";
import { hasObjections, reviewOf } from "#kernel/view/review/review";

const planId = planIdSchema.parse("plan-1");
const runId = runIdSchema.parse("run-1");

const capability = (name: string, changes: Partial<Capability> = {}): CapabilitySnapshot =>
  snapshotCapability({
    name,
    version: 1,
    title: name,
    description: name,
    provider: "http",
    inputSchema: { type: "object" },
    outputSchema: {},
    sideEffect: "read",
    reads: [],
    writes: [],
    idempotency: "natural",
    requires: [],
    approval: "never",
    timeoutSeconds: 10,
    retryOn: ["timeout"],
    estimate: { p50Seconds: 1, p95Seconds: 2 },
    ...changes,
  });

const CAPABILITIES = [
  ...BUILT_IN_CAPABILITIES,
  capability("crm.read"),
  capability("crm.write", { sideEffect: "write", requires: ["crm:write"], idempotency: "key" }),
  capability("crm.delete", { sideEffect: "destructive" }),
  capability("crm.silent", { retryOn: [] }),
  capability("crm.poll", { polling: { maxPolls: 5, deadlineSeconds: 60 } }),
  capability("judge", { provider: "model", tokensMax: 100 }),
];

const planOf = (tasks: readonly object[], rest: object = {}): Plan =>
  planSchema.parse({ format: "planwright/v1", name: "a plan", tasks, ...rest });

const factsOf = (plans: readonly Plan[], rest: Partial<ReviewFacts> = {}): ReviewFacts => ({
  plans: plans.map((plan) => ({ planId, plan })),
  plansTotal: plans.length,
  registry: registryOf(CAPABILITIES),
  ...rest,
});

const event = (body: object, seq = 1): ReviewedEvent => ({
  runId,
  event: runEventSchema.parse({ seq, at: 0, ...body }) as RunEvent,
});

const run = (changes: Partial<ReviewedRun> = {}): ReviewedRun => ({ runId, name: "a run", finished: true, ...changes });

const history = (events: readonly ReviewedEvent[], runs: readonly ReviewedRun[] = [run()]): Partial<ReviewFacts> => ({
  history: { runs, runsTotal: runs.length, events },
});

const failed = (category: string | undefined, status = "terminal"): ReviewedEvent =>
  event({
    type: "task_failed",
    taskId: "a",
    attempt: 1,
    startedAt: 0,
    observation: { status, sideEffect: "none", latencyMs: 1, ...(category ? { errorCategory: category } : {}) },
    cause: { code: category ?? "internal", message: "it failed" },
  });

const answer = (facts: ReviewFacts, id: ReviewQuestion) => {
  const found = reviewOf(facts).answers.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no answer to ${id}`);
  return found;
};
const figure = (facts: ReviewFacts, id: ReviewQuestion, label: string) =>
  answer(facts, id).figures.find((each) => each.label === label)?.value;

describe("a review", () => {
  test("answers every question, in order, in the shape that is sent", () => {
    const review = reviewOf(factsOf([planOf([{ id: "a", capability: "crm.read" }])]));
    expect(review.answers.map(({ id }) => id)).toEqual(Object.keys(REVIEW_QUESTIONS));
    expect(reviewSchema.parse(review)).toEqual(review);
  });

  test("of nothing claims nothing", () => {
    const review = reviewOf(factsOf([], history([], [])));
    const claimed = review.answers.filter(({ verdict }) => verdict === "yes").map(({ id }) => id);
    expect(claimed).toEqual([]);
    expect(hasObjections(review)).toBe(false);
  });

  test("says how many exceptions there are where it cannot list them all", () => {
    const tasks = Array.from({ length: FINDINGS_MAX + 5 }, (_, index) => ({ id: `t${index}`, capability: "no.such" }));
    const { findings, findingsTotal, verdict } = answer(factsOf([planOf(tasks)]), "actions_validated");
    expect(verdict).toBe("no");
    expect(findings).toHaveLength(FINDINGS_MAX);
    expect(findingsTotal).toBe(FINDINGS_MAX + 5);
  });

  test("leaves advice out where there is nothing to do", () => {
    const found = answer(factsOf([planOf([{ id: "a", capability: "crm.read" }])]), "actions_validated");
    expect(found).toMatchObject({ verdict: "yes", findings: [] });
    expect(found.advice).toBeUndefined();
  });
});

describe("actions validated", () => {
  test("a task that calls what is not registered is named with its plan", () => {
    const plan = planOf([
      { id: "a", capability: "crm.read" },
      { id: "b", capability: "crm.raed" },
    ]);
    const { verdict, findings } = answer(factsOf([plan]), "actions_validated");
    expect(verdict).toBe("partly");
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ subject: "a plan › b", evidence: { kind: "task", planId, taskId: "b" } });
  });

  test("what the action refused again is counted", () => {
    const facts = factsOf([planOf([{ id: "a", capability: "crm.read" }])], history([failed("invalid_arguments")]));
    expect(figure(facts, "actions_validated", "Refused again at the action")).toBe("1");
  });
});

describe("authorization enforced", () => {
  test("a capability that changes something and asks for no scope stands against it", () => {
    const plan = planOf([
      { id: "a", capability: "crm.write" },
      { id: "b", capability: "crm.delete" },
    ]);
    const { verdict, findings } = answer(factsOf([plan]), "authorization_enforced");
    expect(verdict).toBe("partly");
    expect(findings.map(({ subject }) => subject)).toEqual(["crm.delete@1"]);
  });

  test("a scope that nobody holds is told, since every call is refused", () => {
    const plan = planOf([{ id: "a", capability: "crm.write" }]);
    const { findings } = answer(
      factsOf([plan], { grants: { byRole: [], holds: () => false } }),
      "authorization_enforced",
    );
    expect(findings[0]?.message).toContain("crm:write");
  });

  test("refusals that were seen are counted", () => {
    const plan = planOf([{ id: "a", capability: "crm.write" }]);
    const facts = factsOf([plan], history([failed("policy_denied"), failed("forbidden"), failed("timeout")]));
    expect(figure(facts, "authorization_enforced", "Refusals seen")).toBe("2");
  });
});

describe("failures told apart", () => {
  test("a capability that reaches outside and names no passing failure stands against it", () => {
    const plan = planOf([
      { id: "a", capability: "crm.read" },
      { id: "b", capability: "crm.silent" },
    ]);
    const { verdict, findings } = answer(factsOf([plan]), "failures_told_apart");
    expect(verdict).toBe("partly");
    expect(findings.map(({ subject }) => subject)).toEqual(["crm.silent@1"]);
  });

  test("a failure that fits no category is linked at its event", () => {
    const plan = planOf([{ id: "a", capability: "crm.read" }]);
    const facts = factsOf([plan], history([failed("timeout", "retryable"), failed("internal"), failed(undefined)]));
    const { verdict, findings, summary } = answer(facts, "failures_told_apart");
    expect(verdict).toBe("partly");
    expect(findings).toHaveLength(2);
    expect(findings[0]?.evidence).toEqual({ kind: "run", runId, seq: 1, taskId: "a" });
    expect(summary).toContain("67 %");
    expect(figure(facts, "failures_told_apart", "timeout")).toBe("1");
  });
});

describe("repeats detected", () => {
  const repetition = (verdict: string) =>
    event({ type: "repetition_detected", taskId: "a", signature: "s", times: 3, verdict }, 3);
  const polled = event(
    {
      type: "task_retry_scheduled",
      taskId: "a",
      attempt: 2,
      notBefore: 0,
      cause: { code: "poll", message: "not done" },
      poll: true,
    },
    2,
  );

  test("is not claimed before a run has repeated anything", () => {
    const plan = planOf([{ id: "a", capability: "crm.poll" }]);
    expect(answer(factsOf([plan], history([])), "repeats_detected").verdict).toBe("not_measured");
    expect(answer(factsOf([plan], history([repetition("polling")])), "repeats_detected").verdict).toBe("yes");
  });

  test("polling that was taken for a stall is linked", () => {
    const plan = planOf([{ id: "a", capability: "crm.poll" }]);
    const facts = factsOf([plan], history([polled, repetition("stall")]));
    const { verdict, findings } = answer(facts, "repeats_detected");
    expect(verdict).toBe("partly");
    expect(findings[0]?.evidence).toEqual({ kind: "run", runId, seq: 3, taskId: "a" });
  });

  test("a plan that makes one call twice is told, but not where its capability polls or its arguments differ", () => {
    const twice = (name: string, other: object = { id: 1 }) =>
      planOf([
        { id: "a", capability: name, arguments: { id: 1 } },
        { id: "b", capability: name, arguments: other },
      ]);
    const found = (plan: Plan) => answer(factsOf([plan]), "repeats_detected").findings.map(({ subject }) => subject);
    expect(found(twice("crm.read"))).toEqual(["a plan › b"]);
    expect(found(twice("crm.poll"))).toEqual([]);
    expect(found(twice("crm.read", { id: 2 }))).toEqual([]);
  });
});

describe("completion independent", () => {
  const task = { id: "a", capability: "crm.read" };
  const withCheck = (check: object) => factsOf([planOf([task], { completion: [check] })]);
  const verdict = (facts: ReviewFacts) => answer(facts, "completion_independent").verdict;

  test("a plan without a check stands against it", () => {
    expect(verdict(factsOf([planOf([task])]))).toBe("no");
    expect(verdict(withCheck({ check: "json_schema", task: "a", schema: { type: "object" } }))).toBe("yes");
  });

  test("a check that rests on a model's confidence or judgement is not the application's own", () => {
    const value = { $output: "a#/confidence" };
    expect(verdict(withCheck({ check: "predicate", when: { value, greaterThan: 0.8 } }))).toBe("no");
    expect(verdict(withCheck({ check: "capability", capability: "judge" }))).toBe("no");
    expect(verdict(withCheck({ check: "capability", capability: "crm.read" }))).toBe("yes");
    expect(verdict(withCheck({ check: "human", question: "Is it right?" }))).toBe("yes");
  });
});

describe("budgets enforced", () => {
  const always = { deadlineSeconds: 60, toolCalls: 10 };
  const of = (tasks: readonly object[], budgets: object, rest: Partial<ReviewFacts> = {}) =>
    answer(factsOf([planOf(tasks, { budgets })], rest), "budgets_enforced");

  test("a plan must bound what it can use up, and nothing else", () => {
    expect(of([{ id: "a", capability: "crm.read" }], always).verdict).toBe("yes");
    const open = of([{ id: "a", capability: "crm.write", retry: { maxAttempts: 3 } }], always);
    expect(open.verdict).toBe("no");
    expect(open.findings[0]?.message).toContain("retries, sideEffects");
    expect(of([{ id: "a", capability: "judge" }], always).findings[0]?.message).toContain("tokens");
  });

  test("a ceiling above the plan bounds as well", () => {
    const ceilings = { budgets: new Set(["sideEffects"]) };
    expect(of([{ id: "a", capability: "crm.write" }], always, { ceilings }).verdict).toBe("yes");
  });

  test("stops are counted by the budget that made them", () => {
    const stop = event({
      type: "task_stopped",
      taskId: "a",
      cause: { code: "budget.toolCalls", message: "all calls are used" },
    });
    const facts = factsOf(
      [planOf([{ id: "a", capability: "crm.read" }])],
      history([stop], [run({ outcome: "stop_budget", reason: "x" })]),
    );
    expect(figure(facts, "budgets_enforced", "Stops at toolCalls")).toBe("1");
  });
});

describe("stops explained", () => {
  const end = (outcome: RunOutcome, causeSeq: number, seq = 5) =>
    event({ type: "run_finished", outcome, reason: "why", causeSeq }, seq);
  const explained = (events: readonly ReviewedEvent[], runs: readonly ReviewedRun[]) =>
    answer(factsOf([], history(events, runs)), "stops_explained");

  test.each(runOutcomeSchema.options)("a run that ended %s with reason and cause is explained", (outcome) => {
    const found = explained([end(outcome, 4)], [run({ outcome, reason: "why" })]);
    expect(found).toMatchObject({ verdict: "yes", findings: [] });
    expect(found.figures.find(({ label }) => label === outcome)?.value).toBe("1");
  });

  test("an end without outcome, reason or cause is linked", () => {
    const found = explained([], [run({ reason: " " })]);
    expect(found.verdict).toBe("no");
    expect(found.findings[0]?.message).toBe("Ended without an outcome, a reason, the event that caused it.");
    expect(explained([end("completed", 9)], [run({ outcome: "completed", reason: "why" })]).verdict).toBe("no");
  });

  test("runs that go on are not judged", () => {
    expect(explained([], [run({ finished: false })]).verdict).toBe("not_measured");
  });
});

test("a baseline that nobody measured is not claimed", () => {
  expect(answer(factsOf([]), "baseline_measured")).toMatchObject({ verdict: "not_measured" });
});
