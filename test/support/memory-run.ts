import type { JsonValue } from "#kernel/json";
import type { NewRunEvent, RunEvent } from "#kernel/run/event";
import type { AppendOutcome, Artifacts, EventLog, Lease, Leases, Wakeups } from "../../server/runtime/ports";

/** Where a simulated process dies: just before or just after its n-th append is durable. */
export interface CrashPoint {
  readonly append: number;
  readonly when: "before" | "after";
}

/**
 * One run kept in memory, behind the ports of the controller, with the fences of the real store: an append names the
 * epoch and the last `seq` it has seen. Events pass through JSON, as they do in a database.
 */
export class MemoryRun implements EventLog, Leases, Wakeups, Artifacts {
  readonly events: RunEvent[] = [];
  readonly batches: number[] = [];
  readonly outputs = new Map<string, JsonValue>();
  /** The timer that the last owner left behind. */
  wakeAt: number | undefined;
  crashAt: CrashPoint | undefined;
  /** The next append fails without an answer, before or after its events are durable. */
  failNext: CrashPoint["when"] | undefined;
  /** Appends wait for this promise before they become durable. */
  hold: Promise<void> | undefined;
  #epoch = 0;
  #owned = false;
  #appends = 0;
  #lost = new AbortController();
  readonly #listeners = new Set<() => void>();

  constructor(opening: readonly NewRunEvent[]) {
    for (const event of opening) this.#push(event);
  }

  get finished(): boolean {
    return this.events.some((event) => event.type === "run_finished");
  }

  get owned(): boolean {
    return this.#owned;
  }

  async acquire(runId: string): Promise<Lease | undefined> {
    if (this.#owned || this.finished) return undefined;
    this.#owned = true;
    this.#epoch += 1;
    this.#lost = new AbortController();
    return { runId, workspaceId: "workspace-1", epoch: this.#epoch, lost: this.#lost.signal };
  }

  async release(lease: Lease, seenSeq: number, wakeAt?: number): Promise<boolean> {
    if (lease.epoch !== this.#epoch) return true;
    if (seenSeq !== this.events.length) return false;
    this.#owned = false;
    this.wakeAt = wakeAt;
    return true;
  }

  /** The owner is taken to be dead, or asleep: whoever acquires next fences it out. */
  expire({ tell = false }: { tell?: boolean } = {}): void {
    this.#owned = false;
    this.#epoch += 1;
    if (tell) this.#lost.abort();
  }

  async append(lease: Lease, expectedSeq: number, events: readonly NewRunEvent[]): Promise<AppendOutcome> {
    const number = this.#appends++;
    await (this.hold ?? Promise.resolve());
    if (this.#crashes(number, "before")) return new Promise(() => {});
    const failing = this.failNext;
    this.failNext = undefined;
    if (failing === "before") throw new Error("The connection is gone.");
    if (lease.epoch !== this.#epoch) return { status: "fenced" };
    if (expectedSeq !== this.events.length) return { status: "conflict", lastSeq: this.events.length };
    for (const event of events) this.#push(event);
    this.batches.push(events.length);
    if (failing === "after") throw new Error("The connection is gone.");
    if (this.#crashes(number, "after")) return new Promise(() => {});
    return { status: "appended", lastSeq: this.events.length };
  }

  async read(_runId: string, afterSeq = 0): Promise<readonly RunEvent[]> {
    return this.events.slice(afterSeq);
  }

  onNews(_runId: string, listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What a person appends through the API; the owner hears of it. */
  submit(...events: readonly NewRunEvent[]): void {
    for (const event of events) this.#push(event);
    for (const listener of this.#listeners) listener();
  }

  async put(artifact: { taskId: string; attempt: number; output: JsonValue }): Promise<string> {
    const key = `artifact-${artifact.taskId}-${artifact.attempt}`;
    this.outputs.set(key, artifact.output);
    return key;
  }

  async get(_runId: string, key: string): Promise<JsonValue | undefined> {
    return this.outputs.get(key);
  }

  typesOf(taskId: string): string[] {
    return this.events.filter((event) => "taskId" in event && event.taskId === taskId).map((event) => event.type);
  }

  #crashes(append: number, when: CrashPoint["when"]): boolean {
    if (this.crashAt?.append !== append || this.crashAt.when !== when) return false;
    this.crashAt = undefined;
    this.#listeners.clear();
    this.expire();
    return true;
  }

  #push(event: NewRunEvent): void {
    this.events.push({ ...(JSON.parse(JSON.stringify(event)) as NewRunEvent), seq: this.events.length + 1 });
  }
}
