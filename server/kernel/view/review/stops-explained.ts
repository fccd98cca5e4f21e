import { runOutcomeSchema } from "../../run/event";
import { counted, type ReviewFinding, type ReviewPart, verdictOf } from "./answer";
import { eventsOf, type ReviewFacts } from "./facts";

/** Every run that has ended says how, why in words, and by which event. */
export function stopsExplained(facts: ReviewFacts): ReviewPart {
  const ended = (facts.history?.runs ?? []).filter(({ finished }) => finished);
  if (ended.length === 0) {
    return {
      verdict: "not_measured",
      summary: facts.history === undefined ? "A file has no runs." : "No run has ended yet.",
      advice: "Run a plan; its end is then judged here.",
    };
  }
  const ends = new Map(eventsOf(facts, "run_finished").map(({ runId, event }) => [runId, event]));
  const findings: ReviewFinding[] = [];
  const outcomes = new Map<string, number>();
  for (const { runId, name, outcome, reason } of ended) {
    const end = ends.get(runId);
    const missing = [
      ...(outcome === undefined ? ["an outcome"] : []),
      ...((reason ?? "").trim() === "" ? ["a reason"] : []),
      // The first event causes nothing but itself.
      ...(end === undefined || end.causeSeq < 1 || end.causeSeq > end.seq ? ["the event that caused it"] : []),
    ];
    outcomes.set(outcome ?? "none", (outcomes.get(outcome ?? "none") ?? 0) + 1);
    if (missing.length === 0) continue;
    const evidence = { kind: "run" as const, runId, ...(end === undefined ? {} : { seq: end.seq }) };
    findings.push({ subject: name, message: `Ended without ${missing.join(", ")}.`, evidence });
  }
  const explained = ended.length - findings.length;
  return {
    verdict: verdictOf(explained, ended.length),
    summary: `${explained} of ${counted(ended.length, "run")} that ended ${explained === 1 ? "says" : "say"} how, why, and by which event.`,
    figures: runOutcomeSchema.options.map((outcome) => [outcome, outcomes.get(outcome) ?? 0] as const),
    findings,
    advice: "Open the runs listed: a run without a reason was recorded elsewhere, or met a fault of ours.",
  };
}
