import { z } from "zod";
import type { Principal } from "./principal";

/** A signed-in browser, as its person sees it. Times are epoch milliseconds. */
export const sessionSummarySchema = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  userAgent: z.string().optional(),
  address: z.string().optional(),
  createdAt: z.number(),
  seenAt: z.number(),
  expiresAt: z.number(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

/** The browsers in which a person is signed in. Ending one takes effect at its next request, and in its streams. */
export interface Sessions {
  list(principal: Principal): Promise<readonly SessionSummary[]>;
  /** False where the person has no such session. */
  revoke(principal: Principal, sessionId: string): Promise<boolean>;
  /** All but the one that asks; how many there were. */
  revokeOthers(principal: Principal): Promise<number>;
}
