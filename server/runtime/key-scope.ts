import { z } from "zod";

/** What a key may do at most. It narrows its owner's roles and never adds to them. */
export const keyScopeSchema = z.enum(["read", "plan", "run", "decide", "admin"]);
export type KeyScope = z.infer<typeof keyScopeSchema>;

export const KEY_SCOPES = keyScopeSchema.options;
