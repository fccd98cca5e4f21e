import type { LookUpCommand } from "#kernel/run/command";
import type { NewRunEvent } from "#kernel/run/event";
import { eventsOfLookUp, notLookedUp } from "#kernel/run/look-up";
import type { Clock } from "../ports";
import type { RunLog } from "./run-log";
import { isInline, type RunOutputs } from "./run-outputs";
import type { SideCalls } from "./side-calls";

interface LookUpsGiven {
  readonly log: RunLog;
  readonly clock: Clock;
  readonly outputs: RunOutputs;
  readonly calls: SideCalls;
}

/** The calls that ask what became of a call whose answer was lost. One at a time for a task. */
export class LookUps {
  readonly #given: LookUpsGiven;
  readonly #aborts = new Map<string, AbortController>();

  constructor(given: LookUpsGiven) {
    this.#given = given;
  }

  readonly isLookingUp = (taskId: string): boolean => this.#aborts.has(taskId);

  /** Asks, and records what came of it. */
  async ask(command: LookUpCommand): Promise<void> {
    const { log, clock, calls } = this.#given;
    const abort = new AbortController();
    this.#aborts.set(command.taskId, abort);
    try {
      const { taskId, attempt } = command;
      const isWanted = (): boolean => this.#isOpen(command);
      const call = { ...command, id: `${taskId}@look-up`, attempt, chargedTo: { taskId }, isWanted };
      const answer = await calls.make(call, abort.signal);
      // What calls in progress have reserved may come free; it is decided on anew when they have ended.
      if (answer.type === "refused" && answer.refusal.final && this.#isOpen(command)) {
        log.record(notLookedUp(command, answer.refusal, clock.now()));
      }
      if (answer.type !== "answered") return;
      const events = await this.#storable(eventsOfLookUp(log.state, command, answer.observation, clock.now()));
      if (this.#isOpen(command)) for (const event of events) log.record(event);
    } finally {
      this.#aborts.delete(command.taskId);
    }
  }

  /** The run has ended or is not ours any more. */
  abort(why: string): void {
    for (const abort of this.#aborts.values()) abort.abort(new Error(why));
  }

  #isOpen({ taskId, attempt }: LookUpCommand): boolean {
    const { state } = this.#given.log;
    const task = state.tasks.get(taskId);
    const isAwaited = task?.status === "unknown_outcome" && task.attempts.at(-1)?.attempt === attempt;
    return isAwaited && state.status !== "finished" && state.cancelledBy === undefined;
  }

  /** Events whose outputs are too large for the log, with those stored apart. */
  #storable(events: readonly NewRunEvent[]): Promise<readonly NewRunEvent[]> {
    const store = async (event: NewRunEvent): Promise<NewRunEvent> => {
      if (event.type !== "task_succeeded" || isInline(event.observation.output)) return event;
      const fitted = await this.#given.outputs.fit(event.observation, event);
      // It took effect, whatever the size of what is known of it.
      return { ...event, observation: fitted.status === "ok" ? fitted : { ...event.observation, output: null } };
    };
    return Promise.all(events.map(store));
  }
}
