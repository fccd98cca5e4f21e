import { holdsReference } from "../../plan/find-references";
import { actionSignature } from "../../run/signature";
import { counted, type ReviewFinding, type ReviewPart } from "./answer";
import { actionsOf, capabilitiesInUse, eventsOf, type ReviewFacts } from "./facts";

/**
 * The runtime compares each call with earlier ones of the same signature. What it may take for a stall is shown: calls
 * that a plan makes twice without a polling policy, and stalls of tasks that were polling.
 */
export function repeatsDetected(facts: ReviewFacts): ReviewPart {
  const polling = capabilitiesInUse(facts).filter((capability) => capability.polling !== undefined);
  const doubled = doubledCalls(facts);
  const seen = eventsOf(facts, "repetition_detected");
  const polled = new Set(
    eventsOf(facts, "task_retry_scheduled").flatMap(({ runId, event }) =>
      event.poll === true ? [`${runId}/${event.taskId}`] : [],
    ),
  );
  const stalls = seen.filter(({ event }) => event.verdict === "stall");
  const misjudged = stalls.filter(({ runId, event }) => polled.has(`${runId}/${event.taskId}`));
  const findings: ReviewFinding[] = [
    ...misjudged.map(({ runId, event }) => ({
      subject: event.taskId,
      message: `Was polling and was then taken for a stall, at call ${event.times}: raise maxPolls or its deadline if it was not one.`,
      evidence: { kind: "run" as const, runId, seq: event.seq, taskId: event.taskId },
    })),
    ...doubled,
  ];
  const count = (verdict: string): number => seen.filter(({ event }) => event.verdict === verdict).length;
  const isShown = facts.history === undefined || seen.length > 0 || polled.size > 0;
  return {
    verdict: findings.length > 0 ? "partly" : isShown ? "yes" : "not_measured",
    summary: `${
      facts.history === undefined
        ? "Every call's signature is compared with earlier ones when the plan runs."
        : seen.length === 0
          ? "No run looked at has repeated an action."
          : `${counted(seen.length, "repeat")} seen: ${count("new_evidence")} with new evidence, ${count("polling")} polling, ${stalls.length} a stall.`
    } ${counted(polling.length, "capability in use declares", "capabilities in use declare")} a polling policy.`,
    figures: [
      ["Polling policies", polling.length],
      ["Calls a plan makes twice", doubled.length],
      ...(facts.history === undefined
        ? []
        : ([
            ["Repeats seen", seen.length],
            ["Polls seen", polled.size],
            ["Stalls", stalls.length],
            ["Polling taken for a stall", misjudged.length],
          ] as const)),
    ],
    findings,
    advice:
      findings.length > 0
        ? "Give the capability a polling policy where a repeat is meant, or make one call of the two."
        : "Run a plan that polls, such as one with a capability whose polling policy says when it is done.",
  };
}

/** Tasks of one plan with the same capability and the same literal arguments, where no policy says that this is polling. */
function doubledCalls(facts: ReviewFacts): ReviewFinding[] {
  const first = new Map<string, string>();
  const findings: ReviewFinding[] = [];
  facts.plans.forEach((reviewed, index) => {
    for (const { plan, task, capability } of actionsOf({ ...facts, plans: [reviewed] })) {
      const isOnce = task.forEach === undefined || task.forEach === null;
      if (capability === undefined || capability.polling !== undefined || !isOnce || holdsReference(task.arguments)) {
        continue;
      }
      const key = `${index}/${actionSignature(task.capability, task.arguments)}`;
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, task.id);
      else {
        findings.push({
          subject: `${plan.plan.name} › ${task.id}`,
          message: `Makes the very call that ${earlier} makes.`,
          evidence: { kind: "task", taskId: task.id, ...(plan.planId === undefined ? {} : { planId: plan.planId }) },
        });
      }
    }
  });
  return findings;
}
