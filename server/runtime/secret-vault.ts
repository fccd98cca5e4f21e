import { z } from "zod";
import { personIdSchema } from "#kernel/ids";
import type { Principal } from "./principal";

/** What a secret may be called: it stands in settings, file names and messages. */
export const SECRET_NAME_PATTERN = /^[a-z][a-z0-9_-]{0,63}$/;
export const secretNameSchema = z
  .string()
  .regex(SECRET_NAME_PATTERN, "Lower case letters, digits, - and _, a letter first.");

/** Everything that is ever told about a secret; its value is not. Times are epoch milliseconds. */
export const secretSummarySchema = z.object({
  name: z.string(),
  /** Counts the values it has had. */
  version: z.int().min(1),
  createdAt: z.number(),
  setAt: z.number(),
  setBy: z.object({ id: personIdSchema, name: z.string() }),
  /** To the minute; absent: never. */
  lastUsedAt: z.number().optional(),
  /** Capabilities whose newest version names it. */
  usedBy: z.array(z.string()),
  /** False: its key is not at hand, so it has to be set again. */
  readable: z.boolean(),
});
export type SecretSummary = z.infer<typeof secretSummarySchema>;

/** Reads values for calls, in the worker. Nothing else ever does. */
export interface SecretReader {
  /** The values of all `names`, or which of them are missing. Notes that they were used. */
  read(
    workspaceId: string,
    names: readonly string[],
  ): Promise<
    | { readonly ok: true; readonly values: ReadonlyMap<string, string> }
    | { readonly ok: false; readonly missing: readonly string[] }
  >;
}

/** Secrets of workspaces: set, listed and removed, never shown. Every change is in the audit. */
export interface SecretVault {
  list(workspaceId: string): Promise<readonly SecretSummary[]>;
  /** Sets the first value or the next one. False: no key is configured to seal it with. */
  set(principal: Principal, name: string, value: string): Promise<boolean>;
  /** False where there is no such secret. */
  remove(principal: Principal, name: string): Promise<boolean>;
}
