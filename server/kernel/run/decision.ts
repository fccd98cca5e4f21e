/**
 * What a run does next, as one of ten decisions. The table of docs/control.md says when; this is the same table, and a
 * test holds the two together for every combination of facts.
 */
export type Decision =
  | "cancelled"
  | "stop_no_valid_plan"
  | "rejected"
  | "stop_budget"
  | "stop_stalled"
  | "stop_terminal_failure"
  | "evidence_gap"
  | "complete"
  | "retry_or_replan"
  | "continue";

/** What the decision depends on, and nothing else. Each is named in docs/control.md. */
export interface Facts {
  /** A person cancelled the run. */
  readonly cancelled: boolean;
  /** There is no plan that could run: validation refused it, or it has no tasks. */
  readonly unplanned: boolean;
  /** Tasks that have not ended. */
  readonly open: boolean;
  /** The time is up: for tasks the deadline less the verification reserve, for checks the deadline itself. */
  readonly overdue: boolean;
  /** The sign-off of the plan was refused, or nobody gave it in time. */
  readonly unsigned: boolean;
  /** A call waits for its next attempt, a replan for its answer, or a revision for its approval. */
  readonly mending: boolean;
  /** Nothing runs, nothing is waited for, and no open task can go on. */
  readonly stuck: boolean;
  /** A completion check that is worth making has no result yet. */
  readonly unverified: boolean;
  /** There is at least one completion check, and all have passed. */
  readonly verified: boolean;
  /** A budget stopped a task. */
  readonly exhausted: boolean;
  /** The policy of the run puts an exhausted budget before verified completion. */
  readonly budgetFirst: boolean;
  /** No step is left although something is lacking: the plan is empty, or its planner has none. */
  readonly spent: boolean;
  /** The planner offers what was there already. */
  readonly repeating: boolean;
  /** An approval was refused, or not given in time. */
  readonly rejected: boolean;
  /** A task failed, nothing absorbs or answers it, and it is not the repeat that the run is stalled by. */
  readonly failed: boolean;
  /** The last repeated call told nothing new, and nothing has become known since. */
  readonly stalled: boolean;
  /** A completion check did not pass, or could not be decided. */
  readonly unproven: boolean;
}

/** The one decision that follows from the facts. */
export function decisionOf(facts: Facts): Decision {
  if (facts.cancelled) return "cancelled";
  if (facts.unplanned) return "stop_no_valid_plan";
  return facts.open ? whileOpen(facts) : atTheEnd(facts);
}

function whileOpen(facts: Facts): Decision {
  if (facts.overdue) return "stop_budget";
  if (facts.unsigned) return "rejected";
  if (facts.mending) return "retry_or_replan";
  return facts.stuck ? "stop_stalled" : "continue";
}

function atTheEnd(facts: Facts): Decision {
  if (facts.mending) return "retry_or_replan";
  if (facts.unverified) return facts.overdue ? "stop_budget" : "continue";
  if (facts.verified && !(facts.exhausted && facts.budgetFirst)) return "complete";
  if (facts.exhausted) return "stop_budget";
  if (facts.spent) return "stop_no_valid_plan";
  if (facts.repeating) return "stop_stalled";
  if (facts.rejected) return "rejected";
  if (facts.failed) return "stop_terminal_failure";
  if (facts.stalled) return "stop_stalled";
  return facts.unproven ? "evidence_gap" : "complete";
}
