import type { JsonValue } from "../json";
import { ITEM, type OutputLookup } from "../plan/reference";
import type { ConditionView } from "./condition";
import type { RunState, TaskState } from "./state";
import { isTerminal } from "./status";

/** Reads an output that stands in an artifact; undefined while it is not loaded. */
export type OutputLoader = (outputRef: string) => JsonValue | undefined;

/**
 * What the arguments and the condition of `task` can see. Outputs in artifacts are asked of `load`; those that it
 * does not have are collected in `missing`, and the answer is then not final.
 */
export interface TaskView extends ConditionView {
  readonly missing: Set<string>;
}

export function viewFor(state: RunState, task: TaskState, load: OutputLoader = () => undefined): TaskView {
  const missing = new Set<string>();
  return {
    missing,
    status: (taskId) => state.tasks.get(taskId)?.status,
    output: (taskId) => {
      if (taskId === ITEM && task.instance !== undefined) return { found: true, output: task.instance.item };
      const source = state.tasks.get(taskId);
      if (source === undefined) return { found: false, reason: `There is no task “${taskId}” in this run.` };
      return outputOf(source, load, missing);
    },
  };
}

function outputOf(source: TaskState, load: OutputLoader, missing: Set<string>): OutputLookup {
  if (source.status !== "succeeded") {
    const how = isTerminal(source.status) ? `ended as ${source.status}` : `is ${source.status}`;
    return { found: false, reason: `“${source.id}” ${how.replaceAll("_", " ")}, so it has no output.` };
  }
  if (source.outputRef === undefined) return { found: true, output: source.output ?? null };
  const output = load(source.outputRef);
  if (output !== undefined) return { found: true, output };
  missing.add(source.outputRef);
  return { found: false, reason: `The output of “${source.id}” is not loaded.` };
}
