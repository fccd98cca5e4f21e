import type { CapabilityDraft } from "#kernel/capability/capability-draft";
import type { PlanId } from "#kernel/ids";
import type { Result } from "#kernel/result";
import type { CapabilityRecords, CapabilityVersion } from "./capability-records";
import type { Principal } from "./principal";

/** Why a draft was not registered. */
export type RegisterRefusal =
  /** A built-in capability has this name. */
  | { readonly code: "name_taken"; readonly message: string }
  /** It says what the newest version says. */
  | { readonly code: "unchanged"; readonly message: string; readonly version: number }
  /** A newer version was registered than the one that was edited. */
  | { readonly code: "version_conflict"; readonly message: string; readonly version: number };

export interface Registration {
  readonly draft: CapabilityDraft;
  readonly note?: string;
  /** The newest version the draft was made from, 0 for none; absent: whatever is newest. */
  readonly baseVersion?: number;
}

export interface NamingPlan {
  readonly id: PlanId;
  readonly name: string;
  readonly tasks: number;
}

/** The registries as people change them. Every change is in the audit. */
export interface CapabilityStore extends CapabilityRecords {
  /** Every version of every registered capability, retired ones too, by name and version; no built-ins. */
  all(workspaceId: string): Promise<readonly CapabilityVersion[]>;
  /** The versions of one, oldest first; empty where it was never registered. */
  versions(workspaceId: string, name: string): Promise<readonly CapabilityVersion[]>;
  /** Plans whose newest version names it, with how many of their tasks do. */
  plansNaming(workspaceId: string, name: string): Promise<readonly NamingPlan[]>;
  /** Each as a version of its own, all or none but for those refused; answers in order. Drafts are checked before. */
  register(
    principal: Principal,
    registrations: readonly Registration[],
  ): Promise<readonly Result<CapabilityVersion, RegisterRefusal>[]>;
  /** Takes versions out of use, or all of one name. @returns how many changed. */
  retire(
    principal: Principal,
    which: { readonly name: string; readonly version?: number; readonly reason?: string },
  ): Promise<number>;
  /** Puts retired versions back into use. @returns how many changed. */
  enable(principal: Principal, which: { readonly name: string; readonly version?: number }): Promise<number>;
}
