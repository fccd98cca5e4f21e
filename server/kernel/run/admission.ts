import { changesSomething } from "./attempt";
import { type BudgetRefusal, chargesOf } from "./budget";
import type { DecideOptions } from "./decide-options";
import { resourcesOf } from "./resources-of-call";
import type { RunState, TaskState } from "./state";
import type { Hold } from "./status";

/** What one call takes of limits that no run sees alone: those of its capability, of what it writes, of ceilings. */
export interface CallDemand {
  /** `name@version`. */
  readonly capability: string;
  /** Calls of it at once, over all runs of the workspace. */
  readonly concurrency?: number;
  readonly rateLimit?: { readonly calls: number; readonly perSeconds: number };
  /** Resources it writes: no other call of the workspace writes one of them meanwhile. */
  readonly locks: readonly string[];
  /** The most it charges, by budget; ceilings count it. */
  readonly charges: readonly (readonly [budget: string, amount: number])[];
}

/** The answer of whoever keeps those limits: start now, wait, or never. */
export type Admission =
  | { readonly type: "admitted" }
  | { readonly type: "held"; readonly hold: Hold }
  | { readonly type: "refused"; readonly refusal: BudgetRefusal };

/** What the next call of a task demands. Undefined for a capability that the run does not know. */
export function demandOf(state: RunState, task: TaskState, options: DecideOptions): CallDemand | undefined {
  const capability = state.capabilities.get(task.task.capability);
  if (capability === undefined) return undefined;
  const { concurrency, rateLimit } = capability;
  return {
    capability: `${capability.name}@${capability.version}`,
    ...(concurrency !== undefined && { concurrency }),
    ...(rateLimit !== undefined && { rateLimit }),
    locks: changesSomething(capability) ? resourcesOf(state, task, options).writes : [],
    charges: chargesOf(state, task),
  };
}
