import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import { changesSomething } from "#kernel/capability/side-effect";
import { countsCalls } from "#kernel/run/budget";
import type { CallResult } from "#kernel/run/observe-call";
import { isPending } from "#kernel/run/polling";
import { dispatchTask } from "#kernel/run/reduce-task";
import type { RunState } from "#kernel/run/state";
import { isTerminal } from "#kernel/run/status";
import type { CallContext, Lease } from "../ports";
import type { CallSlots } from "./call-slots";
import type { DriverPorts, DriverTuning } from "./driver-ports";
import type { DispatchCommand, LiveCall } from "./live-call";
import { makeCall } from "./make-call";
import type { RunLog } from "./run-log";
import { isInline, type RunOutputs } from "./run-outputs";
import type { RunPermits } from "./run-permits";

/** How soon a lease that may have run out is looked at again. */
const LEASE_LOOK_MS = 50;

interface RunCallsGiven {
  readonly ports: DriverPorts;
  readonly tuning: DriverTuning;
  readonly slots: CallSlots;
  readonly permits: RunPermits | undefined;
  readonly lease: Lease;
  readonly log: RunLog;
  readonly outputs: RunOutputs;
  /** A call has come back with something to record. */
  readonly onResult: (result: CallResult) => void;
  /** Wakes the driver when `work` is done; its failure fails the drive. */
  readonly background: (work: Promise<void>) => void;
}

/**
 * The calls that a driver makes for its run.
 *
 * waiting ─ its start is durable ─▶ running ─▶ a result
 * running ─ its task ended otherwise ─▶ cut: the answer comes late or never
 * running ─ the driver lets go ─▶ left: the answer counts only if it is a success
 */
export class RunCalls {
  readonly #given: RunCallsGiven;
  /** By task: the call that the state waits for. */
  readonly #live = new Map<string, LiveCall>();
  readonly #waiting = new Set<LiveCall>();
  readonly #cut = new Set<LiveCall>();
  #callOffFlush: (() => void) | undefined;
  #callOffLook: (() => void) | undefined;

  constructor(given: RunCallsGiven) {
    this.#given = given;
  }

  get size(): number {
    return this.#live.size;
  }

  /** Calls that were cut short and have not come back. */
  get cutSize(): number {
    return this.#cut.size;
  }

  readonly isLive = (taskId: string): boolean => this.#live.has(taskId);

  /** A call that changes something is running: its result is worth waiting for. */
  get awaitsChange(): boolean {
    for (const call of this.#live.values()) if (call.status === "running" && call.command.barrier) return true;
    return false;
  }

  get #state(): RunState {
    return this.#given.log.state;
  }

  /**
   * Starts a call, or records its start where that has to be durable first. One that the log already holds in flight
   * (its worker died) is started at once. False: there is nothing to start.
   */
  dispatch(command: DispatchCommand, now: number): boolean {
    const { taskId, attempt, gateId, barrier } = command;
    const inFlight = isInFlight(this.#state, command);
    if (this.#live.has(taskId) || !(inFlight || this.#state.ready.has(taskId))) return false;
    const permit = this.#given.permits?.use(taskId);
    const call: LiveCall = { command, abort: new AbortController(), at: now, status: "waiting", permit };
    this.#live.set(taskId, call);
    if (inFlight && countsCalls(this.#state)) {
      // The repeat was charged just now; the charge is durable before the call, as a start would be.
      call.dispatchedSeq = this.#state.lastSeq;
      call.isRepeat = true;
      this.#waiting.add(call);
      return true;
    }
    if (inFlight) {
      call.dispatchedSeq = 0;
    } else if (barrier) {
      call.dispatchedSeq = this.#given.log.record({ type: "task_dispatched", at: now, taskId, attempt, gateId });
      this.#waiting.add(call);
      return true;
    } else {
      dispatchTask(this.#state, { taskId, attempt, gateId, at: now });
    }
    if (this.#mayBegin) this.#begin(call);
    else this.#waiting.add(call);
    return true;
  }

  /** Starts the calls whose start has become durable. */
  startDurable(): void {
    const { durableSeq } = this.#given.log;
    // After a cancellation nothing begins: the next decision calls them off.
    if (this.#state.cancelledBy !== undefined || (this.#waiting.size > 0 && !this.#mayBegin)) return;
    for (const call of this.#waiting) if ((call.dispatchedSeq ?? 0) <= durableSeq) this.#begin(call);
  }

  /** Aborts the call of a task; its answer, if it comes, is late. */
  cutShort(taskId: string, why: string): void {
    const call = this.#live.get(taskId);
    if (call === undefined) return;
    this.#forget(call);
    if (call.status === "running") this.#cut.add(call);
    call.status = "cut";
    call.abort.abort(new Error(why));
  }

  /** Tells a state that was folded anew which calls run, except those whose result has come in. */
  tell(state: RunState, answered: ReadonlySet<string>): void {
    for (const [taskId, call] of this.#live) {
      const task = state.tasks.get(taskId);
      if (call.status === "waiting") {
        // The start of a repeat is in the log since its worker died; its charge may have been dropped.
        if (isInFlight(state, call.command) && call.isRepeat !== true) call.dispatchedSeq = 0;
        else this.#forget(call);
      } else if (task === undefined || isTerminal(task.status)) {
        this.cutShort(taskId, "Its task has ended.");
      } else if (!answered.has(taskId)) {
        if (!isInFlight(state, call.command)) this.#recordAgain(call);
        dispatchTask(state, { ...call.command, at: call.at });
      }
    }
  }

  /** Lets go of the calls that may simply run again, or of all of them. */
  leave(which: "repeatable" | "all"): void {
    for (const call of this.#live.values()) {
      if (call.status === "waiting") this.#forget(call);
      else if (which === "all" || !call.command.barrier) {
        call.status = "left";
        call.abort.abort(new Error("The worker is stopping."));
      }
    }
  }

  /** Aborts everything: the run is not ours any more. */
  close(): void {
    this.#callOffFlush?.();
    this.#callOffLook?.();
    // What never began gives its permit back: nobody else would.
    for (const call of [...this.#waiting]) this.#forget(call);
    for (const call of [...this.#live.values(), ...this.#cut]) call.abort.abort(new Error("The driver has let go."));
  }

  /**
   * True while the lease certainly is: a process that stood still may wake up long after somebody else took its run,
   * and must not begin a call before it has heard of it. Looks again soon.
   */
  get #mayBegin(): boolean {
    const { ports, lease, background } = this.#given;
    if (lease.isLive?.() !== false) return true;
    this.#callOffLook ??= ports.timers.after(LEASE_LOOK_MS, () => {
      this.#callOffLook = undefined;
      background(Promise.resolve());
    });
    return false;
  }

  #begin(call: LiveCall): void {
    const { ports, slots, lease, outputs, background } = this.#given;
    const { taskId, attempt, capability, timeoutMs, idempotencyKey } = call.command;
    const { runId, workspaceId } = lease;
    const snapshot = this.#state.capabilities.get(capability);
    const release = snapshot === undefined ? () => {} : slots.take(snapshot);
    this.#waiting.delete(call);
    call.status = "running";
    call.at = ports.clock.now();
    this.#measure(call);
    this.#flushLater();
    const request = {
      capability: pinnedReference(capability, snapshot),
      arguments: call.command.arguments,
      timeoutMs,
      context: {
        ...{ runId, taskId, attempt, idempotencyKey, workspaceId, ...pinnedContext(this.#state, snapshot) },
        ...(lease.isLive === undefined ? {} : { isHeld: lease.isLive }),
      },
      changes: changesSomething(snapshot),
    };
    const made = this.#isTooLate(call)
      ? Promise.resolve(TOO_LATE)
      : makeCall(ports.executor, ports.timers, { request, abort: call.abort });
    background(
      made.then(async (came) => {
        const observation = isInline(came.output) ? came : await outputs.fit(came, { taskId, attempt });
        release();
        call.permit?.ended(call.at, observation.usage);
        const { repeats } = call.command;
        const pending = isPending(snapshot, came);
        this.#ended(call, {
          ...{ taskId, attempt, startedAt: call.at, observation },
          ...(repeats === undefined ? {} : { repeats }),
          ...(pending ? { pending } : {}),
        });
      }),
    );
  }

  /** Writing the start down took longer than the approval lasts: it fails closed, whatever has been recorded. */
  #isTooLate({ at, command }: LiveCall): boolean {
    const executeBy = command.gateId === undefined ? undefined : this.#state.gates.get(command.gateId)?.executeBy;
    return executeBy !== undefined && at >= executeBy;
  }

  /** A first attempt that no gate stood before: what it waited for was us. */
  #measure({ at, command }: LiveCall): void {
    const { meter } = this.#given.ports;
    if (meter === undefined || command.attempt > 1 || command.gateId !== undefined) return;
    const readyAt = this.#state.tasks.get(command.taskId)?.readyAt;
    if (readyAt !== undefined) meter.dispatched(at - readyAt);
  }

  #ended(call: LiveCall, result: CallResult): void {
    this.#cut.delete(call);
    if (this.#live.get(result.taskId) === call) this.#live.delete(result.taskId);
    if (call.status !== "left" || result.observation.status === "ok") this.#given.onResult(result);
  }

  #forget(call: LiveCall): void {
    if (call.status === "waiting") call.permit?.unused();
    this.#live.delete(call.command.taskId);
    this.#waiting.delete(call);
  }

  /** A call that has run for a while is shown as running: its start is recorded, since it is worth an event now. */
  #flushLater(): void {
    const { ports, tuning, log, background } = this.#given;
    this.#callOffFlush ??= ports.timers.after(tuning.dispatchFlushMs, () => {
      this.#callOffFlush = undefined;
      const due = ports.clock.now() - tuning.dispatchFlushMs;
      let younger = log.status !== "current";
      for (const call of this.#live.values()) {
        if (call.status !== "running" || call.dispatchedSeq !== undefined) continue;
        if (call.at <= due) this.#recordStart(call);
        else younger = true;
      }
      if (younger) this.#flushLater();
      background(Promise.resolve());
    });
  }

  /** Its recorded start, if there was one, was dropped: it is worth an event as before. */
  #recordAgain(call: LiveCall): void {
    if (call.dispatchedSeq === undefined) return;
    delete call.dispatchedSeq;
    this.#flushLater();
  }

  #recordStart(call: LiveCall): void {
    if (this.#given.log.status !== "current" || !isInFlight(this.#state, call.command)) return;
    const { taskId, attempt, gateId } = call.command;
    call.dispatchedSeq = this.#given.log.record({ type: "task_dispatched", at: call.at, taskId, attempt, gateId });
  }
}

/** Nothing was sent: the task may ask for another approval, where it may be tried again. */
const TOO_LATE: Observation = {
  status: "retryable",
  errorCategory: "unavailable",
  message: "Its approval ran out before the call could start.",
  sideEffect: "none",
  latencyMs: 0,
  usage: { tokens: 0, costUsd: 0 },
};

/** The very version that the run is pinned to: a bare name would mean whatever is newest now. */
export const pinnedReference = (reference: string, pinned: CapabilitySnapshot | undefined): string =>
  pinned === undefined ? reference : `${pinned.name}@${pinned.version}`;

/** What a call is judged by at the moment of action: the capability as the run pinned it, and in whose name it acts. */
export function pinnedContext(
  state: RunState,
  pinned: CapabilitySnapshot | undefined,
): Pick<CallContext, "fingerprint" | "actor"> {
  const { startedBy, apiKeyId } = state;
  return {
    ...(pinned !== undefined && { fingerprint: pinned.fingerprint }),
    ...(startedBy !== undefined && {
      actor: { personId: startedBy.id, ...(apiKeyId !== undefined && { apiKeyId }) },
    }),
  };
}

/** The state has this very attempt in flight. */
function isInFlight(state: RunState, { taskId, attempt }: DispatchCommand): boolean {
  const task = state.tasks.get(taskId);
  const last = task?.attempts.at(-1);
  return state.inFlight.has(taskId) && last?.attempt === attempt && last.endedAt === undefined;
}
