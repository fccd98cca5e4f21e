import type { RunEvent } from "#kernel/run/event";
import { describeEvent } from "#kernel/view/event-text";

/** An event that may set off a revision, in words. */
export interface RevisionTrigger {
  readonly seq: number;
  readonly label: string;
}

const OFFERED_MAX = 40;

const FAILURES: ReadonlySet<RunEvent["type"]> = new Set(["task_failed", "task_blocked", "outcome_unknown"]);

/** The newest events first; failures are what a revision most often answers, so the latest of them is the default. */
export function revisionTriggers(
  events: readonly RunEvent[],
  gateTask: (gateId: string) => string | undefined,
): { readonly triggers: readonly RevisionTrigger[]; readonly latest: number } {
  const failure = events.findLast(({ type }) => FAILURES.has(type));
  const offered = events.slice(-OFFERED_MAX);
  if (failure !== undefined && !offered.includes(failure)) offered.unshift(failure);
  const triggers = offered
    .map((event) => ({ seq: event.seq, label: `${event.seq} · ${describeEvent(event, gateTask).text}`.slice(0, 90) }))
    .reverse();
  return { triggers, latest: failure?.seq ?? events.at(-1)?.seq ?? 1 };
}
