import { demandOf } from "./admission";
import { type BudgetRefusal, nothingReserved, refusedByBudget, reserve } from "./budget";
import type { DecideOptions } from "./decide-options";
import { type Resources, resourcesOf } from "./resources-of-call";
import type { RunState, TaskState } from "./state";
import type { Hold } from "./status";

/**
 * Room for further calls at one moment: slots, pools, providers, budgets, locks. `decide` asks it and takes from it
 * for each call it starts; `holds` asks it and takes nothing. One producer, so that what the screens show is what
 * decided.
 */
export class Room {
  /** Outputs that have to be loaded before it can be said which resources a call touches. */
  readonly missing = new Set<string>();
  readonly #state: RunState;
  readonly #options: DecideOptions;
  readonly #limit: number;
  readonly #reserved = nothingReserved();
  readonly #taken: TaskState[] = [];
  #pools: Map<string, number> | undefined;
  #locks: Map<string, Lock> | undefined;
  readonly #capabilityRoom = new Map<string, number>();
  #refusal: BudgetRefusal | undefined;
  readonly #scratch = new Set<string>();
  /** A running call of which it is not known yet what it touches. */
  #untold: string | undefined;

  constructor(state: RunState, options: DecideOptions) {
    this.#state = state;
    this.#options = options;
    this.#limit = Math.min(state.plan?.maxParallel ?? Number.POSITIVE_INFINITY, options.inFlightLimit ?? Infinity);
  }

  /** True when no call at all can start before one ends. */
  get full(): boolean {
    return this.#state.inFlight.size + this.#taken.length >= this.#limit;
  }

  budget(task: TaskState): BudgetRefusal | undefined {
    return refusedByBudget(this.#state, task, this.#reserved);
  }

  /**
   * The first reason why this task cannot start now. Locks are looked at late, since they need its arguments; limits
   * over all runs last, so that nothing is asked for that could not be used.
   */
  hold(task: TaskState): Hold | undefined {
    if (this.full) return { type: "concurrency", limit: this.#limit };
    const budget = this.budget(task);
    if (budget !== undefined) return { type: "budget", budget: budget.budget };
    return this.#providerHold(task) ?? this.#poolHold(task) ?? this.#lockHold(task) ?? this.#admissionHold(task);
  }

  /** The ceiling that refused the task that was asked about last: waiting cannot make room. */
  get refusal(): BudgetRefusal | undefined {
    return this.#refusal;
  }

  #admissionHold(task: TaskState): Hold | undefined {
    this.#refusal = undefined;
    const { admit } = this.#options;
    const demand = admit && demandOf(this.#state, task, this.#options.load);
    if (admit === undefined || demand === undefined) return undefined;
    const admission = admit(task, demand);
    if (admission.type === "admitted") return undefined;
    if (admission.type === "held") return admission.hold;
    this.#refusal = admission.refusal;
    return { type: "budget", budget: admission.refusal.budget };
  }

  take(task: TaskState): void {
    this.#taken.push(task);
    reserve(this.#reserved, this.#state, task);
    const reference = task.task.capability;
    const room = this.#capabilityRoom.get(reference);
    if (room !== undefined) this.#capabilityRoom.set(reference, room - 1);
    if (this.#pools !== undefined) addUses(this.#pools, task);
    if (this.#locks !== undefined) lock(this.#locks, task, resourcesOf(this.#state, task, this.#options.load));
  }

  #providerHold(task: TaskState): Hold | undefined {
    const { roomFor } = this.#options;
    const reference = task.task.capability;
    const capability = this.#state.capabilities.get(reference);
    if (roomFor === undefined || capability === undefined) return undefined;
    const room = this.#capabilityRoom.get(reference) ?? roomFor(capability);
    this.#capabilityRoom.set(reference, room);
    return room > 0 ? undefined : { type: "rate_limit" };
  }

  #poolHold(task: TaskState): Hold | undefined {
    const uses = task.task.uses;
    if (uses === undefined) return undefined;
    if (this.#pools === undefined) {
      this.#pools = new Map();
      for (const other of this.#running()) addUses(this.#pools, other);
    }
    for (const [pool, units] of Object.entries(uses)) {
      if ((this.#pools.get(pool) ?? 0) + units > poolCapacity(this.#state, pool)) return { type: "pool", pool };
    }
    return undefined;
  }

  #lockHold(task: TaskState): Hold | undefined {
    const wanted = this.#resources(task);
    if (wanted === undefined) return { type: "resource_lock", resource: UNTOLD, byTaskId: task.id };
    if (wanted.reads.length === 0 && wanted.writes.length === 0) return undefined;
    if (this.#locks === undefined) {
      this.#locks = new Map();
      for (const other of this.#running()) this.#lockFor(this.#locks, other);
    }
    const locks = this.#locks;
    // Whoever runs may touch the same: nothing that touches anything starts before that is known.
    if (this.#untold !== undefined) return { type: "resource_lock", resource: UNTOLD, byTaskId: this.#untold };
    const held = (resource: string, byTaskId: string | undefined): Hold | undefined =>
      byTaskId === undefined ? undefined : { type: "resource_lock", resource, byTaskId };
    for (const resource of wanted.writes) {
      const other = locks.get(resource);
      const hold = held(resource, other?.writer ?? other?.reader);
      if (hold) return hold;
    }
    for (const resource of wanted.reads) {
      const hold = held(resource, locks.get(resource)?.writer);
      if (hold) return hold;
    }
    return undefined;
  }

  #lockFor(locks: Map<string, Lock>, task: TaskState): void {
    const resources = this.#resources(task);
    if (resources === undefined) this.#untold ??= task.id;
    else lock(locks, task, resources);
  }

  /** Undefined while outputs have to be loaded first. Whoever cannot load any sees what there is to see without. */
  #resources(task: TaskState): Resources | undefined {
    const { load } = this.#options;
    if (load === undefined) return resourcesOf(this.#state, task, load);
    const missing = this.#scratch;
    missing.clear();
    const resources = resourcesOf(this.#state, task, load, missing);
    for (const outputRef of missing) this.missing.add(outputRef);
    return missing.size > 0 ? undefined : resources;
  }

  /** What runs, what is about to, and what may have taken effect: its resources are not to be touched meanwhile. */
  *#running(): Generator<TaskState> {
    for (const id of this.#state.inFlight) {
      const task = this.#state.tasks.get(id);
      if (task !== undefined) yield task;
    }
    for (const id of this.#state.stuck) {
      const task = this.#state.tasks.get(id);
      if (task?.status === "unknown_outcome") yield task;
    }
    yield* this.#taken;
  }
}

/** Stands for a resource whose name is in an output that is being loaded. */
const UNTOLD = "not known yet";

interface Lock {
  writer?: string;
  reader?: string;
}

function lock(locks: Map<string, Lock>, task: TaskState, resources: Resources): void {
  for (const resource of resources.writes) locks.set(resource, { ...locks.get(resource), writer: task.id });
  for (const resource of resources.reads) locks.set(resource, { ...locks.get(resource), reader: task.id });
}

function addUses(pools: Map<string, number>, task: TaskState): void {
  for (const [pool, units] of Object.entries(task.task.uses ?? {})) pools.set(pool, (pools.get(pool) ?? 0) + units);
}

/** Units of a pool; 0 for one that the plan does not name. */
export function poolCapacity(state: RunState, pool: string): number {
  const pools = state.plan?.pools;
  return pools !== undefined && Object.hasOwn(pools, pool) ? (pools[pool] ?? 0) : 0;
}
