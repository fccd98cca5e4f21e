import { z } from "zod";
import type { Plan } from "#kernel/plan/plan";

/**
 * A plan on its way in. Typed for the caller, but checked by the kernel's own parser inside the procedure: that
 * answers with every fault located, where a schema here would answer with the first transport error.
 */
export const planDocumentSchema = z.custom<Plan>((value) => typeof value === "object" && value !== null, {
  error: "A plan is an object.",
});
