import { z } from "zod";
import { keyScopeSchema } from "./key-scope";
import type { Principal } from "./principal";

/** A key as lists show it: the secret is shown once, at its making, and only its hash is kept. */
export const apiKeySummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** First characters of the secret, to tell keys apart. */
  prefix: z.string(),
  scopes: z.array(keyScopeSchema),
  /** Used by an agent: never signs. */
  agent: z.boolean(),
  createdAt: z.number(),
  lastUsedAt: z.number().optional(),
  expiresAt: z.number().optional(),
});
export type ApiKeySummary = z.infer<typeof apiKeySummarySchema>;

export const newApiKeySchema = z
  .object({
    name: z.string().trim().min(1).max(100),
    scopes: z.array(keyScopeSchema).min(1),
    agent: z.boolean().default(false),
    /** Days from now until it ends; absent: until it is revoked. */
    days: z.int().min(1).max(3_650).optional(),
  })
  .refine(({ agent, scopes }) => !agent || !(scopes.includes("decide") || scopes.includes("admin")), {
    message: "An agent's key may neither sign nor administer.",
    path: ["scopes"],
  });
export type NewApiKeyRequest = z.infer<typeof newApiKeySchema>;

/** Keys of one person in one workspace; a key acts as that person, never with more roles than they hold now. */
export interface ApiKeyStore {
  create(
    principal: Principal,
    key: NewApiKeyRequest,
  ): Promise<{ readonly key: ApiKeySummary; readonly secret: string }>;
  list(principal: Principal): Promise<readonly ApiKeySummary[]>;
  /** False where the person has no such key. */
  revoke(principal: Principal, keyId: string): Promise<boolean>;
}
