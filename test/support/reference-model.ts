/**
 * How a plan must run, in the plainest words: written from the domain's terms and docs/joins.md, knowing nothing of
 * events, and sharing no function with the engine. After each thing that happens it works everything out anew, until
 * nothing changes; that is slow, and so simple that it can be read against the documents.
 */
export interface ModelTask {
  readonly id: string;
  readonly parents: readonly string[];
  readonly join: "all_succeeded" | "all_done" | "any_succeeded" | "none_failed";
  readonly onFailure: "cancel_dependents" | "block_dependents" | "continue";
  /** A condition on the task as a whole: how one of its parents ended, or plainly false. */
  readonly when?: boolean | { readonly status: string; readonly is: string };
  /** Of a fan-out: for each item, whether the condition on it holds. */
  readonly items?: readonly boolean[];
  /** Calls in all, retries included. */
  readonly maxAttempts: number;
  /** A person has to sign before the call. */
  readonly gated: boolean;
  readonly seconds: number;
  /** Units of the plan's one pool. */
  readonly uses: number;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export interface ModelPlan {
  readonly tasks: readonly ModelTask[];
  readonly maxParallel: number;
  readonly pool: number;
}

/** A task, or one instance of a fan-out. */
interface Unit {
  readonly id: string;
  readonly task: ModelTask;
  readonly index: number;
  readonly group?: Unit;
  readonly instances?: Unit[];
  status: string;
  attempts: number;
  signed: boolean;
  /** Waits before its next attempt. */
  backoff: boolean;
}

const ENDS = ["succeeded", "failed", "cancelled", "skipped"];
const hasEnded = (unit: Unit | undefined): boolean => unit !== undefined && ENDS.includes(unit.status);

export class ReferenceModel {
  readonly #plan: ModelPlan;
  readonly #units = new Map<string, Unit>();
  readonly #rank = new Map<string, number>();
  #paused = false;
  #cancelled = false;
  #rejected = false;

  constructor(plan: ModelPlan) {
    this.#plan = plan;
    for (const [index, task] of plan.tasks.entries()) this.#units.set(task.id, unitOf(task.id, task, index));
    // Parents may stand anywhere in the plan: the longest path is found by trying until nothing grows.
    for (const task of plan.tasks) this.#rank.set(task.id, task.seconds);
    for (let round = 0; round < plan.tasks.length; round++) {
      for (const { id, parents } of plan.tasks) {
        for (const parent of parents) {
          const seconds = plan.tasks.find((task) => task.id === parent)?.seconds ?? 0;
          this.#rank.set(parent, Math.max(this.#rank.get(parent) ?? 0, seconds + (this.#rank.get(id) ?? 0)));
        }
      }
    }
    this.#settle();
  }

  get statuses(): Record<string, string> {
    return Object.fromEntries([...this.#units].map(([id, unit]) => [id, unit.status]));
  }

  get inFlight(): string[] {
    return this.#ids("dispatched");
  }

  get ended(): boolean {
    return [...this.#units.values()].every(hasEnded);
  }

  get outcome(): string | undefined {
    if (!this.ended) return undefined;
    if (this.#cancelled) return "cancelled";
    if (this.#rejected) return "rejected";
    const failed = this.#plan.tasks.some(
      ({ id, onFailure }) => this.#units.get(id)?.status === "failed" && onFailure !== "continue",
    );
    return failed ? "stop_terminal_failure" : "completed";
  }

  /** Every reason why a task whose dependencies are complete does not run. */
  holdsOf(id: string): string[] {
    const unit = this.#units.get(id);
    if (unit?.status === "awaiting_approval" || unit?.status === "blocked") return ["approval"];
    if (unit?.status !== "ready") return [];
    const holds = this.#obstacles(unit);
    if (this.#paused) holds.push("paused");
    if (unit.backoff) holds.push("backoff");
    return holds;
  }

  answer(id: string, how: "ok" | "retryable" | "terminal"): void {
    const unit = this.#unit(id, "dispatched");
    if (how === "ok") unit.status = "succeeded";
    else if (how === "terminal" || unit.attempts >= unit.task.maxAttempts) unit.status = "failed";
    else {
      unit.status = "ready";
      unit.backoff = true;
    }
    this.#settle();
  }

  /** A person decides: on the signature before a call, or on whether a blocked task may run all the same. */
  decide(id: string, approves: boolean): void {
    const unit = this.#units.get(id);
    if (unit?.status === "blocked") unit.status = approves ? "ready" : "cancelled";
    else {
      const asked = this.#unit(id, "awaiting_approval");
      asked.status = approves ? "ready" : "cancelled";
      asked.signed = true;
      this.#rejected ||= !approves;
    }
    this.#settle();
  }

  pass(): void {
    for (const unit of this.#units.values()) unit.backoff = false;
    this.#settle();
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    this.#settle();
  }

  cancel(): void {
    this.#cancelled = true;
    for (const unit of this.#units.values()) if (!hasEnded(unit)) unit.status = "cancelled";
  }

  #settle(): void {
    while ([...this.#units.values()].some((unit) => !hasEnded(unit) && this.#step(unit)));
    if (!this.#paused) this.#dispatch();
  }

  /** One step that needs no call; true where something has changed. */
  #step(unit: Unit): boolean {
    const before = unit.status;
    const { task, instances } = unit;
    if (before === "pending") {
      const parents = task.parents.map((parent) => this.#units.get(parent));
      if (parents.every(hasEnded)) unit.status = this.#joined(unit);
    } else if (before === "ready") {
      if (!this.#conditionHolds(unit)) unit.status = "skipped";
      else if (this.#paused) return false;
      else if (instances !== undefined) this.#expand(unit, instances);
      else if (task.gated && !unit.signed) unit.status = "awaiting_approval";
    } else if (before === "running" && instances?.every(hasEnded)) unit.status = groupEnd(instances);
    return unit.status !== before;
  }

  #joined({ task }: Unit): string {
    const ends = task.parents.map((id) => ({ status: this.#units.get(id)?.status, onFailure: this.#failure(id) }));
    const count = (status: string): number => ends.filter((end) => end.status === status).length;
    const runs = {
      all_succeeded: count("succeeded") === ends.length,
      none_failed: count("failed") + count("cancelled") === 0,
      any_succeeded: count("succeeded") > 0 || ends.length === 0,
      all_done: true,
    }[task.join];
    // A failure that its plan lets the run continue after is a failure all the same; it only skips, not cancels.
    if (runs) return "ready";
    const failed = (policy: string) => ends.some((end) => end.status === "failed" && end.onFailure === policy);
    if (failed("block_dependents")) return "blocked";
    return failed("cancel_dependents") || count("cancelled") > 0 ? "cancelled" : "skipped";
  }

  #failure(id: string): string | undefined {
    return this.#units.get(id)?.task.onFailure;
  }

  #conditionHolds({ task, group, index }: Unit): boolean {
    if (group !== undefined) return task.items?.[index] ?? false;
    if (task.when === undefined || typeof task.when === "boolean") return task.when ?? true;
    return this.#units.get(task.when.status)?.status === task.when.is;
  }

  #expand(group: Unit, instances: Unit[]): void {
    group.status = "running";
    for (const index of (group.task.items ?? []).keys()) {
      const unit: Unit = { ...unitOf(`${group.id}[${index}]`, group.task, index, group), status: "ready" };
      instances.push(unit);
      this.#units.set(unit.id, unit);
    }
  }

  /** Longest remaining path first; ties in the order of the plan, then of the list. What is held is passed over. */
  #dispatch(): void {
    const place = (unit: Unit): number => this.#plan.tasks.indexOf(unit.task);
    const rank = (unit: Unit): number => this.#rank.get(unit.task.id) ?? 0;
    const waiting = [...this.#units.values()].filter((unit) => unit.status === "ready" && !unit.backoff);
    waiting.sort((a, b) => rank(b) - rank(a) || place(a) - place(b) || a.index - b.index);
    for (const unit of waiting) {
      if (this.#obstacles(unit).length > 0) continue;
      unit.status = "dispatched";
      unit.attempts += 1;
    }
  }

  #obstacles({ task }: Unit): string[] {
    const running = [...this.#units.values()].filter((unit) => unit.status === "dispatched").map((unit) => unit.task);
    const used = running.reduce((sum, each) => sum + each.uses, 0);
    const clash = (other: ModelTask): boolean =>
      task.writes.some((resource) => [...other.reads, ...other.writes].includes(resource)) ||
      task.reads.some((resource) => other.writes.includes(resource));
    const obstacles: string[] = [];
    if (running.length >= this.#plan.maxParallel) obstacles.push("concurrency");
    if (task.uses > 0 && used + task.uses > this.#plan.pool) obstacles.push("pool");
    if (running.some(clash)) obstacles.push("resource_lock");
    return obstacles;
  }

  #ids(status: string): string[] {
    return [...this.#units.values()].filter((unit) => unit.status === status).map((unit) => unit.id);
  }

  #unit(id: string, status: string): Unit {
    const unit = this.#units.get(id);
    if (unit?.status !== status) throw new Error(`the model has ${id} as ${unit?.status}, not ${status}`);
    return unit;
  }
}

const unitOf = (id: string, task: ModelTask, index: number, group?: Unit): Unit => ({
  id,
  task,
  index,
  ...(group === undefined ? {} : { group }),
  ...(group === undefined && task.items !== undefined ? { instances: [] } : {}),
  status: "pending",
  attempts: 0,
  signed: false,
  backoff: false,
});

/** One failure fails a fan-out, else one cancellation cancels it; where every instance was skipped, so is it. */
function groupEnd(instances: readonly Unit[]): string {
  const some = (status: string): boolean => instances.some((unit) => unit.status === status);
  if (some("failed")) return "failed";
  if (some("cancelled")) return "cancelled";
  return instances.length > 0 && instances.every((unit) => unit.status === "skipped") ? "skipped" : "succeeded";
}
