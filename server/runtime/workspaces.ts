import { z } from "zod";
import type { Result } from "#kernel/result";
import { type Principal, type Role, roleSchema } from "./principal";

/** A workspace as one of its members sees it in the switcher. */
export const workspaceSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The asker's own. */
  roles: z.array(roleSchema),
  members: z.int(),
});
export type WorkspaceSummary = z.infer<typeof workspaceSummarySchema>;

/** Somebody in a workspace. Times are epoch milliseconds. */
export const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(roleSchema),
  joinedAt: z.number(),
  /** When one of their browsers was last seen; absent: none is signed in. */
  seenAt: z.number().optional(),
  /** Living keys in this workspace. */
  keys: z.int(),
});
export type Member = z.infer<typeof memberSchema>;

/** Why a change of members was refused. Somebody must always be left who can invite others. */
export type MemberRefusal = "not_found" | "last_admin";

/** Workspaces and who is in them. Every change is audited in its own transaction. */
export interface Workspaces {
  /** Those the person is in, by name. */
  list(principal: Principal): Promise<readonly WorkspaceSummary[]>;
  /** A new one with the principal as its admin; the session shows it from now on. */
  create(principal: Principal, name: string): Promise<{ readonly workspaceId: string }>;
  rename(principal: Principal, name: string): Promise<void>;
  /** The principal's session shows another of their workspaces. False: they are not in it. */
  switchTo(principal: Principal, workspaceId: string): Promise<boolean>;
  members(workspaceId: string): Promise<readonly Member[]>;
  changeRoles(principal: Principal, personId: string, roles: readonly Role[]): Promise<Result<Member, MemberRefusal>>;
  /**
   * Takes somebody out, oneself included. Their sessions, keys and streams lose the workspace with the commit; keys are
   * revoked, so that they do not come back with the person.
   */
  remove(principal: Principal, personId: string): Promise<Result<void, MemberRefusal>>;
}
