import type { Budgets } from "../../plan/plan";
import { counted, type ReviewFinding, type ReviewPart, verdictOf } from "./answer";
import { actionsOf, changes, eventsOf, type ReviewedPlan, type ReviewFacts } from "./facts";

const BUDGETS: readonly (keyof Budgets)[] = [
  "deadlineSeconds",
  "iterations",
  "planRevisions",
  "toolCalls",
  "toolCallsPerCapability",
  "retries",
  "sideEffects",
  "tokens",
  "costUsd",
  "verificationReserveSeconds",
];

/**
 * Every budget that is set is reserved and settled by the runtime. What is not set bounds nothing, so the answer hangs
 * on whether each plan bounds what it can use up: time and calls always, the others where it can.
 */
export function budgetsEnforced(facts: ReviewFacts): ReviewPart {
  if (facts.plans.length === 0) {
    return {
      verdict: "not_measured",
      summary: "There is no plan yet.",
      advice: "Draw or import a plan and set its budgets.",
    };
  }
  const findings: ReviewFinding[] = [];
  let bounded = 0;
  for (const reviewed of facts.plans) {
    const open = needed(reviewed, facts).filter((name) => !isBounded(reviewed, name, facts));
    if (open.length === 0) bounded++;
    else {
      findings.push({
        subject: reviewed.plan.name,
        message: `Bounds neither in the plan nor by a ceiling: ${open.join(", ")}.`,
        evidence: { kind: "plan", ...(reviewed.planId === undefined ? {} : { planId: reviewed.planId }) },
      });
    }
  }
  const stops = stopsByBudget(facts);
  return {
    verdict: verdictOf(bounded, facts.plans.length),
    summary: `${bounded} of ${counted(facts.plans.length, "plan")} ${bounded === 1 ? "bounds" : "bound"} everything there is to use up${
      facts.history === undefined ? "." : `; ${counted(sum(stops), "run")} stopped at a budget.`
    }`,
    figures: [
      ...BUDGETS.map(
        (name) =>
          [
            name,
            `${facts.plans.filter(({ plan }) => isSet(plan.budgets, name)).length} of ${facts.plans.length} plans`,
          ] as const,
      ),
      ...(facts.ceilings === undefined
        ? []
        : [["Ceilings above plans", [...facts.ceilings.budgets].sort().join(", ") || "none"] as const]),
      ...[...stops].map(([budget, runs]) => [`Stops at ${budget}`, runs] as const),
    ],
    findings,
    advice: "Set the budgets named, or a ceiling for the workspace.",
  };
}

const isSet = (budgets: Budgets | undefined, name: keyof Budgets): boolean => {
  const value = budgets?.[name];
  return typeof value === "object" ? Object.keys(value).length > 0 : value !== undefined;
};

const isBounded = ({ plan }: ReviewedPlan, name: keyof Budgets, { ceilings }: ReviewFacts): boolean =>
  isSet(plan.budgets, name) || ceilings?.budgets.has(name) === true;

/** What this plan can use up without an end. */
function needed(reviewed: ReviewedPlan, facts: ReviewFacts): readonly (keyof Budgets)[] {
  const actions = actionsOf({ ...facts, plans: [reviewed] });
  const some = (is: (action: (typeof actions)[number]) => boolean): boolean => actions.some(is);
  const mayRevise =
    reviewed.plan.replanning?.planner !== undefined ||
    some(({ task }) => task.alternatives !== undefined || task.fallback !== undefined);
  return [
    "deadlineSeconds",
    "toolCalls",
    ...(some(({ task }) => (task.retry?.maxAttempts ?? 1) > 1) ? (["retries"] as const) : []),
    ...(some(({ capability }) => changes(capability)) ? (["sideEffects"] as const) : []),
    ...(some(({ capability }) => (capability?.costUsd ?? 0) > 0) ? (["costUsd"] as const) : []),
    ...(some(({ capability }) => capability?.tokensMax !== undefined || capability?.provider === "model")
      ? (["tokens"] as const)
      : []),
    ...(mayRevise ? (["planRevisions"] as const) : []),
  ];
}

/** Runs by the budget that stopped them, most first; `task_stopped` names it. */
function stopsByBudget(facts: ReviewFacts): ReadonlyMap<string, number> {
  const stopped = new Map<string, string>(
    (facts.history?.runs ?? []).flatMap((run) =>
      run.outcome === "stop_budget" ? [[run.runId, "a budget"] as const] : [],
    ),
  );
  for (const { runId, event } of eventsOf(facts, "task_stopped")) {
    if (stopped.has(runId)) stopped.set(runId, event.cause.code.replace(/^budget\./, ""));
  }
  const counts = new Map<string, number>();
  for (const budget of stopped.values()) counts.set(budget, (counts.get(budget) ?? 0) + 1);
  return new Map([...counts].sort(([, m], [, n]) => n - m));
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);
