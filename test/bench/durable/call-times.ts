import type { Dag } from "./workload";

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

  /** Start of each task after the end of its last parent; roots have none. */
  dispatchMs(run: string, dag: Dag): number[] {
    return dag.parents.flatMap((parents, node) => {
      const started = this.#started.get(`${run}/${node}`);
      const ends = parents.map((parent) => this.#ended.get(`${run}/${parent}`) ?? Number.NaN);
      if (started === undefined || ends.length === 0) return [];
      return [started - Math.max(...ends)];
    });
  }
}
