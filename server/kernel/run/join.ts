import type { TaskId } from "../ids";
import type { Join, OnFailure } from "../plan/plan";
import type { TaskStatus } from "./status";

/** A parent as a join sees it: how it ended, and what its plan says about failing. */
export interface ParentEnd {
  readonly taskId: TaskId;
  /** Terminal. */
  readonly status: TaskStatus;
  readonly onFailure: OnFailure;
}

/** What becomes of a task once all of its parents have ended. `by` is the parent that decided against it. */
export type JoinVerdict =
  | { readonly type: "run" }
  | { readonly type: "skip" | "cancel" | "block"; readonly by: ParentEnd };

const RUN: JoinVerdict = { type: "run" };

/**
 * The join table (docs/joins.md), asked once every parent is terminal, so that the order in which they ended never
 * matters. A task without parents runs whatever its join.
 *
 * A parent that was cancelled or stopped counts as failed; a skipped one is neither failed nor succeeded. Where the
 * join says no, the gravest parent decides how: a failure that blocks its dependents, then a failure or cancellation,
 * then a skip or a failure that its plan lets the run continue after. Ties go to the first parent.
 */
export function joinVerdict(join: Join, parents: readonly ParentEnd[]): JoinVerdict {
  if (parents.length === 0 || allows(join, parents)) return RUN;
  let gravest: JoinVerdict = RUN;
  for (const parent of parents) {
    const verdict = objection(parent);
    if (GRAVITY[verdict.type] > GRAVITY[gravest.type]) gravest = verdict;
  }
  return gravest;
}

const GRAVITY = { run: 0, skip: 1, cancel: 2, block: 3 } as const;

function allows(join: Join, parents: readonly ParentEnd[]): boolean {
  switch (join) {
    case "all_succeeded":
      return parents.every((parent) => parent.status === "succeeded");
    case "any_succeeded":
      return parents.some((parent) => parent.status === "succeeded");
    case "none_failed":
      return parents.every((parent) => parent.status === "succeeded" || parent.status === "skipped");
    case "all_done":
      return true;
  }
}

function objection(parent: ParentEnd): JoinVerdict {
  switch (parent.status) {
    case "succeeded":
      return RUN;
    case "skipped":
      return { type: "skip", by: parent };
    case "failed":
      if (parent.onFailure === "block_dependents") return { type: "block", by: parent };
      return { type: parent.onFailure === "continue" ? "skip" : "cancel", by: parent };
    default:
      return { type: "cancel", by: parent };
  }
}
