import type { Lease } from "../runtime/ports";

/** A lease of this process, with what the store needs beside what the driver sees. */
export interface HeldLease extends Lease {
  readonly runKey: string;
  readonly workspaceId: string;
  readonly lost: AbortSignal;
  readonly isLive: () => boolean;
}

interface Entry {
  readonly lease: HeldLease;
  readonly controller: AbortController;
  /** When the lease was last extended, on this process's monotonic clock: no wall clock decides about renewal. */
  extendedAt: number;
  /** The last `seq` that this process knows to be in the log; 0: none yet. */
  knownSeq: number;
  /** The run has ended: the lease covers late observations, and needs neither renewal nor release. */
  finished: boolean;
}

/** The runs this process drives. */
export class HeldLeases {
  readonly #entries = new Map<string, Entry>();
  readonly #leaseMs: number;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  add(lease: Omit<HeldLease, "lost" | "isLive">, now: number): HeldLease {
    this.#entries.get(lease.runId)?.controller.abort();
    const controller = new AbortController();
    // Counted from before the statement was sent, so it ends here before it ends in the database.
    const isLive = (): boolean => performance.now() < entry.extendedAt + this.#leaseMs;
    const held: HeldLease = { ...lease, lost: controller.signal, isLive };
    const entry: Entry = { lease: held, controller, extendedAt: now, knownSeq: 0, finished: false };
    this.#entries.set(lease.runId, entry);
    return held;
  }

  /** The lease, if it is the one this process holds now. */
  find(lease: Lease): HeldLease | undefined {
    const held = this.#entries.get(lease.runId)?.lease;
    return held?.epoch === lease.epoch ? held : undefined;
  }

  extended(lease: Lease, now: number): void {
    const entry = this.#entries.get(lease.runId);
    if (entry?.lease.epoch === lease.epoch) entry.extendedAt = now;
  }

  /** Takes in where a run's log ends. True: further than this process knew, so somebody else appended. */
  learn(lease: Lease, seq: number): boolean {
    const entry = this.#entries.get(lease.runId);
    if (entry?.lease.epoch !== lease.epoch || seq <= entry.knownSeq) return false;
    entry.knownSeq = seq;
    return true;
  }

  finish(lease: Lease): void {
    const entry = this.#entries.get(lease.runId);
    if (entry?.lease.epoch === lease.epoch) entry.finished = true;
  }

  /** True for a lease of a run that has ended under it. */
  isFinished(lease: Lease): boolean {
    return this.#entries.get(lease.runId)?.finished === true;
  }

  /** Forgets a lease that was given back. */
  drop(lease: Lease): void {
    if (this.find(lease) !== undefined) this.#entries.delete(lease.runId);
  }

  /** Forgets a lease that somebody else took, and tells its driver. */
  lose(lease: Lease): void {
    const entry = this.#entries.get(lease.runId);
    if (entry?.lease.epoch !== lease.epoch) return;
    this.#entries.delete(lease.runId);
    entry.controller.abort();
  }

  /** Leases not extended since `time`. */
  extendedBefore(time: number): readonly HeldLease[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.extendedAt < time && !entry.finished)
      .map((entry) => entry.lease);
  }

  all(): readonly HeldLease[] {
    return [...this.#entries.values()].map((entry) => entry.lease);
  }
}
