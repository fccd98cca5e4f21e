import type { CapabilitySnapshot } from "../capability/capability";
import type { Observation } from "../capability/observation";
import { changesSomething } from "../capability/side-effect";
import { capabilityName } from "./gate";
import type { RunState, TaskState } from "./state";

/** What a budget sees of a call: a task's, or a completion check's. */
export interface BudgetedCall {
  readonly task: { readonly capability: string };
}

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
  amounts: Amounts;
  /** What the calls in flight have reserved; found once it is needed. */
  inFlight: Amounts | undefined;
}

/** What calls may still use at most. `unbounded` counts those that no declaration bounds. */
interface Amounts {
  costUsd: number;
  tokens: number;
  unbounded: number;
}

const noAmounts = (): Amounts => ({ costUsd: 0, tokens: 0, unbounded: 0 });

export const nothingReserved = (): Reserved => ({
  toolCalls: 0,
  sideEffects: 0,
  perCapability: new Map(),
  amounts: noAmounts(),
  inFlight: undefined,
});

/** Reserves the budget of one call before it starts; a call in the log is counted by the reducer instead. */
export function reserve(reserved: Reserved, state: RunState, task: TaskState): void {
  const name = capabilityName(task);
  reserved.toolCalls += 1;
  reserved.perCapability.set(name, (reserved.perCapability.get(name) ?? 0) + 1);
  const capability = state.capabilities.get(task.task.capability);
  if (changesSomething(capability)) reserved.sideEffects += 1;
  add(reserved.amounts, capability);
}

function add(amounts: Amounts, capability: CapabilitySnapshot | undefined): void {
  amounts.costUsd += capability?.costUsd ?? 0;
  amounts.tokens += capability?.tokensMax ?? 0;
  if (isUnbounded(capability)) amounts.unbounded += 1;
}

/** A model call that nobody bounded may use any number of tokens, so it is made alone where tokens or cost count. */
const isUnbounded = (capability: CapabilitySnapshot | undefined): boolean =>
  capability?.provider === "model" && capability.tokensMax === undefined && capability.costUsd === undefined;

/** The first budget that does not allow one more call of this task, counting what is reserved; else undefined. */
export function refusedByBudget(state: RunState, task: BudgetedCall, reserved: Reserved): BudgetRefusal | undefined {
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
  const capability = state.capabilities.get(task.task.capability);
  if (changesSomething(capability)) {
    counts.push(["sideEffects", use.sideEffects + reserved.sideEffects, budgets.sideEffects]);
  }
  for (const [budget, used, limit] of counts) {
    if (limit !== undefined && used >= limit) {
      return { budget, final: true, message: `The budget ${budget} allows ${limit}, and ${used} are used.` };
    }
  }
  return (
    refusedByAmount("tokens", state, reserved, { limit: budgets.tokens, ofCall: capability?.tokensMax, capability }) ??
    refusedByAmount("costUsd", state, reserved, { limit: budgets.costUsd, ofCall: capability?.costUsd, capability })
  );
}

/**
 * An amount is known for certain only after the call, so the most it can be is reserved before. What a callee reports
 * beyond its declaration can pass the limit once, by that one call; no further call starts then.
 */
function refusedByAmount(
  budget: "tokens" | "costUsd",
  state: RunState,
  reserved: Reserved,
  call: { limit: number | undefined; ofCall: number | undefined; capability: CapabilitySnapshot | undefined },
): BudgetRefusal | undefined {
  const { limit, ofCall = 0, capability } = call;
  if (limit === undefined) return undefined;
  const spent = state.budgetUse[budget];
  if (spent >= limit || exceeds(spent + ofCall, limit)) {
    const message =
      ofCall === 0
        ? `The budget ${budget} allows ${limit}, and ${shown(spent)} are used.`
        : `The budget ${budget} allows ${limit}; ${shown(spent)} is spent and this call is expected to cost ${ofCall}.`;
    return { budget, final: true, message };
  }
  const inFlight = reservedInFlight(state, reserved);
  const waits = isUnbounded(capability) && inFlight.unbounded + reserved.amounts.unbounded > 0;
  if (!waits && !exceeds(spent + inFlight[budget] + reserved.amounts[budget] + ofCall, limit)) return undefined;
  return { budget, final: false, message: `Calls in flight have the rest of the budget ${budget} reserved.` };
}

function reservedInFlight(state: RunState, reserved: Reserved): Amounts {
  if (reserved.inFlight !== undefined) return reserved.inFlight;
  const amounts = noAmounts();
  for (const id of state.inFlight) {
    const other = state.tasks.get(id);
    if (other !== undefined) add(amounts, state.capabilities.get(other.task.capability));
  }
  reserved.inFlight = amounts;
  return amounts;
}

/** Ten calls of 0.1 are 1, whatever binary fractions make of it. */
const exceeds = (amount: number, limit: number): boolean => amount > limit * (1 + 1e-9);
const shown = (amount: number): number => Math.round(amount * 1e6) / 1e6;

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
      budgets.tokens !== undefined ||
      budgets.costUsd !== undefined)
  );
}

/** What one more call of a task charges, by budget: a call that is made again after a crash is a call like any other. */
export function chargesOf(state: RunState, task: BudgetedCall): readonly (readonly [budget: string, amount: number])[] {
  const capability = state.capabilities.get(task.task.capability);
  const charges: [string, number][] = [
    ["toolCalls", 1],
    [`toolCallsPerCapability.${capabilityName(task)}`, 1],
  ];
  if (changesSomething(capability)) charges.push(["sideEffects", 1]);
  if (capability?.tokensMax !== undefined || isUnbounded(capability)) {
    charges.push(["tokens", capability?.tokensMax ?? 0]);
  }
  if (capability?.costUsd !== undefined || isUnbounded(capability)) charges.push(["costUsd", capability?.costUsd ?? 0]);
  return charges;
}

/** What a call that was charged its most used less, or more, than that; nothing for what it does not report. */
export function settlementOf(
  state: RunState,
  call: BudgetedCall,
  usage: Observation["usage"],
): readonly (readonly [budget: string, amount: number])[] {
  const capability = state.capabilities.get(call.task.capability);
  const over: [string, number][] = [
    ["tokens", usage?.tokens === undefined ? 0 : usage.tokens - (capability?.tokensMax ?? 0)],
    ["costUsd", usage?.costUsd === undefined ? 0 : usage.costUsd - (capability?.costUsd ?? 0)],
  ];
  return over.filter(([, amount]) => amount !== 0);
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

/** When the run must have ended, its completion checks included: the deadline itself, epoch milliseconds. */
export function runDueAt(state: RunState): number | undefined {
  const { deadlineSeconds } = state.plan?.budgets ?? {};
  if (deadlineSeconds === undefined || state.createdAt === undefined) return undefined;
  return state.createdAt + deadlineSeconds * 1000;
}

/** True while the retries budget has room for one more. */
export const allowsRetry = (state: RunState): boolean =>
  state.budgetUse.retries < (state.plan?.budgets?.retries ?? Number.POSITIVE_INFINITY);
