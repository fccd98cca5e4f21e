import type { NewRunEvent, RunEvent } from "#kernel/run/event";
import { applyEvent, createRunState } from "#kernel/run/reduce";
import type { RunState } from "#kernel/run/state";
import type { EventLog, Lease } from "../ports";

/**
 * A run's log as its driver sees it: the state runs ahead of what is durable.
 *
 * Events are applied at once and appended in order, one append in flight; everything that is recorded meanwhile goes
 * into the next. On a conflict (somebody else, a person, appended first) everything that was not durable is dropped
 * and the state is folded anew; what has to be kept is for the driver to record again.
 */
export class RunLog {
  readonly #log: EventLog;
  readonly #lease: Lease;
  #state: RunState = createRunState();
  #durableSeq = 0;
  #waiting: NewRunEvent[] = [];
  #appending = false;
  #waiters: { readonly seq: number; readonly resolve: (durable: boolean) => void }[] = [];
  #status: "current" | "conflict" | "fenced" | "unknown" = "current";

  constructor(log: EventLog, lease: Lease) {
    this.#log = log;
    this.#lease = lease;
  }

  get state(): RunState {
    return this.#state;
  }

  /** The last event known to be durable. */
  get durableSeq(): number {
    return this.#durableSeq;
  }

  /** `unknown`: an append failed without an answer, so its events may be durable or not. */
  get status(): "current" | "conflict" | "fenced" | "unknown" {
    return this.#status;
  }

  /** True when nothing is on its way to the log. */
  get settled(): boolean {
    return !this.#appending && this.#waiting.length === 0;
  }

  /** Applies an event and leaves it for the next append. Returns the `seq` it will have. */
  record(event: NewRunEvent): number {
    const seq = this.#state.lastSeq + 1;
    applyEvent(this.#state, { ...event, seq });
    this.#waiting.push(event);
    return seq;
  }

  /** Settles once the event with this `seq` is durable; false where it was dropped instead. */
  durable(seq: number): Promise<boolean> {
    if (seq <= this.#durableSeq) return Promise.resolve(true);
    return new Promise((resolve) => this.#waiters.push({ seq, resolve }));
  }

  /** Starts the next append, unless one is in flight or there is nothing to append; `settled` is called at its end. */
  flush(settled: () => void): void {
    if (this.#appending || this.#waiting.length === 0 || this.#status !== "current") return;
    const events = this.#waiting;
    this.#waiting = [];
    this.#appending = true;
    this.#log.append(this.#lease, this.#durableSeq, events).then(
      (outcome) => {
        this.#appending = false;
        if (outcome.status === "appended") this.#confirm(outcome.lastSeq);
        else this.#status = outcome.status;
        settled();
      },
      () => {
        this.#appending = false;
        this.#status = "unknown";
        settled();
      },
    );
  }

  /**
   * Reads on from the last durable event. Only while everything of ours is durable. What is recorded while it reads was
   * judged without the news, and would be written after it: that is a conflict like any other.
   */
  async catchUp(): Promise<void> {
    const events = await this.#log.read(this.#lease.runId, this.#durableSeq);
    if (events.length === 0) return;
    if (!this.settled) {
      this.#status = "conflict";
      return;
    }
    for (const event of events) this.#apply(event);
  }

  /** Drops what is not durable and folds the log from its beginning. */
  async refold(): Promise<void> {
    const events = await this.#log.read(this.#lease.runId);
    this.#state = createRunState();
    this.#waiting = [];
    this.#status = "current";
    for (const { resolve } of this.#waiters.splice(0)) resolve(false);
    for (const event of events) this.#apply(event);
  }

  #confirm(seq: number): void {
    this.#durableSeq = seq;
    if (this.#waiters.length === 0) return;
    for (const waiter of this.#waiters) if (waiter.seq <= seq) waiter.resolve(true);
    this.#waiters = this.#waiters.filter((waiter) => waiter.seq > seq);
  }

  #apply(event: RunEvent): void {
    applyEvent(this.#state, event);
    this.#durableSeq = event.seq;
  }
}
