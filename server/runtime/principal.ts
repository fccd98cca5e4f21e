import { z } from "zod";
import { personIdSchema } from "#kernel/ids";

/** What a person may do in a workspace. An engineer draws and runs, a reviewer reads, an approver signs. */
export const roleSchema = z.enum(["engineer", "reviewer", "approver", "admin"]);
export type Role = z.infer<typeof roleSchema>;

/** Who is asking, in which workspace, with which roles there. Every read and write is bounded by it. */
export const principalSchema = z.object({
  person: z.object({ id: personIdSchema, name: z.string(), email: z.string() }),
  workspace: z.object({ id: z.string(), name: z.string() }),
  roles: z.array(roleSchema),
  /** A cookie can be sent by a foreign page, a key cannot: only the former needs the Origin check. */
  via: z.enum(["session", "api_key"]),
  /** A person at a screen may sign what their roles allow; a key only if its owner made it for that. */
  maySign: z.boolean(),
});
export type Principal = z.infer<typeof principalSchema>;

/** True when the principal holds one of `roles`; an admin holds all of them. */
export const holdsRole = (principal: Principal, roles: readonly Role[]): boolean =>
  principal.roles.some((role) => role === "admin" || roles.includes(role));
