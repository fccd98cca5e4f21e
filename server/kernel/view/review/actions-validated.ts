import type { DiagnosticCode } from "../../plan/diagnostic";
import { validatePlan } from "../../plan/validate";
import { counted, NO_ACTIONS, type ReviewFinding, type ReviewPart, verdictOf } from "./answer";
import { actionsOf, eventsOf, type ReviewFacts } from "./facts";

/** Problems that leave open what a task would call, or with what. */
const OF_ACTIONS: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  "unknown_capability",
  "arguments_invalid",
  "reference_not_upstream",
  "reference_missing_task",
  "reference_unknown_path",
  "reference_type_mismatch",
]);

/** Every task names a registered capability, and its arguments fit that capability's schema. */
export function actionsValidated(facts: ReviewFacts): ReviewPart {
  const actions = actionsOf(facts);
  if (actions.length === 0) return NO_ACTIONS;
  const findings: ReviewFinding[] = [];
  let unsound = 0;
  for (const { planId, plan } of facts.plans) {
    const { diagnostics } = validatePlan(plan, {
      registry: facts.registry,
      ...(facts.checkSchema === undefined ? {} : { checkSchema: facts.checkSchema }),
    });
    const faulty = new Set<string>();
    for (const { code, severity, taskId, message } of diagnostics) {
      if (severity !== "error" || taskId === undefined || !OF_ACTIONS.has(code)) continue;
      faulty.add(taskId);
      const evidence = { kind: "task" as const, taskId, ...(planId === undefined ? {} : { planId }) };
      findings.push({ subject: `${plan.name} › ${taskId}`, message, evidence });
    }
    unsound += faulty.size;
  }
  const sound = actions.length - unsound;
  const refused = eventsOf(facts, "task_failed").filter(({ event }) => {
    const category = event.observation?.errorCategory;
    return category === "invalid_arguments" || category === "capability_gone";
  });
  return {
    verdict: verdictOf(sound, actions.length),
    summary: `${sound.toLocaleString("en-US")} of ${counted(actions.length, "task")} name a registered capability with arguments that fit its schema.`,
    figures: [
      ["Tasks checked", actions.length],
      ["Not valid", unsound],
      ...(facts.history === undefined ? [] : [["Refused again at the action", refused.length] as const]),
    ],
    findings,
    advice: "Register what is missing or mend the tasks listed. A plan with such a task does not run.",
  };
}
