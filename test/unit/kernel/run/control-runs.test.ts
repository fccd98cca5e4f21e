import { describe, expect, it } from "vitest";
import type { Plan } from "#kernel/plan/plan";
import { decisionOf } from "#kernel/run/decision";
import type { NewRunEvent } from "#kernel/run/event";
import { factsOf } from "#kernel/run/facts";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { CAPABILITIES, person, planOf } from "../../../support/run-fixture";

const HOLDS = { check: "predicate", when: true };
const FAILS = { check: "predicate", when: false };
const ASKS = { check: "human", question: "Good?" };
const run = (tasks: ({ id: string } & Record<string, unknown>)[], rest: Record<string, unknown> = {}) =>
  new ModelRun(planOf(tasks, rest)).decide();
const A = { id: "a" };

const decideGate = (run: ModelRun, decision: "approve" | "reject"): ModelRun => {
  const gate = [...run.state.gates.values()].find((each) => each.status === "open")?.request;
  if (gate === undefined) throw new Error("no gate is open");
  const { gateId, argumentsHash } = gate;
  const by = person("approver");
  return run
    .append({ type: "approval_decided", at: run.now, gateId, decision, by, reason: "no", argumentsHash })
    .decide();
};

const revised = (plan: Plan, run: ModelRun): NewRunEvent => ({
  type: "plan_revised",
  at: run.now,
  revision: run.state.revision + 1,
  reason: "new_information",
  triggerSeq: run.state.lastSeq,
  by: "planner",
  author: { kind: "planner", name: "planner" },
  plan,
  capabilities: [...CAPABILITIES],
  diff: { added: [], removed: [], changed: [], kept: [], planFields: [] },
});

const overBudget = (check: object, rest: Record<string, unknown> = {}) =>
  run([A, { id: "b", dependsOn: ["a"] }], { budgets: { toolCalls: 1 }, completion: [check], ...rest }).answer("a");

/** Each row of docs/control.md that ends a run, or keeps it, reached by a run. */
const RUNS: readonly (readonly [row: string, end: string, () => ModelRun])[] = [
  [
    "a person's word is final",
    "cancelled",
    () =>
      run([A])
        .append({ type: "run_cancelled", at: 0, by: person("p") })
        .decide(),
  ],
  ["nothing to run", "stop_no_valid_plan", () => run([])],
  ["no time left for tasks", "stop_budget", () => run([A], { budgets: { deadlineSeconds: 5 } }).wake()],
  ["the plan was not signed", "rejected", () => decideGate(run([A], { approval: {} }), "reject")],
  [
    "something is being mended",
    "retry_or_replan",
    () => run([{ ...A, retry: { maxAttempts: 2 } }]).answer("a", { ...FAILURE, status: "retryable" }),
  ],
  ["there is work", "continue", () => run([A])],
  [
    "the plan may still change",
    "retry_or_replan",
    () => {
      const waiting = run([A]);
      const question = { reason: "path_blocked", triggerSeq: 2, by: "runtime", message: "?" } as const;
      return waiting.append({ type: "replan_requested", at: 0, ...question }).answer("a");
    },
  ],
  ["the result is to be checked", "continue", () => run([A], { completion: [ASKS] }).answer("a")],
  [
    "no time left for checks",
    "stop_budget",
    () =>
      run([A], { completion: [ASKS], budgets: { deadlineSeconds: 5 } })
        .answer("a")
        .wake(),
  ],
  ["verified", "completed", () => run([A], { completion: [HOLDS] }).answer("a")],
  ["verified before a budget ran out", "completed", () => overBudget(HOLDS)],
  [
    "the budget comes first",
    "stop_budget",
    () => {
      const strict = run([A, { id: "b", dependsOn: ["a"] }], { budgets: { toolCalls: 1 }, completion: [HOLDS] });
      strict.state.policy = { budgetBeforeCompletion: true, fourEyes: true };
      return strict.answer("a");
    },
  ],
  ["a budget ran out", "stop_budget", () => overBudget(FAILS)],
  [
    "no step is left",
    "stop_no_valid_plan",
    () => {
      const emptied = run([A, { id: "hold", approval: {} }], { completion: [FAILS] }).answer("a");
      return emptied.append(revised(planOf([], { completion: [FAILS] }), emptied)).decide();
    },
  ],
  [
    "the planner repeats itself",
    "stop_stalled",
    () => {
      const refused = run([A]);
      const answer = { reason: "path_blocked", triggerSeq: 2, by: "planner", message: "The same plan." } as const;
      refused.append({ type: "replan_refused", at: 0, ...answer, verdict: "stop_stalled" });
      return refused.answer("a", FAILURE);
    },
  ],
  [
    "an approval was refused",
    "rejected",
    () => decideGate(run([{ ...A, approval: {} }, { id: "b" }]).answer("b", FAILURE), "reject"),
  ],
  ["a task failed for good", "stop_terminal_failure", () => run([A], { completion: [FAILS] }).answer("a", FAILURE)],
  [
    "a repeat told nothing new",
    "stop_stalled",
    () => {
      const repeats = run([A, { id: "hold", approval: {} }]).answer("a");
      return repeats
        .append(revised(planOf([{ id: "b" }]), repeats))
        .decide()
        .answer("b");
    },
  ],
  ["done, and not proven", "evidence_gap", () => run([A], { completion: [FAILS] }).answer("a")],
  ["done", "completed", () => run([A]).answer("a")],
];

describe("R13 runs of every row", () => {
  it.each(RUNS)("%s: %s", (_row, end, play) => {
    const { state, now } = play();
    expect(state.outcome ?? decisionOf(factsOf(state, now))).toBe(end);
    if (state.outcome === undefined) return;
    expect(state.outcomeReason).not.toBe("");
    expect(state.outcomeSeq).toBeGreaterThan(0);
  });

  it("names the budget, and the deadline that left a check undecided", () => {
    const late = run([A], { completion: [ASKS], budgets: { deadlineSeconds: 5 } }).answer("a");
    const gate = [...late.state.gates.values()][0]?.request;
    expect(gate?.decideBy).toBe(5_000);
    expect(late.wake().state.outcomeReason).toBe(
      "The deadline of 5 s has passed before every completion check was decided.",
    );
    expect([...late.state.gates.values()][0]?.status).toBe("expired");
    expect(overBudget(FAILS).state.outcomeReason).toContain("toolCalls");
  });

  it("keeps the verification reserve for checks: tasks stop before it, calls and people are asked within it", () => {
    const budgets = { deadlineSeconds: 10, verificationReserveSeconds: 4 };
    const asked = run([A, { id: "slow" }], { completion: [ASKS], budgets })
      .answer("a")
      .wake();
    expect(asked.now).toBe(6_000);
    expect(asked.statusOf("slow")).toBe("stopped_budget");
    expect(asked.state.status).toBe("running");
    expect(decideGate(asked, "approve").state.outcome).toBe("completed");
    const without = run([A], { completion: [ASKS], budgets: { deadlineSeconds: 10 } }).wake();
    expect(without.state.outcome).toBe("stop_budget");
  });

  it("says what could not be decided, which is not the same as what was found wrong", () => {
    const schema = { check: "json_schema", task: "a", schema: {} };
    const noOutput = run([{ ...A, when: false }], { completion: [schema] });
    expect(noOutput.state.completion[0]).toMatchObject({ passed: false, undecided: true });
    expect(noOutput.state.outcomeReason).toMatch(/^It could not be decided whether the objective was met\./);
    const denied = decideGate(run([A], { completion: [ASKS] }).answer("a"), "reject");
    expect(denied.state.completion[0]?.undecided).toBeUndefined();
    expect(denied.state).toMatchObject({ outcome: "evidence_gap", outcomeReason: "approver denied: Good?" });
    const unanswered = run([A], { completion: [ASKS] }).answer("a");
    while (unanswered.state.status !== "finished") unanswered.wake();
    expect(unanswered.state.completion[0]).toMatchObject({
      undecided: true,
      message: "Nobody answered in time: Good?",
    });
  });

  it("begins no check that costs a call or a person while the run is paused, and ends with those that cost nothing", () => {
    const paused = run([A], { completion: [ASKS] });
    paused.append({ type: "run_paused", at: 0, by: person("p") }).answer("a");
    expect(paused.state.gates.size).toBe(0);
    paused.append({ type: "run_resumed", at: 0, by: person("p") }).decide();
    expect(paused.state.gates.size).toBe(1);
    const free = run([A], { completion: [HOLDS] }).append({ type: "run_paused", at: 0, by: person("p") });
    expect(free.answer("a", SUCCESS).state.outcome).toBe("completed");
  });
});
