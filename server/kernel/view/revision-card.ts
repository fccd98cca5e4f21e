import { z } from "zod";
import { sideEffectSchema } from "../capability/capability";
import { jsonValueSchema } from "../capability/observation";
import type { JsonValue } from "../json";
import { fieldChangeSchema } from "../plan/diff-schema";
import { replanReasonSchema } from "../run/event";

const revisionCardSchema = z.object({
  revision: z.int(),
  reason: replanReasonSchema,
  triggerSeq: z.int(),
  by: z.string(),
  tasks: z.array(
    z.object({
      task: z.string(),
      title: z.string().optional(),
      change: z.enum(["added", "changed"]),
      capability: z.string(),
      sideEffect: sideEffectSchema,
      arguments: jsonValueSchema,
      reads: z.array(z.string()),
      writes: z.array(z.string()),
      fields: z.array(fieldChangeSchema),
      needsApproval: z.array(z.string()),
    }),
  ),
  removed: z.array(z.string()),
  plan: z.array(fieldChangeSchema),
  planNeedsApproval: z.array(z.string()),
});

/** The changed part of a revision, as the gate's stored request has it: what is shown is what is signed. */
export type RevisionCard = z.infer<typeof revisionCardSchema>;

export function revisionCardOf(request: JsonValue): RevisionCard | undefined {
  const parsed = revisionCardSchema.safeParse(request);
  return parsed.success ? parsed.data : undefined;
}
