import { z } from "zod";
import type { Principal } from "./principal";

/** A key as lists show it: the secret is shown once, at its making, and only its hash is kept. */
export const apiKeySummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** First characters of the secret, to tell keys apart. */
  prefix: z.string(),
  /** Whether it signs gates in its owner's name. */
  maySign: z.boolean(),
  createdAt: z.number(),
  lastUsedAt: z.number().optional(),
  expiresAt: z.number().optional(),
});
export type ApiKeySummary = z.infer<typeof apiKeySummarySchema>;

/** Keys of one person in one workspace; a key acts as that person, never with more roles than they hold now. */
export interface ApiKeyStore {
  create(
    principal: Principal,
    key: { readonly name: string; readonly maySign: boolean; readonly expiresAt?: number },
  ): Promise<{ readonly key: ApiKeySummary; readonly secret: string }>;
  list(principal: Principal): Promise<readonly ApiKeySummary[]>;
  /** False where the person has no such key. */
  revoke(principal: Principal, keyId: string): Promise<boolean>;
}
