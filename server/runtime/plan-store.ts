import type { Plan } from "#kernel/plan/plan";
import type { Result } from "#kernel/result";
import type { PersonRef } from "#kernel/run/event";
import type { PlanDraft, PlanSummary, PlanVersion, PlanVersionSummary } from "./plan-records";

/** Whose plans: every method is bounded by a workspace, so that a foreign id finds nothing. */
export interface PlanScope {
  readonly workspaceId: string;
  readonly person: PersonRef;
}

export interface StoredPlan {
  readonly summary: PlanSummary;
  readonly current: PlanVersion;
  readonly draft: PlanDraft | null;
}

/** Somebody else saved first; nothing was written. */
export interface VersionConflict {
  readonly currentVersion: number;
}

/** Another tab of the same person wrote first; nothing was written. */
export interface DraftConflict {
  /** Null: it was saved as a version, or thrown away. */
  readonly current: PlanDraft | null;
}

/** Plans, their immutable versions, and each person's drafts. */
export interface PlanStore {
  /** Newest first. `search` matches name and objective, case-insensitively. */
  list(
    scope: PlanScope,
    options: { readonly search?: string; readonly limit: number },
  ): Promise<readonly PlanSummary[]>;
  get(scope: PlanScope, planId: string): Promise<StoredPlan | undefined>;
  /** A new plan with version 1. `example` marks what a workspace starts with. */
  create(
    scope: PlanScope,
    plan: Plan,
    options?: { readonly example?: boolean },
  ): Promise<PlanVersion & { planId: string }>;
  /** A plan of the same name whose newest version has the same content, so that a repeated import adds nothing. */
  findSame(scope: PlanScope, plan: Plan): Promise<string | undefined>;
  /**
   * A new version on top of `baseVersion`, and the end of the asker's draft. Saving what is already current makes
   * no version and answers with the current one.
   *
   * @returns undefined where there is no such plan.
   */
  saveVersion(
    scope: PlanScope,
    planId: string,
    save: { readonly plan: Plan; readonly baseVersion: number; readonly label?: string },
  ): Promise<Result<PlanVersion, VersionConflict> | undefined>;
  versions(scope: PlanScope, planId: string): Promise<readonly PlanVersionSummary[] | undefined>;
  version(scope: PlanScope, planId: string, number: number): Promise<PlanVersion | undefined>;
  /**
   * Compare-and-set of the asker's draft. `expectedRevision` null: there is none yet.
   *
   * @returns undefined where there is no such plan.
   */
  saveDraft(
    scope: PlanScope,
    planId: string,
    save: { readonly plan: Plan; readonly baseVersion: number; readonly expectedRevision: number | null },
  ): Promise<Result<{ readonly revision: number; readonly updatedAt: number }, DraftConflict> | undefined>;
  /** False where there is no such plan or the asker has no draft of it. */
  discardDraft(scope: PlanScope, planId: string): Promise<boolean>;
  /** Takes the plan off the lists; its versions stay, since runs are pinned to them. */
  remove(scope: PlanScope, planId: string): Promise<boolean>;
}
