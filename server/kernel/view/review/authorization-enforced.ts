import type { ErrorCategory } from "../../capability/capability";
import { counted, NO_ACTIONS, type ReviewFinding, type ReviewPart } from "./answer";
import { actionsOf, capabilitiesInUse, capabilityReference, changes, eventsOf, type ReviewFacts } from "./facts";

const REFUSALS: ReadonlySet<ErrorCategory | undefined> = new Set<ErrorCategory | undefined>([
  "policy_denied",
  "forbidden",
]);

/**
 * Before each call the runtime asks what the person in whose name the run
 * acts may do then. So the answer hangs on whether each capability that changes something declares a scope at all, and
 * whether somebody holds it.
 */
export function authorizationEnforced(facts: ReviewFacts): ReviewPart {
  if (actionsOf(facts).length === 0) return NO_ACTIONS;
  const used = capabilitiesInUse(facts);
  const changing = used.filter(changes);
  const scopes = new Set(used.flatMap(({ requires }) => requires));
  const findings: ReviewFinding[] = changing
    .filter(({ requires }) => requires.length === 0)
    .map((capability) => ({
      subject: capabilityReference(capability),
      message: "Changes something and asks for no scope, so everybody who may start a run may have it do so.",
      evidence: { kind: "capability", reference: capabilityReference(capability) },
    }));
  const { grants } = facts;
  if (grants !== undefined) {
    for (const capability of used) {
      const missing = capability.requires.filter((scope) => !grants.holds(scope));
      if (missing.length === 0) continue;
      findings.push({
        subject: capabilityReference(capability),
        message: `Nobody in the workspace holds ${missing.join(", ")}: every call of it is refused.`,
        evidence: { kind: "capability", reference: capabilityReference(capability) },
      });
    }
  }
  const refusals = eventsOf(facts, "task_failed").filter(({ event }) => REFUSALS.has(event.observation?.errorCategory));
  const declared = changing.filter(({ requires }) => requires.length > 0).length;
  return {
    // Membership and key are asked for at every call, so it never holds for none of them.
    verdict: declared === changing.length ? "yes" : "partly",
    summary:
      changing.length === 0
        ? "No capability in use changes anything; scopes of the others are checked before each call."
        : `Membership and key are checked at each call; ${declared} of ${counted(changing.length, "such capability", "such capabilities")} also ${declared === 1 ? "asks" : "ask"} for a scope.`,
    figures: [
      ["Capabilities in use", used.length],
      ["Scopes declared", scopes.size],
      ...(grants?.byRole ?? []).map(
        ({ role, scopes }) =>
          [`Held by role ${role}`, scopes.join(", ").replace(/^\*$/, "every scope") || "none"] as const,
      ),
      ...(facts.history === undefined ? [] : [["Refusals seen", refusals.length] as const]),
      ...lastRefusal(refusals.at(0)),
    ],
    findings,
    advice:
      "Register a version of each listed capability that requires a scope, and give the scope to whom it is meant for.",
  };
}

const lastRefusal = (refusal: ReturnType<typeof eventsOf<"task_failed">>[number] | undefined) =>
  refusal === undefined ? [] : [["Last refusal", refusal.event.cause.message] as const];
