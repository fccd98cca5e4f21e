import type { Observation } from "#kernel/capability/observation";
import { completionOfCall } from "#kernel/run/check-completion";
import type { Command } from "#kernel/run/command";
import { isRetryable } from "#kernel/run/retry";
import type { RunState } from "#kernel/run/state";
import type { Clock } from "../ports";
import type { RunLog } from "./run-log";
import type { SideCalls } from "./side-calls";

type CheckCommand = Extract<Command, { type: "check_completion" }>;

/** Calls of one check in all, where its failures are retryable: a check that nobody could make proves nothing. */
const ATTEMPTS_MAX = 3;
/** Before the second call, twice that before the third. */
const BACKOFF_MS = 500;

interface CompletionCallsGiven {
  readonly log: RunLog;
  readonly clock: Clock;
  readonly calls: SideCalls;
}

/** The calls that check the result of a run. When the run ends otherwise they are aborted. */
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
    const { calls } = this.#given;
    const abort = new AbortController();
    this.#aborts.add(abort);
    try {
      for (let attempt = 1; ; attempt++) {
        const isWanted = (): boolean => this.#isAwaited(command);
        const { index: check } = command;
        const call = { ...command, id: `@completion-${check}`, attempt, chargedTo: { check }, isWanted };
        const answer = await calls.make(call, abort.signal);
        if (answer.type === "dropped") return;
        if (answer.type === "refused") {
          // A budget without room for it leaves the check undecided.
          const message = `No budget is left to check the result: ${answer.refusal.message}`;
          return this.#record(command, { status: "terminal", sideEffect: "none", latencyMs: 0, message });
        }
        const { observation } = answer;
        const pinned = this.#state.capabilities.get(command.capability);
        if (attempt >= ATTEMPTS_MAX || !isRetryable(observation, pinned)) return this.#record(command, observation);
        if (!this.#isAwaited(command) || !(await calls.pause(BACKOFF_MS * attempt, abort.signal))) return;
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

  #record(command: CheckCommand, observation: Observation): void {
    const { log, clock } = this.#given;
    const events = completionOfCall(this.#state, command.index, observation, clock.now());
    for (const event of events) log.record(event);
  }
}
