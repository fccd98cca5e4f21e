import type { Plan } from "#kernel/plan/plan";

/**
 * Saves a draft a moment after the last edit, and at least every few seconds while edits go on, so that at most
 * {@link MAX_WAIT_MS} of work is only in this tab. Never two saves at once: each names the revision it continues,
 * and a stranger's revision stops it with a conflict instead of overwriting.
 */
export type SaveStatus =
  | { readonly status: "saved"; readonly at: number | undefined }
  | { readonly status: "unsaved" }
  | { readonly status: "saving" }
  /** The server did not answer or failed; it is tried again. */
  | { readonly status: "retrying"; readonly message: string }
  /** Somebody, or another tab, saved in the meantime. */
  | { readonly status: "conflict" }
  /** The server will not have it: not signed in any more, or not a plan. Trying again would not help. */
  | { readonly status: "refused"; readonly message: string };

export interface DraftWrite {
  readonly plan: Plan;
  readonly baseVersion: number;
  /** Null for the first write. */
  readonly expectedRevision: number | null;
}

export type DraftAnswer =
  | { readonly ok: true; readonly revision: number; readonly updatedAt: number }
  | { readonly ok: false; readonly reason: "conflict" | "unreachable" | "refused"; readonly message: string };

export interface DraftPorts {
  readonly save: (write: DraftWrite) => Promise<DraftAnswer>;
  /** Keeps a copy in this browser, against a crash; undefined clears it. */
  readonly keep: (write: DraftWrite | undefined) => void;
  readonly schedule: (run: () => void, delayMs: number) => () => void;
  readonly now: () => number;
}

const QUIET_MS = 700;
export const MAX_WAIT_MS = 3_000;
const RETRY_MS = 2_500;

export interface DraftStart {
  readonly plan: Plan;
  readonly baseVersion: number;
  readonly revision: number | null;
  readonly savedAt?: number;
}

export class DraftSaver {
  #ports: DraftPorts;
  #saved: Plan;
  #latest: Plan;
  #baseVersion: number;
  #revision: number | null;
  #status: SaveStatus;
  #cancelTimer: (() => void) | undefined;
  #dirtySince: number | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(start: DraftStart, ports: DraftPorts) {
    this.#ports = ports;
    this.#saved = start.plan;
    this.#latest = start.plan;
    this.#baseVersion = start.baseVersion;
    this.#revision = start.revision;
    this.#status = { status: "saved", at: start.savedAt };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly status = (): SaveStatus => this.#status;

  /** The version the work builds on: what saving a new one names. */
  readonly baseVersion = (): number => this.#baseVersion;

  /** The plan changed. The same object again is no change. */
  change(plan: Plan): void {
    if (plan === this.#latest) return;
    this.#latest = plan;
    this.#dirtySince ??= this.#ports.now();
    this.#ports.keep(this.#write());
    if (this.#status.status === "conflict" || this.#status.status === "refused") return;
    if (this.#status.status === "saving") return;
    this.#set({ status: "unsaved" });
    const waited = this.#ports.now() - this.#dirtySince;
    this.#saveIn(Math.max(0, Math.min(QUIET_MS, MAX_WAIT_MS - waited)));
  }

  /** Saves now what is not saved; resolves when it is, or when it cannot be. */
  async flush(): Promise<boolean> {
    this.#cancelTimer?.();
    if (this.#status.status === "conflict") return false;
    if (this.#latest !== this.#saved) await this.#save();
    return this.#latest === this.#saved;
  }

  /** A version was saved from this plan: it is the new base, and the draft on the server is gone. */
  rebase(plan: Plan, baseVersion: number): void {
    this.#saved = plan;
    this.#baseVersion = baseVersion;
    this.#revision = null;
    this.#dirtySince = undefined;
    this.#cancelTimer?.();
    if (this.#latest === plan) this.#ports.keep(undefined);
    this.#set({ status: "saved", at: this.#ports.now() });
    if (this.#latest !== plan) this.change(Object.assign({}, this.#latest));
  }

  /** After a conflict: this work goes on from what the other side has, and replaces it with the next save. */
  resolve(current: { readonly revision: number | null; readonly baseVersion: number }): void {
    this.#revision = current.revision;
    this.#baseVersion = current.baseVersion;
    this.#dirtySince = this.#ports.now();
    this.#set({ status: "unsaved" });
    this.#saveIn(0);
  }

  /** Nothing is scheduled any more; what is unsaved stays kept in this browser. */
  stop(): void {
    this.#cancelTimer?.();
  }

  #write(): DraftWrite {
    return { plan: this.#latest, baseVersion: this.#baseVersion, expectedRevision: this.#revision };
  }

  #saveIn(delayMs: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#ports.schedule(() => void this.#save(), delayMs);
  }

  async #save(): Promise<void> {
    if (this.#status.status === "saving") return;
    const write = this.#write();
    this.#set({ status: "saving" });
    const answer = await this.#ports.save(write);
    if (!answer.ok) {
      this.#fail(answer);
      return;
    }
    this.#saved = write.plan;
    this.#revision = answer.revision;
    if (this.#latest === write.plan) {
      this.#dirtySince = undefined;
      this.#ports.keep(undefined);
      this.#set({ status: "saved", at: answer.updatedAt });
      return;
    }
    this.#dirtySince = this.#ports.now();
    this.#ports.keep(this.#write());
    this.#set({ status: "unsaved" });
    this.#saveIn(QUIET_MS);
  }

  #fail(answer: DraftAnswer & { readonly ok: false }): void {
    switch (answer.reason) {
      case "conflict":
        this.#set({ status: "conflict" });
        return;
      case "refused":
        this.#set({ status: "refused", message: answer.message });
        return;
      case "unreachable":
        this.#set({ status: "retrying", message: answer.message });
        this.#saveIn(RETRY_MS);
    }
  }

  #set(status: SaveStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}
