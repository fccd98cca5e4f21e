import type { PlanId } from "#kernel/ids";
import type { ReviewedHistory, ReviewedPlan } from "#kernel/view/review/facts";

/** What a review of a workspace, or of one plan of it, is answered from. */
export interface ReviewRecord {
  /** The newest version of each plan, the plan changed last first. */
  readonly plans: readonly ReviewedPlan[];
  readonly plansTotal: number;
  readonly history: ReviewedHistory;
  /** Scopes of each role that somebody in the workspace has, as `grantsScope` reads them. */
  readonly roleScopes: readonly { readonly role: string; readonly scopes: readonly string[] }[];
  /** Budgets with a ceiling that counts everybody's runs. */
  readonly ceilingBudgets: ReadonlySet<string>;
}

/** Reads what reviews are answered from; bounded, so that a large workspace is answered too. */
export interface ReviewRecords {
  /** @returns undefined where the workspace has no such plan. */
  read(workspaceId: string, planId?: PlanId): Promise<ReviewRecord | undefined>;
}
