import type { PlanGraph } from "./graph";
import { type Reachability, reachabilityOf } from "./reachability";

/** Above this many tasks the largest level stands in for the largest antichain, and the result says so. */
export const WIDTH_EXACT_MAX_TASKS = 5_000;

export interface Antichain {
  /** Ids in plan order. */
  readonly tasks: readonly string[];
  readonly exact: boolean;
}

/**
 * The largest set of tasks of which no path orders two: the most that could ever run at once.
 *
 * By Dilworth's theorem (1950) it is as large as the smallest cover of the tasks by chains, which is n less a
 * maximum matching between tasks and the tasks they reach (Fulkerson 1956); the matching is Hopcroft & Karp's
 * (1973) over rows of bits, and König's theorem (1931) gives the set itself.
 *
 * @param order a topological order. @param levels the graph's levels, used above {@link WIDTH_EXACT_MAX_TASKS}.
 */
export function largestAntichain(
  graph: PlanGraph,
  order: Int32Array,
  levels: readonly (readonly string[])[],
): Antichain {
  if (graph.size > WIDTH_EXACT_MAX_TASKS) {
    let largest: readonly string[] = [];
    for (const level of levels) if (level.length > largest.length) largest = level;
    return { tasks: largest, exact: false };
  }
  const matching = new ChainMatching(graph.size, reachabilityOf(graph, order));
  matching.seed(graph, order);
  while (matching.augment());
  return { tasks: matching.antichain().map((task) => graph.ids[task] as string), exact: true };
}

const NONE = -1;

/** A matching of each task (left) with a task it reaches (right): every pair joins two chains into one. */
class ChainMatching {
  readonly #size: number;
  readonly #words: number;
  readonly #rows: Uint32Array;
  /** Right partner of each left task, left partner of each right task. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;

  constructor(size: number, reachability: Reachability) {
    this.#size = size;
    this.#words = reachability.words;
    this.#rows = reachability.rows;
    this.#next = new Int32Array(size).fill(NONE);
    this.#previous = new Int32Array(size).fill(NONE);
  }

  /** A greedy start along the plan's own edges, which leaves few paths to find. */
  seed(graph: PlanGraph, order: Int32Array): void {
    for (const task of order) {
      const end = graph.successorOffsets[task + 1] as number;
      for (let at = graph.successorOffsets[task] as number; at < end; at++) {
        const successor = graph.successors[at] as number;
        if (this.#previous[successor] !== NONE) continue;
        this.#next[task] = successor;
        this.#previous[successor] = task;
        break;
      }
    }
  }

  /** One phase: a maximal set of shortest augmenting paths, all applied. False when the matching is maximum. */
  augment(): boolean {
    const { layers, found } = this.#layers();
    if (!found) return false;
    const layerOf = new Int32Array(this.#size).fill(NONE);
    layers.lefts.forEach((lefts, layer) => {
      for (const left of lefts) layerOf[left] = layer;
    });
    for (const root of layers.lefts[0] as number[]) this.#walk(root, layers.rights, layerOf);
    return true;
  }

  /** Breadth first from the unmatched left tasks, alternating; stops at the first layer with an unmatched right. */
  #layers(): { layers: { lefts: number[][]; rights: Uint32Array[] }; found: boolean } {
    const unseen = this.#allBits();
    const lefts: number[][] = [[]];
    const rights: Uint32Array[] = [];
    for (let left = 0; left < this.#size; left++) if (this.#next[left] === NONE) lefts[0]?.push(left);
    for (let layer = 0; ; layer++) {
      const reached = new Uint32Array(this.#words);
      const following: number[] = [];
      let found = false;
      for (const left of lefts[layer] as number[]) {
        const base = left * this.#words;
        for (let word = 0; word < this.#words; word++) {
          let bits = (this.#rows[base + word] as number) & (unseen[word] as number);
          if (bits === 0) continue;
          unseen[word] = (unseen[word] as number) & ~bits;
          reached[word] = (reached[word] as number) | bits;
          for (; bits !== 0; bits &= bits - 1) {
            const right = (word << 5) + lowestBit(bits);
            const partner = this.#previous[right] as number;
            if (partner === NONE) found = true;
            else following.push(partner);
          }
        }
      }
      rights.push(reached);
      if (found || following.length === 0) return { layers: { lefts, rights }, found };
      lefts.push(following);
    }
  }

  /** Depth first along the layers from one unmatched left task; each right is tried once. Without recursion. */
  #walk(root: number, rights: readonly Uint32Array[], layerOf: Int32Array): void {
    const lefts = [root];
    const via: number[] = [];
    while (lefts.length > 0) {
      const left = lefts[lefts.length - 1] as number;
      const layer = lefts.length - 1;
      const right = this.#take(left, rights[layer] as Uint32Array);
      if (right === NONE) {
        lefts.pop();
        via.pop();
        continue;
      }
      via.push(right);
      const partner = this.#previous[right] as number;
      if (partner === NONE) {
        lefts.forEach((task, index) => {
          const chosen = via[index] as number;
          this.#next[task] = chosen;
          this.#previous[chosen] = task;
        });
        return;
      }
      if (layer + 1 < rights.length && layerOf[partner] === layer + 1) lefts.push(partner);
      else via.pop();
    }
  }

  /** Takes the first right of a layer that `left` reaches out of that layer. */
  #take(left: number, layer: Uint32Array): number {
    const base = left * this.#words;
    for (let word = 0; word < this.#words; word++) {
      const bits = (this.#rows[base + word] as number) & (layer[word] as number);
      if (bits === 0) continue;
      const bit = bits & -bits;
      layer[word] = (layer[word] as number) & ~bit;
      return (word << 5) + lowestBit(bit);
    }
    return NONE;
  }

  /**
   * König: with Z = what alternating paths reach from unmatched lefts, the tasks that are in Z as a left and not in
   * Z as a right form a largest antichain.
   */
  antichain(): readonly number[] {
    const { layers } = this.#layers();
    const inZ = new Uint8Array(this.#size);
    for (const lefts of layers.lefts) for (const left of lefts) inZ[left] = 1;
    const reached = new Uint32Array(this.#words);
    for (const bits of layers.rights) {
      for (let word = 0; word < this.#words; word++) {
        reached[word] = (reached[word] as number) | (bits[word] as number);
      }
    }
    const tasks: number[] = [];
    for (let task = 0; task < this.#size; task++) {
      const isReached = ((reached[task >>> 5] as number) & (1 << (task & 31))) !== 0;
      if (inZ[task] === 1 && !isReached) tasks.push(task);
    }
    return tasks;
  }

  #allBits(): Uint32Array {
    const bits = new Uint32Array(this.#words).fill(0xffffffff);
    const spare = this.#size & 31;
    if (spare !== 0) bits[this.#words - 1] = 2 ** spare - 1;
    return bits;
  }
}

/** Index of the lowest set bit of a word that has one. */
const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);
