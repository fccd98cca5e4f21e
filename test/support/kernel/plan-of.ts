import type { z } from "zod";
import { type Plan, planSchema, type taskSchema } from "#kernel/plan/plan";

type TaskInput = Partial<z.input<typeof taskSchema>> & { id: string };

/** A plan from the little a test wants to say; capability `test.echo` where none is named. */
export const planOf = (tasks: readonly TaskInput[], rest: Partial<z.input<typeof planSchema>> = {}): Plan =>
  planSchema.parse({
    format: "planwright/v1",
    name: "test",
    ...rest,
    tasks: tasks.map((task) => ({ capability: "test.echo", ...task })),
  });
