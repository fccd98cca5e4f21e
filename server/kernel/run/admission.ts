import { changesSomething } from "../capability/side-effect";
import { type BudgetedCall, chargesOf } from "./budget";
import type { CallDemand } from "./call-demand";
import type { OutputLoader } from "./outputs";
import { resourcesOf } from "./resources-of-call";
import type { RunState, TaskState } from "./state";

/** What the next call of a task demands. Undefined for a capability that the run does not know. */
export function demandOf(state: RunState, task: TaskState, load: OutputLoader | undefined): CallDemand | undefined {
  const demand = demandOfSideCall(state, task);
  if (!changesSomething(state.capabilities.get(task.task.capability))) return demand;
  return demand && { ...demand, locks: resourcesOf(state, task, load).writes };
}

/** What a call demands that is no step's own and writes nothing: one that checks a result, or a look-up. */
export function demandOfSideCall(state: RunState, call: BudgetedCall): CallDemand | undefined {
  const capability = state.capabilities.get(call.task.capability);
  if (capability === undefined) return undefined;
  const { concurrency, rateLimit } = capability;
  return {
    capability: `${capability.name}@${capability.version}`,
    ...(concurrency !== undefined && { concurrency }),
    ...(rateLimit !== undefined && { rateLimit }),
    locks: [],
    charges: chargesOf(state, call),
  };
}
