import { changesSomething } from "../capability/side-effect";
import { chargesOf } from "./budget";
import type { CallDemand } from "./call-demand";
import type { OutputLoader } from "./outputs";
import { resourcesOf } from "./resources-of-call";
import type { RunState, TaskState } from "./state";

/** What the next call of a task demands. Undefined for a capability that the run does not know. */
export function demandOf(state: RunState, task: TaskState, load: OutputLoader | undefined): CallDemand | undefined {
  const capability = state.capabilities.get(task.task.capability);
  if (capability === undefined) return undefined;
  const { concurrency, rateLimit } = capability;
  return {
    capability: `${capability.name}@${capability.version}`,
    ...(concurrency !== undefined && { concurrency }),
    ...(rateLimit !== undefined && { rateLimit }),
    locks: changesSomething(capability) ? resourcesOf(state, task, load).writes : [],
    charges: chargesOf(state, task),
  };
}
