import { z } from "zod";
import type { PersonId } from "#kernel/ids";
import type { Result } from "#kernel/result";
import { personRefSchema } from "#kernel/run/event";
import type { Principal } from "./principal";

/** One person signs in another's place for a time. Times are epoch milliseconds. */
export const delegationSchema = z.object({
  id: z.string(),
  delegator: personRefSchema,
  delegate: personRefSchema,
  reason: z.string().optional(),
  startsAt: z.number(),
  endsAt: z.number(),
  createdAt: z.number(),
  revokedAt: z.number().optional(),
  /** On the database clock, when it was read. */
  state: z.enum(["planned", "active", "over", "revoked"]),
});
export type DelegationRecord = z.infer<typeof delegationSchema>;

/** Longer absences are asked for again: a right that was lent and forgotten is a right too many. */
export const DELEGATION_DAYS_MAX = 90;

export type DelegationRefusal = "not_a_member" | "same_person" | "period_invalid" | "already_delegated";

export interface NewDelegation {
  readonly delegateId: PersonId;
  /** Absent: from now. */
  readonly startsAt?: number | undefined;
  readonly endsAt: number;
  readonly reason?: string | undefined;
}

/** Who stands in for whom. */
export interface Delegations {
  /** Everything that is planned or active, and what ended in the last 90 days; newest first. */
  list(workspaceId: string): Promise<readonly DelegationRecord[]>;
  /** People of the workspace to whom the principal could delegate. */
  candidates(principal: Principal): Promise<readonly { readonly id: PersonId; readonly name: string }[]>;
  create(principal: Principal, delegation: NewDelegation): Promise<Result<DelegationRecord, DelegationRefusal>>;
  /** Ends it now; undefined where there is none that this principal may end. */
  revoke(principal: Principal, delegationId: string): Promise<DelegationRecord | undefined>;
}
