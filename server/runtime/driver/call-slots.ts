import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { Clock, Timers } from "../ports";

interface Use {
  running: number;
  /** Start times within the rate limit's window, oldest first. */
  readonly starts: number[];
  timer: (() => void) | undefined;
}

/**
 * How many calls of each capability run in this process, over all of its runs: `concurrency` and `rateLimit` of a
 * capability are kept here, since no single run can see them.
 */
export class CallSlots {
  readonly #uses = new Map<string, Use>();
  readonly #listeners = new Set<() => void>();
  readonly #clock: Clock;
  readonly #timers: Timers;

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#timers = timers;
  }

  /** Calls `listener` when room has come up. Returns how to stop listening. */
  onRoom(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Further calls that may start now. */
  room(capability: CapabilitySnapshot): number {
    const { concurrency, rateLimit } = capability;
    if (concurrency === undefined && rateLimit === undefined) return Number.POSITIVE_INFINITY;
    const use = this.#use(capability);
    const byConcurrency = (concurrency ?? Number.POSITIVE_INFINITY) - use.running;
    return Math.min(byConcurrency, rateLimit === undefined ? Number.POSITIVE_INFINITY : this.#byRate(use, rateLimit));
  }

  /** Takes a slot; the returned function gives it back. */
  take(capability: CapabilitySnapshot): () => void {
    if (capability.concurrency === undefined && capability.rateLimit === undefined) return () => {};
    const use = this.#use(capability);
    use.running += 1;
    if (capability.rateLimit !== undefined) use.starts.push(this.#clock.now());
    return () => {
      use.running -= 1;
      this.#announce();
    };
  }

  #byRate(use: Use, limit: NonNullable<CapabilitySnapshot["rateLimit"]>): number {
    const now = this.#clock.now();
    const windowMs = limit.perSeconds * 1000;
    while (use.starts[0] !== undefined && use.starts[0] <= now - windowMs) use.starts.shift();
    const room = limit.calls - use.starts.length;
    const oldest = use.starts[0];
    if (room <= 0 && oldest !== undefined && use.timer === undefined) {
      use.timer = this.#timers.after(oldest + windowMs - now, () => {
        use.timer = undefined;
        this.#announce();
      });
    }
    return room;
  }

  #use({ name, version }: CapabilitySnapshot): Use {
    const key = `${name}@${version}`;
    const known = this.#uses.get(key);
    if (known !== undefined) return known;
    const use: Use = { running: 0, starts: [], timer: undefined };
    this.#uses.set(key, use);
    return use;
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
