import { expandResources } from "../capability/resource";
import type { JsonValue } from "../json";
import { resolveTaskArguments } from "./action";
import { openedGate } from "./gate";
import type { OutputLoader } from "./outputs";
import type { RunState, TaskState } from "./state";

/** Resources of a call; a task that touches none has empty lists. */
export interface Resources {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const NO_RESOURCES: Resources = { reads: [], writes: [] };
const known = new WeakMap<TaskState, { readonly of: unknown; readonly resources: Resources }>();

/**
 * What a call of this task touches: what the plan says and what the capability's templates say of its arguments.
 * Kept per task, since the outputs its arguments come from never change once its parents have ended.
 *
 * @param missing collects the outputs that have to be loaded before this can be said; the answer is then empty.
 */
export function resourcesOf(
  state: RunState,
  task: TaskState,
  load: OutputLoader | undefined,
  missing?: Set<string>,
): Resources {
  const capability = state.capabilities.get(task.task.capability);
  const templates = capability === undefined ? 0 : capability.reads.length + capability.writes.length;
  if (templates === 0 && task.task.reads.length === 0 && task.task.writes.length === 0) return NO_RESOURCES;
  const remembered = known.get(task);
  const version = task.editedArguments ?? task.task;
  if (remembered?.of === version) return remembered.resources;
  const values = templates === 0 ? null : callArguments(state, task, load, missing);
  if (values === undefined) return NO_RESOURCES;
  const resources = {
    reads: [...task.task.reads, ...(capability ? expandResources(capability.reads, values) : [])],
    writes: [...task.task.writes, ...(capability ? expandResources(capability.writes, values) : [])],
  };
  known.set(task, { of: version, resources });
  return resources;
}

/** Undefined while an output that they need is not loaded, or where they cannot be resolved: no call starts then. */
function callArguments(
  state: RunState,
  task: TaskState,
  load: OutputLoader | undefined,
  missing: Set<string> | undefined,
): JsonValue | undefined {
  const gate = openedGate(state, task);
  if (gate !== undefined) return gate.request.arguments;
  const resolution = resolveTaskArguments(state, task, load);
  if (resolution.type === "missing") for (const outputRef of resolution.outputRefs) missing?.add(outputRef);
  return resolution.type === "resolved" ? resolution.value : undefined;
}
