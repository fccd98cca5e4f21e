import { z } from "zod";
import type { PersonRef } from "#kernel/run/event";
import type { Hold } from "#kernel/run/status";
import { CEILING_BUDGETS, CEILING_PERIODS } from "./permits/permit";
import type { Role } from "./principal";

/** A limit above every plan's own, with what its period has used. Times are epoch milliseconds. */
export const ceilingSchema = z.object({
  id: z.string(),
  /** Whose runs it counts; absent: everybody's in the workspace. */
  personId: z.string().optional(),
  personName: z.string().optional(),
  period: z.enum(CEILING_PERIODS),
  budget: z.enum(CEILING_BUDGETS),
  limit: z.number().min(0),
  spent: z.number(),
  updatedAt: z.number(),
});
export type CeilingRecord = z.infer<typeof ceilingSchema>;

export interface CeilingChange {
  readonly personId?: string | undefined;
  readonly period: CeilingRecord["period"];
  readonly budget: CeilingRecord["budget"];
  readonly limit: number;
}

/** A call of a run that waits for a limit over all runs. */
export interface WaitingCall {
  readonly taskId: string;
  readonly capability: string;
  readonly hold: Hold;
}

/** What admins set above all plans, and what runs wait for because of it. */
export interface CeilingStore {
  list(workspaceId: string): Promise<readonly CeilingRecord[]>;
  /** Sets one, in place of the one for the same person, period and budget. False: the person is not in the workspace. */
  set(workspaceId: string, change: CeilingChange, by: PersonRef): Promise<boolean>;
  /** False where the workspace has no such ceiling. */
  remove(workspaceId: string, id: string, by: PersonRef): Promise<boolean>;
  /** Scopes of each role, as the workspace narrowed them or as the code gives them. */
  roleScopes(workspaceId: string): Promise<ReadonlyMap<Role, readonly string[]>>;
  /** Null: what the code gives. */
  setRoleScopes(workspaceId: string, role: Role, scopes: readonly string[] | null, by: PersonRef): Promise<void>;
  waitingCalls(workspaceId: string, runId: string): Promise<readonly WaitingCall[]>;
}
