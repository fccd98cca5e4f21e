import { z } from "zod";
import { gateIdSchema, taskIdSchema } from "#kernel/ids";
import { planDiffSchema } from "#kernel/plan/diff-schema";
import { refusalProblemSchema, wideningSchema } from "#kernel/run/event";
import type { RevisionPreview } from "../actions/revise-run";
import { diagnosticSchema } from "./diagnostic";

const signatures = { role: z.string(), quorum: z.int() };

/** What a revision would change, what is wrong with it, and who would have to sign what. */
export const revisionPreviewSchema: z.ZodType<RevisionPreview> = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    diff: planDiffSchema,
    diagnostics: z.array(diagnosticSchema),
    approvals: z.object({
      revision: z.object({ ...signatures, parts: z.array(wideningSchema) }).optional(),
      steps: z.array(z.object({ taskId: taskIdSchema, ...signatures })),
      superseded: z.array(z.object({ taskId: taskIdSchema, gateId: gateIdSchema })),
    }),
  }),
  z.object({
    ok: z.literal(false),
    refusal: z.object({
      code: z.enum([
        "run_ended",
        "not_started",
        "trigger_unknown",
        "revisions_exhausted",
        "plan_invalid",
        "grants_trust",
        "touches_finished",
        "running_unaccounted",
        "empty",
        "identical",
        "no_news",
        "no_valid_step",
      ]),
      message: z.string(),
      problems: z.array(refusalProblemSchema),
      diagnostics: z.array(diagnosticSchema),
    }),
  }),
]);
