import type { Observation } from "#kernel/capability/observation";
import { chargesOf, countsCalls, nothingReserved, refusedByBudget } from "#kernel/run/budget";
import { completionOfCall } from "#kernel/run/check-completion";
import type { Command } from "#kernel/run/command";
import { isRetryable } from "#kernel/run/retry";
import type { RunState } from "#kernel/run/state";
import type { Lease } from "../ports";
import type { DriverPorts } from "./driver-ports";
import { makeCall } from "./make-call";
import { pinnedContext, pinnedReference } from "./run-calls";
import type { RunLog } from "./run-log";

type CheckCommand = Extract<Command, { type: "check_completion" }>;

/** Calls of one check in all, where its failures are retryable: a check that nobody could make proves nothing. */
const ATTEMPTS_MAX = 3;
/** How soon a lease that may have run out is looked at again. */
const LEASE_LOOK_MS = 50;
/** Before the second call, twice that before the third. */
const BACKOFF_MS = 500;

interface CompletionCallsGiven {
  readonly ports: DriverPorts;
  readonly lease: Lease;
  readonly log: RunLog;
  /** Wakes the driver, so that what was recorded is appended. */
  readonly beat: () => void;
}

/**
 * The calls that check the result of a run. Each is charged before it is made, durably where calls are counted, and
 * passes the same boundary as a step's. When the run ends otherwise they are aborted.
 */
export class CompletionCalls {
  readonly #given: CompletionCallsGiven;
  readonly #aborts = new Set<AbortController>();

  constructor(given: CompletionCallsGiven) {
    this.#given = given;
  }

  get #state(): RunState {
    return this.#given.log.state;
  }

  /** Makes the call of a check, again where that may help, and records what it says of the result. */
  async check(command: CheckCommand): Promise<void> {
    const abort = new AbortController();
    this.#aborts.add(abort);
    try {
      for (let attempt = 1; ; attempt++) {
        while (this.#given.lease.isLive?.() === false) if (!(await this.#pause(LEASE_LOOK_MS, abort.signal))) return;
        if (!(await this.#charge(command))) return;
        const observation = await this.#call(command, attempt, abort);
        const pinned = this.#state.capabilities.get(command.capability);
        if (attempt >= ATTEMPTS_MAX || !isRetryable(observation, pinned)) return this.#record(command, observation);
        if (!this.#isAwaited(command) || !(await this.#pause(BACKOFF_MS * attempt, abort.signal))) return;
      }
    } finally {
      this.#aborts.delete(abort);
    }
  }

  /** The run has ended or is not ours any more. */
  abort(why: string): void {
    for (const abort of this.#aborts) abort.abort(new Error(why));
  }

  #isAwaited({ index }: CheckCommand): boolean {
    const state = this.#state;
    return state.status === "running" && state.cancelledBy === undefined && state.completion.length === index;
  }

  /** False: the call is not to be made. A budget without room for it leaves the check undecided. */
  async #charge(command: CheckCommand): Promise<boolean> {
    const { log, ports, beat } = this.#given;
    if (!this.#isAwaited(command)) return false;
    const state = this.#state;
    const call = { task: { capability: command.capability } };
    const refusal = refusedByBudget(state, call, nothingReserved());
    if (refusal !== undefined) {
      const message = `No budget is left to check the result: ${refusal.message}`;
      this.#record(command, { status: "terminal", sideEffect: "none", latencyMs: 0, message });
      return false;
    }
    const at = ports.clock.now();
    for (const [budget, amount] of chargesOf(state, call)) {
      log.record({ type: "budget_charged", at, budget, amount, check: command.index });
    }
    if (!countsCalls(state)) return true;
    const durable = log.durable(this.#state.lastSeq);
    beat();
    return durable;
  }

  #call(command: CheckCommand, attempt: number, abort: AbortController): Promise<Observation> {
    const { ports, lease } = this.#given;
    const { runId, workspaceId } = lease;
    const taskId = `@completion-${command.index}`;
    const pinned = this.#state.capabilities.get(command.capability);
    const identity = { runId, workspaceId, taskId, attempt, idempotencyKey: `${runId}:${taskId}:${attempt}` };
    const request = {
      ...command,
      capability: pinnedReference(command.capability, pinned),
      context: { ...identity, ...pinnedContext(this.#state, pinned) },
      changes: false,
    };
    // A time limit aborts one call, the end of the run all of them.
    const own = new AbortController();
    const passOn = (): void => own.abort(abort.signal.reason);
    abort.signal.addEventListener("abort", passOn, { once: true });
    if (abort.signal.aborted) passOn();
    return makeCall(ports.executor, ports.timers, { request, abort: own }).finally(() =>
      abort.signal.removeEventListener("abort", passOn),
    );
  }

  #record(command: CheckCommand, observation: Observation): void {
    const { log, ports } = this.#given;
    const events = completionOfCall(this.#state, command.index, observation, ports.clock.now());
    for (const event of events) log.record(event);
  }

  /** False where the run ended meanwhile. */
  #pause(ms: number, signal: AbortSignal): Promise<boolean> {
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
}
