import { z } from "zod";
import { jsonValueSchema } from "../capability/observation";
import { taskIdSchema } from "../ids";

/** One changed key of a task: JSON pointer within the task, old and new value (absent: the key was not there). */
export const fieldChangeSchema = z.object({
  pointer: z.string(),
  before: jsonValueSchema.optional(),
  after: jsonValueSchema.optional(),
});
export type FieldChange = z.infer<typeof fieldChangeSchema>;

/** The structural difference between two plans, by task id; layout positions do not count. */
export const planDiffSchema = z.object({
  added: z.array(taskIdSchema),
  removed: z.array(taskIdSchema),
  changed: z.array(z.object({ taskId: taskIdSchema, fields: z.array(fieldChangeSchema) })),
  kept: z.array(taskIdSchema),
  /** Changes outside the tasks: budgets, pools, name, completion checks. */
  planFields: z.array(fieldChangeSchema),
});
export type PlanDiff = z.infer<typeof planDiffSchema>;
