import type { Observation } from "#kernel/capability/observation";
import type { TaskId } from "#kernel/ids";
import type { JsonValue } from "#kernel/json";
import { demandOfSideCall } from "#kernel/run/admission";
import {
  type BudgetRefusal,
  chargesOf,
  countsCalls,
  nothingReserved,
  refusedByBudget,
  settlementOf,
} from "#kernel/run/budget";
import type { RunState } from "#kernel/run/state";
import type { UsedPermit } from "../permits/call-permits";
import type { Lease } from "../ports";
import type { CallSlots } from "./call-slots";
import type { DriverPorts } from "./driver-ports";
import { makeCall } from "./make-call";
import { pinnedContext, pinnedReference } from "./run-calls";
import type { RunLog } from "./run-log";
import type { RunPermits } from "./run-permits";

/** A call that is no step's own and changes nothing: it checks the result, or asks what became of a call. */
export interface SideCall {
  /** Stands where a step's id would, in permits and contexts; no step can be called so. */
  readonly id: string;
  readonly attempt: number;
  readonly capability: string;
  readonly arguments: JsonValue;
  readonly timeoutMs: number;
  /** What its charge is entered for. */
  readonly chargedTo: { readonly taskId: TaskId } | { readonly check: number };
  /** Whether anybody still waits for its answer. */
  readonly isWanted: () => boolean;
}

/** `refused`: a budget or a ceiling has no room for it. `dropped`: it was not made, and is not to be told of. */
export type SideAnswer =
  | { readonly type: "answered"; readonly observation: Observation }
  | { readonly type: "refused"; readonly refusal: BudgetRefusal }
  | { readonly type: "dropped" };

interface SideCallsGiven {
  readonly ports: DriverPorts;
  readonly lease: Lease;
  readonly log: RunLog;
  readonly slots: CallSlots;
  readonly permits: RunPermits | undefined;
  /** Wakes the driver, so that what was recorded is appended. */
  readonly beat: () => void;
}

/** How soon a lease that may have run out is looked at again. */
const LEASE_LOOK_MS = 50;

interface Admitted {
  readonly type: "admitted";
  readonly permit: UsedPermit | undefined;
  /** Gives back the place among the calls of this process. */
  readonly release: () => void;
}

const DROPPED: SideAnswer = { type: "dropped" };

/**
 * Makes calls that are no step's own under the limits that a step's call is under: the budgets, the limits over all
 * runs, the lease. Each is charged before it is made, durably where calls are counted, so that neither a crash nor a
 * call beside it makes one more than there is room for.
 */
export class SideCalls {
  readonly #given: SideCallsGiven;

  constructor(given: SideCallsGiven) {
    this.#given = given;
  }

  get #state(): RunState {
    return this.#given.log.state;
  }

  /** @param signal its abort calls the call off, whether it waits or runs. */
  async make(call: SideCall, signal: AbortSignal): Promise<SideAnswer> {
    const { ports, lease } = this.#given;
    const admitted = await this.#admitted(call, signal);
    if (admitted.type !== "admitted") return admitted;
    const { permit, release } = admitted;
    const unmade = await this.#unmade(call, signal);
    if (unmade !== undefined) {
      permit?.unused();
      release();
      return unmade;
    }
    const pinned = this.#state.capabilities.get(call.capability);
    const { runId, workspaceId } = lease;
    const { id: taskId, attempt } = call;
    const identity = { runId, workspaceId, taskId, attempt, idempotencyKey: `${runId}:${taskId}:${attempt}` };
    const request = {
      capability: pinnedReference(call.capability, pinned),
      arguments: call.arguments,
      timeoutMs: call.timeoutMs,
      context: {
        ...identity,
        ...pinnedContext(this.#state, pinned),
        ...(lease.isLive === undefined ? {} : { isHeld: lease.isLive }),
      },
      changes: false,
    };
    const startedAt = ports.clock.now();
    const observation = await makeCall(ports.executor, ports.timers, { request, abort: following(signal) });
    release();
    permit?.ended(startedAt, observation.usage);
    if (this.#state.status !== "finished")
      this.#enter(call, settlementOf(this.#state, budgeted(call), observation.usage));
    return { type: "answered", observation };
  }

  /** False where the signal came first. */
  pause(ms: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const callOff = this.#given.ports.timers.after(ms, () => {
        signal.removeEventListener("abort", end);
        resolve(true);
      });
      const end = (): void => {
        callOff();
        resolve(false);
      };
      signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Waits until the limits over all runs let it start: those in the book of permits, or this process's own. */
  async #admitted(call: SideCall, signal: AbortSignal): Promise<Admitted | SideAnswer> {
    const { permits, slots } = this.#given;
    if (!call.isWanted()) return DROPPED;
    const pinned = this.#state.capabilities.get(call.capability);
    const demand = demandOfSideCall(this.#state, budgeted(call));
    if (pinned === undefined || demand === undefined) return { type: "admitted", permit: undefined, release: () => {} };
    if (permits !== undefined) {
      const answer = await permits.wait(call.id, demand, signal);
      return answer.type === "admitted" ? { ...answer, release: () => {} } : answer;
    }
    while (slots.room(pinned) <= 0) if (!(await roomIn(slots, signal))) return DROPPED;
    return { type: "admitted", permit: undefined, release: slots.take(pinned) };
  }

  /** Charges it; what is to be said instead where it is not to be made. */
  async #unmade(call: SideCall, signal: AbortSignal): Promise<SideAnswer | undefined> {
    const { lease, log, beat } = this.#given;
    while (lease.isLive?.() === false) if (!(await this.pause(LEASE_LOOK_MS, signal))) return DROPPED;
    if (signal.aborted || !call.isWanted()) return DROPPED;
    const refusal = refusedByBudget(this.#state, budgeted(call), nothingReserved());
    if (refusal !== undefined) return { type: "refused", refusal };
    this.#enter(call, chargesOf(this.#state, budgeted(call)));
    if (!countsCalls(this.#state)) return undefined;
    // Where the run is lost meanwhile nobody appends any more, and it would never be durable.
    const durable = Promise.race([log.durable(this.#state.lastSeq), aborted(signal)]);
    beat();
    return (await durable) && !signal.aborted && call.isWanted() ? undefined : DROPPED;
  }

  #enter({ chargedTo }: SideCall, charges: readonly (readonly [budget: string, amount: number])[]): void {
    const { log, ports } = this.#given;
    const at = ports.clock.now();
    for (const [budget, amount] of charges) log.record({ type: "budget_charged", at, budget, amount, ...chargedTo });
  }
}

const budgeted = ({ capability }: SideCall) => ({ task: { capability } });

/** Aborts with `signal`; its own abort, which a time limit makes, leaves `signal` alone. */
function following(signal: AbortSignal): AbortController {
  const own = new AbortController();
  if (signal.aborted) own.abort(signal.reason);
  else signal.addEventListener("abort", () => own.abort(signal.reason), { once: true, signal: own.signal });
  return own;
}

/** Settles with false when the signal comes, at once where it has. */
const aborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener("abort", () => resolve(false), { once: true });
  });

/** False where the signal came first. */
function roomIn(slots: CallSlots, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (hasCome: boolean): void => {
      ignoreRoom();
      signal.removeEventListener("abort", give);
      resolve(hasCome);
    };
    const give = (): void => end(false);
    const ignoreRoom = slots.onRoom(() => end(true));
    signal.addEventListener("abort", give, { once: true });
  });
}
