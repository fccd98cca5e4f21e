import { z } from "zod";
import { isJsonObject } from "#kernel/json";
import { type AuditRecord, auditRecordSchema } from "./audit-log";

/** An entry as the screen shows it: its names and detail out of the payload, its hash to compare. */
export const auditEntrySchema = auditRecordSchema
  .pick({
    number: true,
    at: true,
    actorKind: true,
    actorId: true,
    action: true,
    subjectKind: true,
    subjectId: true,
    hash: true,
  })
  .extend({
    actorName: z.string().optional(),
    /** How a person came in. */
    via: z.string().optional(),
    subjectName: z.string().optional(),
    detail: z.record(z.string(), z.json()).optional(),
    redacted: z.boolean(),
  });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export function auditEntryOf({ payload, ...record }: AuditRecord): AuditEntry {
  const parsed: unknown = payload === null ? undefined : JSON.parse(payload);
  const said = isJsonObject(parsed) ? parsed : {};
  const text = (key: string): Record<string, string> => {
    const value = Object.hasOwn(said, key) ? said[key] : undefined;
    return typeof value === "string" ? { [key]: value } : {};
  };
  return auditEntrySchema.parse({
    ...record,
    ...text("actorName"),
    ...text("via"),
    ...text("subjectName"),
    ...(isJsonObject(said.detail) ? { detail: said.detail } : {}),
    redacted: payload === null,
  });
}
