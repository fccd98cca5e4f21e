import { z } from "zod";

const text = z.string();
const seconds = z.number().min(0).max(31_536_000);

/** Files stood in each task with a direction up to 1.4; since 1.5 as ids in two lists. */
const fileSchema = z.object({ link: text.optional(), name: text.optional() });

const commandSchema = z.object({ program: text.optional(), arguments: z.array(z.unknown()).optional() });

/** A task as versions 1.0 to 1.4 write it: structure and measurements in one place. */
const taskSchema = z.object({
  id: text.min(1).optional(),
  name: text.min(1).optional(),
  parents: z.array(text).optional(),
  children: z.array(text).optional(),
  inputFiles: z.array(text).optional(),
  outputFiles: z.array(text).optional(),
  files: z.array(fileSchema).optional(),
  runtimeInSeconds: seconds.nullish(),
  runtime: seconds.nullish(),
  command: commandSchema.nullish(),
});

const executionTaskSchema = z.object({
  id: text.min(1),
  runtimeInSeconds: seconds.nullish(),
  command: commandSchema.nullish(),
});

const workflowSchema = z.object({
  specification: z.object({ tasks: z.array(taskSchema) }).optional(),
  execution: z.object({ tasks: z.array(executionTaskSchema).optional() }).optional(),
  tasks: z.array(taskSchema).optional(),
  jobs: z.array(taskSchema).optional(),
});

/**
 * WfFormat (WfCommons), every published version: 1.0 to 1.2 list `workflow.jobs`, 1.3 and 1.4 `workflow.tasks`, and
 * since 1.5 `workflow.specification.tasks` holds the structure, `workflow.execution.tasks` what was measured.
 */
export const wfFormatSchema = z.object({
  name: text.nullish(),
  description: text.nullish(),
  workflow: workflowSchema,
});

type WfTask = z.infer<typeof taskSchema>;
type ExecutionTask = z.infer<typeof executionTaskSchema>;

export interface WfTasks {
  readonly tasks: readonly WfTask[];
  readonly executions: readonly ExecutionTask[];
  /** JSON pointer of the task list in the document. */
  readonly pointer: string;
}

export function tasksOf(workflow: z.infer<typeof workflowSchema>): WfTasks {
  const executions = workflow.execution?.tasks ?? [];
  if (workflow.specification !== undefined) {
    return { tasks: workflow.specification.tasks, executions, pointer: "/workflow/specification/tasks" };
  }
  if (workflow.tasks !== undefined) return { tasks: workflow.tasks, executions, pointer: "/workflow/tasks" };
  return { tasks: workflow.jobs ?? [], executions, pointer: "/workflow/jobs" };
}

/** What a task reads or writes, whichever way its version says so. */
export function filesOf(task: WfTask, direction: "input" | "output"): string[] {
  const listed = direction === "input" ? task.inputFiles : task.outputFiles;
  const linked = (task.files ?? []).flatMap(({ link, name }) =>
    link === direction && name !== undefined ? [name] : [],
  );
  return [...new Set([...(listed ?? []), ...linked])];
}

export const runtimeOf = (task: WfTask, execution: ExecutionTask | undefined): number | undefined =>
  execution?.runtimeInSeconds ?? task.runtimeInSeconds ?? task.runtime ?? undefined;

/** The recorded command line, for people; it is never run. */
export function commandLineOf(task: WfTask, execution: ExecutionTask | undefined): string | undefined {
  const command = execution?.command ?? task.command;
  const words = [command?.program, ...(command?.arguments ?? [])].filter(
    (word) => typeof word === "string" || typeof word === "number",
  );
  return words.length === 0 ? undefined : words.join(" ");
}
