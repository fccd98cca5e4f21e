import type { PlanGraph } from "./graph";
import { IndexHeap } from "./heap";
import { namedAmount, type Plan } from "./plan";
import { scheduleOf } from "./schedule";

/** `critical_path` starts the task with the longest remaining path first; `fifo` the one that was ready first. */
export type DispatchPolicy = "critical_path" | "fifo";

export interface SimulationOptions {
  /** How many tasks run at once. */
  readonly workers: number;
  /** Default `critical_path`, as the controller does. */
  readonly policy?: DispatchPolicy;
  /** With it, `maxParallel` and the pools of the plan hold too. */
  readonly plan?: Pick<Plan, "tasks" | "pools" | "maxParallel">;
}

/** One task's place in a simulated run; seconds from the start, workers from 0. */
export interface SimulatedTask {
  readonly task: string;
  readonly start: number;
  readonly end: number;
  readonly worker: number;
}

export interface Simulation {
  readonly makespan: number;
  /** By start, then worker. */
  readonly schedule: readonly SimulatedTask[];
  /** Tasks that could never start, since they need more of a pool than it has, and those behind them. */
  readonly unscheduled: readonly string[];
}

/**
 * What a run would take if every task took its expected time: list scheduling (Graham 1966), in which no worker
 * stays idle while a task could start. So the makespan is at most work / workers + (1 - 1 / workers) × lower bound
 * where no pool holds tasks back. O((tasks + edges) log tasks) without pools.
 *
 * @param seconds expected duration per task of the graph, >= 0.
 * @returns undefined where the graph has a cycle.
 */
export function simulate(graph: PlanGraph, seconds: Float64Array, options: SimulationOptions): Simulation | undefined {
  const plan = scheduleOf(graph, seconds);
  return plan === undefined ? undefined : new ListScheduler(graph, seconds, plan.rank, options).run();
}

/** Sums of units may differ by rounding; a unit is never this small. */
const UNIT_ROUNDING = 1e-9;

class ListScheduler {
  readonly #graph: PlanGraph;
  readonly #seconds: Float64Array;
  readonly #plan: SimulationOptions["plan"];
  readonly #open: Int32Array;
  readonly #end: Float64Array;
  readonly #worker: Int32Array;
  readonly #ready: IndexHeap;
  readonly #running: IndexHeap;
  readonly #idle: IndexHeap;
  readonly #free: Map<string, number>;
  readonly #schedule: SimulatedTask[] = [];
  readonly #readySince: Float64Array;
  #now = 0;

  constructor(graph: PlanGraph, seconds: Float64Array, rank: Float64Array, options: SimulationOptions) {
    this.#graph = graph;
    this.#seconds = seconds;
    this.#plan = options.plan;
    this.#open = new Int32Array(graph.size);
    this.#end = new Float64Array(graph.size);
    this.#worker = new Int32Array(graph.size);
    this.#readySince = new Float64Array(graph.size);
    const key = options.policy === "fifo" ? this.#readySince : rank.map((length) => -length);
    this.#ready = new IndexHeap((a, b) => {
      const difference = (key[a] as number) - (key[b] as number);
      return difference < 0 || (difference === 0 && a < b);
    });
    this.#running = new IndexHeap((a, b) => {
      const difference = (this.#end[a] as number) - (this.#end[b] as number);
      return difference < 0 || (difference === 0 && a < b);
    });
    this.#idle = new IndexHeap((a, b) => a < b);
    const workers = Math.min(options.workers, options.plan?.maxParallel ?? graph.size, Math.max(1, graph.size));
    for (let worker = 0; worker < workers; worker++) this.#idle.push(worker);
    this.#free = new Map(Object.entries(options.plan?.pools ?? {}));
  }

  run(): Simulation {
    for (let task = 0; task < this.#graph.size; task++) {
      const { predecessorOffsets } = this.#graph;
      this.#open[task] = (predecessorOffsets[task + 1] as number) - (predecessorOffsets[task] as number);
      if (this.#open[task] === 0) this.#ready.push(task);
    }
    this.#dispatch();
    for (let next = this.#running.peek(); next !== undefined; next = this.#running.peek()) {
      this.#now = this.#end[next] as number;
      while (next !== undefined && this.#end[next] === this.#now) {
        this.#running.pop();
        this.#finish(next);
        next = this.#running.peek();
      }
      this.#dispatch();
    }
    const started = new Set(this.#schedule.map(({ task }) => task));
    return {
      makespan: this.#now,
      schedule: this.#schedule,
      unscheduled: this.#graph.ids.filter((id) => !started.has(id)),
    };
  }

  /** Starts ready tasks, best first, while workers are idle; a task that no pool has room for lets others pass. */
  #dispatch(): void {
    const passed: number[] = [];
    while (this.#idle.size > 0 && this.#ready.size > 0) {
      const task = this.#ready.pop() as number;
      if (this.#take(task, 1)) this.#start(task);
      else passed.push(task);
    }
    for (const task of passed) this.#ready.push(task);
  }

  #start(task: number): void {
    const worker = this.#idle.pop() as number;
    const end = this.#now + (this.#seconds[task] as number);
    this.#end[task] = end;
    this.#worker[task] = worker;
    this.#running.push(task);
    this.#schedule.push({ task: this.#graph.ids[task] as string, start: this.#now, end, worker });
  }

  #finish(task: number): void {
    this.#idle.push(this.#worker[task] as number);
    this.#take(task, -1);
    const end = this.#graph.successorOffsets[task + 1] as number;
    for (let at = this.#graph.successorOffsets[task] as number; at < end; at++) {
      const successor = this.#graph.successors[at] as number;
      const open = (this.#open[successor] as number) - 1;
      this.#open[successor] = open;
      if (open > 0) continue;
      this.#readySince[successor] = this.#now;
      this.#ready.push(successor);
    }
  }

  /** Takes a task's units from its pools, or with -1 gives them back; false where there are not enough. */
  #take(task: number, times: 1 | -1): boolean {
    const uses = this.#plan?.tasks[task]?.uses;
    if (uses === undefined) return true;
    const pools = Object.keys(uses);
    const units = (pool: string): number => (namedAmount(uses, pool) ?? 0) * times;
    if (pools.some((pool) => units(pool) > (this.#free.get(pool) ?? 0) + UNIT_ROUNDING && times === 1)) return false;
    for (const pool of pools) this.#free.set(pool, (this.#free.get(pool) ?? 0) - units(pool));
    return true;
  }
}
