import { z } from "zod";
import type { Result } from "#kernel/result";
import { type Principal, type Role, roleSchema } from "./principal";

/** Days until the link of an invitation stops working. */
export const INVITATION_DAYS = 7;

/** An invitation that has not been used yet, as admins see it. */
export const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  roles: z.array(roleSchema),
  invitedBy: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** What whoever holds the link may know. */
export const invitationPreviewSchema = z.object({
  workspace: z.string(),
  email: z.string(),
  roles: z.array(roleSchema),
  invitedBy: z.string(),
  expiresAt: z.number(),
  /** The address belongs to somebody who can sign in already. */
  known: z.boolean(),
});
export type InvitationPreview = z.infer<typeof invitationPreviewSchema>;

export type InvitationRefusal =
  /** No such token, or it was used, revoked, or is too old. One answer for all. */
  | "invalid"
  /** The address belongs to somebody: they sign in and join. */
  | "known"
  /** Whoever is signed in is not who was invited. */
  | "other_person";

/** Ways in, each for one e-mail address and one use. Tokens are given out once and kept as hashes. */
export interface Invitations {
  list(workspaceId: string): Promise<readonly Invitation[]>;
  /** Replaces an open invitation of the same address. Refused: they are in the workspace already. */
  create(
    principal: Principal,
    invitation: { readonly email: string; readonly roles: readonly Role[] },
  ): Promise<Result<{ readonly invitation: Invitation; readonly token: string }, "already_member">>;
  revoke(principal: Principal, invitationId: string): Promise<boolean>;
  preview(token: string): Promise<InvitationPreview | undefined>;
  /** Makes the person, with their password, and puts them in the workspace. */
  accept(
    token: string,
    person: { readonly name: string; readonly password: string },
  ): Promise<Result<{ readonly email: string }, InvitationRefusal>>;
  /** Puts somebody who is known already into the workspace; their session shows it from now on. */
  join(
    token: string,
    person: { readonly id: string; readonly email: string; readonly sessionId: string },
  ): Promise<Result<void, InvitationRefusal>>;
}
