import type { JsonValue } from "../../json";
import type { CompletionCheck } from "../../plan/plan";
import { counted, type ReviewFinding, type ReviewPart, verdictOf } from "./answer";
import { eventsOf, type ReviewedPlan, type ReviewFacts } from "./facts";

/** What a model says of its own answer. */
const CONFIDENCE = /confidence|certainty|self[-_ ]?score|likelihood/i;

/** A plan is done when criteria that the application owns have passed, never because a model is sure. */
export function completionIndependent(facts: ReviewFacts): ReviewPart {
  if (facts.plans.length === 0) {
    return {
      verdict: "not_measured",
      summary: "There is no plan yet.",
      advice: "Draw or import a plan and give it a completion check.",
    };
  }
  const kinds = new Map<string, number>();
  const findings: ReviewFinding[] = [];
  let independent = 0;
  for (const reviewed of facts.plans) {
    const { plan } = reviewed;
    for (const { check } of plan.completion) kinds.set(check, (kinds.get(check) ?? 0) + 1);
    const about = { subject: plan.name, evidence: evidenceOf(reviewed) };
    if (plan.completion.length === 0) {
      findings.push({ ...about, message: "Has no completion check: it is done when its tasks have succeeded." });
      continue;
    }
    const leaning = plan.completion.flatMap((check) => whatItLeansOn(check, facts) ?? []);
    for (const message of leaning) findings.push({ ...about, message });
    if (leaning.length < plan.completion.length) independent++;
  }
  const checked = eventsOf(facts, "completion_checked");
  return {
    verdict: verdictOf(independent, facts.plans.length),
    summary: `${independent} of ${counted(facts.plans.length, "plan")} ${independent === 1 ? "ends" : "end"} by a check that the application owns${
      facts.history === undefined ? "." : `; ${counted(checked.length, "check")} made in the runs looked at.`
    }`,
    figures: [
      ...(["json_schema", "predicate", "capability", "human"] as const).map(
        (kind) => [kind, kinds.get(kind) ?? 0] as const,
      ),
      ["Plans with none", facts.plans.filter(({ plan }) => plan.completion.length === 0).length],
      ...(facts.history === undefined
        ? []
        : ([
            ["Checks passed", checked.filter(({ event }) => event.passed).length],
            ["Checks not passed", checked.filter(({ event }) => !event.passed).length],
          ] as const)),
    ],
    findings,
    advice: "Give each plan listed a check of its result: a schema, a predicate, a capability that looks, or a person.",
  };
}

const evidenceOf = ({ planId }: ReviewedPlan): ReviewFinding["evidence"] => ({
  kind: "plan",
  ...(planId === undefined ? {} : { planId }),
});

/** Why a check is not the application's own judgement; undefined where it is. */
function whatItLeansOn(check: CompletionCheck, { registry }: ReviewFacts): string | undefined {
  switch (check.check) {
    case "human":
      return undefined;
    case "capability":
      return registry.find(check.capability)?.provider === "model"
        ? `Its check asks ${check.capability}, which is a model's own judgement.`
        : undefined;
    case "json_schema":
      return CONFIDENCE.test(JSON.stringify(check.schema)) ? "Its schema judges a model's confidence." : undefined;
    case "predicate":
      return CONFIDENCE.test(JSON.stringify(check.when as JsonValue))
        ? "Its predicate reads a model's confidence."
        : undefined;
  }
}
