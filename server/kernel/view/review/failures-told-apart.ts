import type { CapabilitySnapshot } from "../../capability/capability";
import type { Observation } from "../../capability/observation";
import { counted, NO_ACTIONS, type ReviewFinding, type ReviewPart, verdictOf } from "./answer";
import { actionsOf, capabilitiesInUse, capabilityReference, eventsOf, type ReviewFacts } from "./facts";

/** What it reaches may be away for a moment: a capability that looks or changes outside, or one that is not our own code. */
const reachesOut = ({ provider, sideEffect }: CapabilitySnapshot): boolean =>
  provider !== "built_in" || sideEffect === "read" || sideEffect === "write" || sideEffect === "destructive";

/** Each failed call was put into a category by code; what is left is `internal`, or has none. */
const isClassified = ({ errorCategory }: Observation): boolean =>
  errorCategory !== undefined && errorCategory !== "internal";

/**
 * Declared: each capability says which categories are worth another attempt, and any other is terminal. Observed: the
 * share of failed calls that no category fits.
 */
export function failuresToldApart(facts: ReviewFacts): ReviewPart {
  if (actionsOf(facts).length === 0) return NO_ACTIONS;
  const used = capabilitiesInUse(facts);
  const outward = used.filter(reachesOut);
  const silent = outward.filter(({ retryOn }) => retryOn.length === 0);
  const findings: ReviewFinding[] = silent.map((capability) => ({
    subject: capabilityReference(capability),
    message: "Reaches outside and counts no failure as passing, so each one ends its task.",
    evidence: { kind: "capability", reference: capabilityReference(capability) },
  }));
  const failures = [
    ...eventsOf(facts, "task_observed").map(({ runId, event }) => ({ runId, event, observation: event.observation })),
    ...eventsOf(facts, "outcome_unknown").map(({ runId, event }) => ({ runId, event, observation: event.observation })),
    ...eventsOf(facts, "task_failed").flatMap(({ runId, event }) =>
      event.observation === undefined ? [] : [{ runId, event, observation: event.observation }],
    ),
  ].filter(({ observation }) => observation.status !== "ok");
  const unclassified = failures.filter(({ observation }) => !isClassified(observation));
  for (const { runId, event, observation } of unclassified) {
    findings.push({
      subject: event.taskId,
      message: `Failed without a category that tells its kind: ${observation.message ?? "no message"}`,
      evidence: { kind: "run", runId, seq: event.seq, taskId: event.taskId },
    });
  }
  return {
    verdict: judge(outward.length - silent.length, outward.length, unclassified.length, failures.length),
    summary: [
      outward.length === 0
        ? "No capability in use reaches outside."
        : `${outward.length - silent.length} of ${counted(outward.length, "capability", "capabilities")} that reach outside say which failures pass.`,
      facts.history === undefined
        ? ""
        : failures.length === 0
          ? " No call has failed yet."
          : ` Of ${counted(failures.length, "failed call")}, ${share(unclassified.length, failures.length)} fit no category.`,
    ].join(""),
    figures: [
      ["Failed calls seen", failures.length],
      ["Retryable", failures.filter(({ observation }) => observation.status === "retryable").length],
      ["Terminal", failures.filter(({ observation }) => observation.status === "terminal").length],
      ...byCategory(failures.map(({ observation }) => observation)),
    ],
    findings,
    advice:
      "Name in retryOn what is worth another attempt, and let the provider's classifier name the failures listed.",
  };
}

function judge(declared: number, outward: number, unclassified: number, failures: number) {
  const said = verdictOf(declared, outward);
  if (said !== "yes" || failures === 0) return said;
  return verdictOf(failures - unclassified, failures);
}

const share = (part: number, whole: number): string => `${Math.round((part / whole) * 100)} %`;

function byCategory(observations: readonly Observation[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { errorCategory = "none" } of observations) {
    counts.set(errorCategory, (counts.get(errorCategory) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name, count]) => [name, count] as const);
}
