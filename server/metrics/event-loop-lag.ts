import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/** How late this process's timers run: a process that is late here is late with everything. */
export class EventLoopLag {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.#delay.enable();
  }

  /** The worst since the last call, milliseconds. */
  worstMs(): number {
    const worst = this.#delay.max / 1e6;
    this.#delay.reset();
    return Math.max(0, worst - 20);
  }

  stop(): void {
    this.#delay.disable();
  }
}
