import { actionsValidated } from "./actions-validated";
import { answerOf, REVIEW_QUESTIONS, type Review, type ReviewPart, type ReviewQuestion } from "./answer";
import { authorizationEnforced } from "./authorization-enforced";
import { baselineMeasured } from "./baseline-measured";
import { budgetsEnforced } from "./budgets-enforced";
import { completionIndependent } from "./completion-independent";
import type { ReviewFacts } from "./facts";
import { failuresToldApart } from "./failures-told-apart";
import { repeatsDetected } from "./repeats-detected";
import { stopsExplained } from "./stops-explained";

const ANSWERS: Readonly<Record<ReviewQuestion, (facts: ReviewFacts) => ReviewPart>> = {
  actions_validated: actionsValidated,
  authorization_enforced: authorizationEnforced,
  failures_told_apart: failuresToldApart,
  repeats_detected: repeatsDetected,
  completion_independent: completionIndependent,
  budgets_enforced: budgetsEnforced,
  stops_explained: stopsExplained,
  baseline_measured: baselineMeasured,
};

/** The review of what is declared and what was seen. Pure: the same facts give the same answers. */
export function reviewOf(facts: ReviewFacts): Review {
  const { plans, plansTotal, history } = facts;
  return {
    answers: (Object.keys(REVIEW_QUESTIONS) as ReviewQuestion[]).map((id) => answerOf(id, ANSWERS[id](facts))),
    plans: plans.length,
    plansTotal,
    tasks: plans.reduce((sum, { plan }) => sum + plan.tasks.length, 0),
    ...(history === undefined ? {} : { runs: { looked: history.runs.length, total: history.runsTotal } }),
  };
}

/** True where an answer says that something does not hold. What was not measured does not count. */
export const hasObjections = ({ answers }: Review): boolean =>
  answers.some(({ verdict }) => verdict === "no" || verdict === "partly");
