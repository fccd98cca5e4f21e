import { changesSomething } from "./attempt";
import { capabilityName } from "./gate";
import type { RunState, TaskState } from "./state";

/** A budget that has no room for another call. `final`: waiting for calls in flight cannot make room. */
export interface BudgetRefusal {
  readonly budget: string;
  readonly message: string;
  readonly final: boolean;
}

/** Calls that are about to start and are in no event yet. */
export interface Reserved {
  toolCalls: number;
  sideEffects: number;
  perCapability: Map<string, number>;
  costUsd: number;
}

export const nothingReserved = (): Reserved => ({ toolCalls: 0, sideEffects: 0, perCapability: new Map(), costUsd: 0 });

/** Reserves the budget of one call before it starts; a call in the log is counted by the reducer instead. */
export function reserve(reserved: Reserved, state: RunState, task: TaskState): void {
  const name = capabilityName(task);
  reserved.toolCalls += 1;
  reserved.perCapability.set(name, (reserved.perCapability.get(name) ?? 0) + 1);
  const capability = state.capabilities.get(task.task.capability);
  if (changesSomething(capability)) reserved.sideEffects += 1;
  reserved.costUsd += capability?.costUsd ?? 0;
}

/** The first budget that does not allow one more call of this task, counting what is reserved; else undefined. */
export function refusedByBudget(state: RunState, task: TaskState, reserved: Reserved): BudgetRefusal | undefined {
  const budgets = state.plan?.budgets;
  if (budgets === undefined) return undefined;
  const use = state.budgetUse;
  const name = capabilityName(task);
  const counts: [string, number, number | undefined][] = [
    ["toolCalls", use.toolCalls + reserved.toolCalls, budgets.toolCalls],
    [
      `toolCallsPerCapability.${name}`,
      (use.toolCallsPerCapability.get(name) ?? 0) + (reserved.perCapability.get(name) ?? 0),
      ownNumber(budgets.toolCallsPerCapability, name),
    ],
  ];
  if (changesSomething(state.capabilities.get(task.task.capability))) {
    counts.push(["sideEffects", use.sideEffects + reserved.sideEffects, budgets.sideEffects]);
  }
  for (const [budget, used, limit] of counts) {
    if (limit !== undefined && used >= limit) {
      return { budget, final: true, message: `The budget ${budget} allows ${limit}, and ${used} are used.` };
    }
  }
  return refusedByCost(state, task, reserved);
}

function refusedByCost(state: RunState, task: TaskState, reserved: Reserved): BudgetRefusal | undefined {
  const { tokens, costUsd } = state.plan?.budgets ?? {};
  const use = state.budgetUse;
  if (tokens !== undefined && use.tokens >= tokens) {
    return {
      budget: "tokens",
      final: true,
      message: `The budget tokens allows ${tokens}, and ${use.tokens} are used.`,
    };
  }
  if (costUsd === undefined) return undefined;
  const cost = costOf(state, task);
  const spent = use.costUsd;
  if (spent >= costUsd || spent + cost > costUsd) {
    const message = `The budget costUsd allows ${costUsd}; ${spent} is spent and this call is expected to cost ${cost}.`;
    return { budget: "costUsd", final: true, message };
  }
  let inFlight = reserved.costUsd;
  for (const id of state.inFlight) {
    const other = state.tasks.get(id);
    if (other !== undefined) inFlight += costOf(state, other);
  }
  if (spent + inFlight + cost <= costUsd) return undefined;
  return { budget: "costUsd", final: false, message: "Calls in flight have the rest of the budget costUsd reserved." };
}

const costOf = (state: RunState, task: TaskState): number => state.capabilities.get(task.task.capability)?.costUsd ?? 0;

const ownNumber = (record: Readonly<Record<string, number>> | undefined, key: string): number | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

/** True where a lost count would break a limit: then every start is durable before its call. */
export function countsCalls(state: RunState): boolean {
  const budgets = state.plan?.budgets;
  return (
    budgets !== undefined &&
    (budgets.toolCalls !== undefined ||
      budgets.toolCallsPerCapability !== undefined ||
      budgets.sideEffects !== undefined ||
      budgets.costUsd !== undefined)
  );
}

/**
 * When tasks must have ended: the deadline less what is kept for verification, epoch milliseconds; undefined without
 * a deadline. Counted from the creation of the run.
 */
export function tasksDueAt(state: RunState): number | undefined {
  const { deadlineSeconds, verificationReserveSeconds = 0 } = state.plan?.budgets ?? {};
  if (deadlineSeconds === undefined || state.createdAt === undefined) return undefined;
  return state.createdAt + Math.max(0, deadlineSeconds - verificationReserveSeconds) * 1000;
}

/** True while the retries budget has room for one more. */
export const allowsRetry = (state: RunState): boolean => {
  const limit = state.plan?.budgets?.retries;
  return limit === undefined || state.budgetUse.retries < limit;
};
