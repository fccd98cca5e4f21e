import type { CapabilitySnapshot } from "../capability/capability";
import type { GateId, TaskId } from "../ids";
import { diffPlans } from "../plan/diff";
import type { PlanDiff } from "../plan/diff-schema";
import type { Plan } from "../plan/plan";
import type { NewRunEvent, ReplanReason, RevisionAuthor } from "./event";
import type { RunState } from "./state";
import { unfinishedPlan } from "./unfinished";

/** A revision that may be put into force: valid, and with something new. */
export interface RevisionDraft {
  readonly plan: Plan;
  readonly reason: ReplanReason;
  readonly triggerSeq: number;
  readonly author: RevisionAuthor;
  /** Capabilities that the run has not pinned yet. */
  readonly capabilities?: readonly CapabilitySnapshot[];
  readonly cancelRunning?: readonly TaskId[];
  readonly message?: string;
  readonly gateId?: GateId;
}

/** What a revision changes: the unfinished part of the plan in force against the one proposed. */
export const revisionDiff = (state: RunState, plan: Plan): PlanDiff =>
  diffPlans(unfinishedPlan(state) ?? { ...plan, tasks: [] }, plan);

/** The parts that a revision in force and one that waits for approval have in common. */
export function revisionBody(state: RunState, draft: RevisionDraft) {
  const { plan, reason, triggerSeq, author, capabilities = [], cancelRunning = [], message } = draft;
  return {
    revision: state.revision + 1,
    reason,
    triggerSeq,
    author,
    plan,
    capabilities: [...capabilities],
    diff: revisionDiff(state, plan),
    ...(message === undefined ? {} : { message }),
    ...(cancelRunning.length === 0 ? {} : { cancelRunning: [...cancelRunning] }),
  };
}

/** Puts a revision into force. */
export const planRevised = (state: RunState, draft: RevisionDraft, now: number): NewRunEvent => ({
  type: "plan_revised",
  at: now,
  by: draft.author.name,
  ...revisionBody(state, draft),
  ...(draft.gateId === undefined ? {} : { gateId: draft.gateId }),
});

export interface ReplanRefusedDraft {
  readonly reason: ReplanReason;
  readonly triggerSeq: number;
  readonly author: RevisionAuthor;
  readonly code: string;
  readonly message: string;
}

export const replanRefused = (
  { author, ...draft }: ReplanRefusedDraft & Partial<Extract<NewRunEvent, { type: "replan_refused" }>>,
  now: number,
): NewRunEvent => ({ ...draft, type: "replan_refused", at: now, by: author.name, author });

/** Revisions by rules and planners where the plan sets no limit of its own, so that no run replans for ever. */
export const REVISIONS_MAX_DEFAULT = 20;

/** Why the run allows no further revision; undefined where it does. */
export function revisionsExhausted(state: RunState, author: RevisionAuthor["kind"]): string | undefined {
  const limit = state.plan?.budgets?.planRevisions ?? (author === "person" ? undefined : REVISIONS_MAX_DEFAULT);
  const used = state.budgetUse.planRevisions;
  if (limit === undefined || used < limit) return undefined;
  return `The budget planRevisions allows ${limit}, and ${used} are used.`;
}
