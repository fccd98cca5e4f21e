import type { Join, OnFailure } from "#kernel/plan/plan";

/** What the world does with a task, once it is called. */
export interface Fate {
  readonly id: string;
  readonly parents: readonly string[];
  readonly join: Join;
  readonly onFailure: OnFailure;
  /** False: its condition does not hold. */
  readonly when: boolean;
  /** Retryable failures before the last answer. */
  readonly flaky: number;
  readonly maxAttempts: number;
  readonly succeeds: boolean;
}

export type End = "succeeded" | "failed" | "skipped" | "cancelled";

/**
 * How a plan must end, written from docs/joins.md alone and knowing nothing of events: a walk in topological order.
 *
 * @param fates in topological order.
 * @param released whether a person lets blocked tasks run.
 */
export function expectedEnds(fates: readonly Fate[], released: boolean): Map<string, End> {
  const ends = new Map<string, End>();
  const fateOf = new Map(fates.map((fate) => [fate.id, fate]));
  for (const fate of fates) {
    const parents = fate.parents.map((id) => ({ end: ends.get(id), onFailure: fateOf.get(id)?.onFailure }));
    ends.set(fate.id, endOf(fate, parents, released));
  }
  return ends;
}

interface Parent {
  readonly end: End | undefined;
  readonly onFailure: OnFailure | undefined;
}

function endOf(fate: Fate, parents: readonly Parent[], released: boolean): End {
  if (parents.length > 0 && !joinHolds(fate.join, parents)) {
    const failed = parents.filter((parent) => parent.end === "failed");
    if (failed.some((parent) => parent.onFailure === "block_dependents")) {
      if (!released) return "cancelled";
    } else if (
      failed.some((parent) => parent.onFailure === "cancel_dependents") ||
      parents.some((parent) => parent.end === "cancelled")
    ) {
      return "cancelled";
    } else {
      return "skipped";
    }
  }
  if (!fate.when) return "skipped";
  if (fate.flaky >= fate.maxAttempts) return "failed";
  return fate.succeeds ? "succeeded" : "failed";
}

function joinHolds(join: Join, parents: readonly Parent[]): boolean {
  const count = (end: End) => parents.filter((parent) => parent.end === end).length;
  if (join === "all_succeeded") return count("succeeded") === parents.length;
  if (join === "any_succeeded") return count("succeeded") > 0;
  if (join === "none_failed") return count("failed") + count("cancelled") === 0;
  return true;
}

/** What the run as a whole must come to, without budgets, gates or completion checks. */
export const expectedOutcome = (fates: readonly Fate[], ends: ReadonlyMap<string, End>): string =>
  fates.some((fate) => ends.get(fate.id) === "failed" && fate.onFailure !== "continue")
    ? "stop_terminal_failure"
    : "completed";
