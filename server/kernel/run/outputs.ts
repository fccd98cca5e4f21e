import type { JsonValue } from "../json";
import type { OutputLookup } from "../plan/reference";
import { ITEM } from "../plan/reference-grammar";
import type { ConditionView } from "./condition";
import type { RunState, TaskState } from "./state";
import { isTerminal } from "./status";

/** Reads an output that stands in an artifact; undefined while it is not loaded. */
export type OutputLoader = (outputRef: string) => JsonValue | undefined;

/**
 * Outputs and statuses of a run, as arguments and conditions see them. Outputs in artifacts are asked of `load`; those
 * that it does not have are collected in `missing`, and the answer is then not final.
 */
export interface RunView extends ConditionView {
  readonly missing: Set<string>;
}

export function viewOf(state: RunState, load: OutputLoader = () => undefined): RunView {
  const missing = new Set<string>();
  return {
    missing,
    status: (taskId) => state.tasks.get(taskId)?.status,
    output: (taskId) => {
      const source = state.tasks.get(taskId);
      if (source === undefined) return { found: false, reason: `There is no task “${taskId}” in this run.` };
      return outputOf(source, load, missing);
    },
  };
}

/** The view of one task: in an instance of a `forEach`, `item` is its item. */
export function viewFor(state: RunState, task: TaskState, load?: OutputLoader): RunView {
  const view = viewOf(state, load);
  const { instance } = task;
  if (instance === undefined) return view;
  return {
    ...view,
    output: (taskId) => (taskId === ITEM ? { found: true, output: instance.item } : view.output(taskId)),
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
