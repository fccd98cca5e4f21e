import type { Pass } from "./system";
import { type Dag, lowerBoundMs, type Workload } from "./workload";

/** Of a whole pass, on the clock of `performance.now()`. */
interface PassSpan {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** When calls began and ended, by run and node. */
export class CallTimes {
  readonly #started = new Map<string, number>();
  readonly #ended = new Map<string, number>();

  start(run: string, node: number): void {
    this.#started.set(`${run}/${node}`, performance.now());
  }

  end(run: string, node: number): void {
    this.#ended.set(`${run}/${node}`, performance.now());
  }

  /**
   * The lower bound with the durations that the calls really had: a busy machine wakes everybody late, which is no fault
   * of who schedules.
   */
  #boundMs(runs: readonly string[], workload: Workload): number {
    const dags = workload.dags.map((dag, index) => ({ ...dag, durationMs: this.#durations(runs[index] ?? "", dag) }));
    return lowerBoundMs({ ...workload, dags });
  }

  #durations(run: string, dag: Dag): number[] {
    return dag.parents.map((_, node) => {
      const key = `${run}/${node}`;
      return (this.#ended.get(key) ?? Number.NaN) - (this.#started.get(key) ?? Number.NaN);
    });
  }

  get #span(): { readonly firstStart: number; readonly lastEnd: number } {
    let firstStart = Number.POSITIVE_INFINITY;
    let lastEnd = 0;
    for (const at of this.#started.values()) firstStart = Math.min(firstStart, at);
    for (const at of this.#ended.values()) lastEnd = Math.max(lastEnd, at);
    return { firstStart, lastEnd };
  }

  /** What a pass that has just ended looked like; `runs` names the runs of the workload's graphs in their order. */
  pass({ startedAt, endedAt }: PassSpan, runs: readonly string[], workload: Workload): Pass {
    const dispatchMs = workload.dags.flatMap((dag, index) => this.#dispatchMs(runs[index] ?? "", dag));
    const { firstStart, lastEnd } = this.#span;
    return {
      elapsedMs: endedAt - startedAt,
      dispatchMs,
      callsBoundMs: this.#boundMs(runs, workload),
      beforeFirstCallMs: firstStart - startedAt,
      afterLastCallMs: endedAt - lastEnd,
    };
  }

  /** Start of each task after the end of its last parent; roots have none. */
  #dispatchMs(run: string, dag: Dag): number[] {
    return dag.parents.flatMap((parents, node) => {
      const started = this.#started.get(`${run}/${node}`);
      const ends = parents.map((parent) => this.#ended.get(`${run}/${parent}`) ?? Number.NaN);
      if (started === undefined || ends.length === 0) return [];
      return [started - Math.max(...ends)];
    });
  }
}
