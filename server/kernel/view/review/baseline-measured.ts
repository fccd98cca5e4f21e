import type { ReviewPart } from "./answer";

/** Nothing records evaluations, so nothing can be said. */
export function baselineMeasured(): ReviewPart {
  return {
    verdict: "not_measured",
    summary: "No evaluation has compared a plan with a simpler baseline.",
    advice:
      "Run the same goals once with one direct call and no plan, and compare outcome, time and cost with the planned runs before shipping.",
  };
}
