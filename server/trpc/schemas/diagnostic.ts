import { z } from "zod";
import { DIAGNOSTIC_CODES, type Diagnostic, type Fix } from "#kernel/plan/diagnostic";

/** A located problem as the kernel makes it. Edits of a fix are the kernel's own type and travel as they are. */
export const diagnosticSchema: z.ZodType<Diagnostic, Diagnostic> = z.object({
  code: z.enum(DIAGNOSTIC_CODES),
  severity: z.enum(["error", "warning", "info"]),
  pointer: z.string(),
  taskId: z.string().optional(),
  message: z.string(),
  related: z.array(
    z.object({ pointer: z.string(), taskId: z.string().optional(), message: z.string().optional() }).readonly(),
  ),
  fix: z.custom<Fix>().optional(),
  otherFixes: z.array(z.custom<Fix>()).readonly().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});
