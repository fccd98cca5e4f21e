import { z } from "zod";
import { personIdSchema } from "#kernel/ids";
import { keyScopeSchema } from "./key-scope";

/**
 * What a person may do in a workspace. An engineer draws and runs, a reviewer reads, an approver signs, an admin looks
 * after people and settings and may do what an engineer may.
 */
export const roleSchema = z.enum(["engineer", "reviewer", "approver", "admin"]);
export type Role = z.infer<typeof roleSchema>;

/** Who is asking, in which workspace, with which roles there. Every read and write is bounded by it. */
export const principalSchema = z.object({
  person: z.object({ id: personIdSchema, name: z.string(), email: z.string() }),
  workspace: z.object({ id: z.string(), name: z.string() }),
  roles: z.array(roleSchema),
  /** A cookie can be sent by a foreign page, a key cannot: only the former needs the Origin check. */
  via: z.enum(["session", "api_key"]),
  /** The session or the key. Its id, which is no secret. */
  viaId: z.string(),
  /** What the key may do at most; absent for a person at a screen, who may do what their roles allow. */
  scopes: z.array(keyScopeSchema).optional(),
  /** A person at a screen may sign what their roles allow; a key only with the scope for it, and never an agent's. */
  maySign: z.boolean(),
});
export type Principal = z.infer<typeof principalSchema>;

/** True when the principal holds one of `roles`; an admin holds all of them. */
export const holdsRole = (principal: Principal, roles: readonly Role[]): boolean =>
  principal.roles.some((role) => role === "admin" || roles.includes(role));
