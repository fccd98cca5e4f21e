import type { Clock, Timers } from "../../server/runtime/ports";

/** A clock and its timers that only move when told to. */
export class FakeTime implements Clock, Timers {
  #now: number;
  #nextId = 0;
  readonly #timers = new Map<number, { at: number; callback: () => void }>();

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    const id = this.#nextId++;
    this.#timers.set(id, { at: this.#now + delayMs, callback });
    return () => this.#timers.delete(id);
  };

  /** Moves on, running every timer that comes due at its own time. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.at <= until).sort((a, b) => a[1].at - b[1].at)[0];
      if (due === undefined) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].callback();
      await quiet();
    }
    this.#now = until;
    await quiet();
  }
}

/** Settles once everything that could happen without time passing has happened. */
export async function quiet(turns = 12): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
