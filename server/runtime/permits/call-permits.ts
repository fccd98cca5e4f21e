import { randomUUID } from "node:crypto";
import type { Observation } from "#kernel/capability/observation";
import type { Admission, CallDemand } from "#kernel/run/call-demand";
import type { Hold } from "#kernel/run/status";
import type { Clock, Timers } from "../ports";
import { ceilingMessage, ceilingName } from "./ceiling-words";
import type { Verdict, WaitsOn } from "./grant-permits";
import { amountFor } from "./grant-permits";
import type { Ceiling } from "./permit";
import type { PermitAsk, PermitBook, PermitEnd } from "./permit-book";

/** The run a call belongs to. */
export interface PermitRun {
  readonly runId: string;
  readonly workspaceId: string;
  readonly personId?: string;
}

/** A permit whose call has been decided on. */
export interface UsedPermit {
  /** The call has ended: when it started in truth, and what it used. */
  ended(startedAt: number, usage?: Observation["usage"]): void;
  /** The call was never made. */
  unused(): void;
}

/**
 * asked ─ the book has it ─▶ waiting ─▶ granted ─ its call starts ─▶ used ─ the call ends ─▶ gone
 * asked, waiting, granted ─ its run does not want it any more ─▶ gone;  waiting ─▶ refused, by a ceiling
 */
interface Entry {
  readonly ask: PermitAsk;
  state: "asked" | "waiting" | "granted" | "used" | "refused";
  hold?: Hold;
  refusal?: Ceiling;
}

interface KnownCeilings {
  /** A later reading knows more, whichever comes back first. */
  readonly reading: number;
  readonly at: number;
  readonly list: readonly Ceiling[];
}

/** A workspace whose calls this process has permits for, or waits for. */
interface Desk {
  readonly entries: Map<string, Entry>;
  readonly withdrawn: string[];
  ended: PermitEnd[];
  exchanging: boolean;
  /** Something is to be told to the book, or asked of it. */
  due: boolean;
  callOff: (() => void) | undefined;
}

/** Calls of one run and capability that wait at once: more would only lengthen the book. */
const WAITING_MAX = 24;
/** While a process has permits it talks to the book this often, which keeps them alive and finds what was missed. */
const BEAT_MS = 1_000;
/** Ceilings are read again after this long, and at once when one was changed. */
const CEILINGS_KEPT_MS = 10_000;

/**
 * The permits of this process's calls. A call under no limit over runs needs none: it is admitted here and costs
 * nothing. Any other is asked for in the book and held until it is granted; whoever waits is told when that may be.
 */
export class CallPermits {
  readonly #book: PermitBook;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #onError: (error: unknown) => void;
  readonly #desks = new Map<string, Desk>();
  readonly #ceilings = new Map<string, KnownCeilings>();
  readonly #listeners = new Set<() => void>();
  #readings = 0;
  #news = 0;
  /** Ceilings are being read again; `stale`: something was changed since that began. */
  #refreshing = false;
  #stale = false;
  #closed = false;

  constructor(given: {
    readonly book: PermitBook;
    readonly clock: Clock;
    readonly timers: Timers;
    readonly onError: (error: unknown) => void;
  }) {
    this.#book = given.book;
    this.#clock = given.clock;
    this.#timers = given.timers;
    this.#onError = given.onError;
    this.#book.onNews(() => this.#newsArrived());
    this.#book.onCeilings(() => this.#ceilingsChanged());
  }

  /** Calls `listener` when a waiting call may have been granted or refused. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Knows the workspace's ceilings once settled; a driver waits for it before it decides for the first time. */
  async prepare(workspaceId: string): Promise<void> {
    const known = this.#ceilings.get(workspaceId);
    if (known !== undefined && this.#clock.now() - known.at < CEILINGS_KEPT_MS) return;
    const news = this.#news;
    await this.#readCeilings(workspaceId);
    // News that came before the workspace was known here had nobody to be for.
    if (known === undefined && news !== this.#news) await this.#readCeilings(workspaceId);
  }

  async #readCeilings(workspaceId: string): Promise<void> {
    const reading = ++this.#readings;
    const at = this.#clock.now();
    const list = await this.#book.ceilings(workspaceId);
    const known = this.#ceilings.get(workspaceId);
    if (known === undefined || known.reading < reading) this.#ceilings.set(workspaceId, { reading, at, list });
  }

  /** Whether the call may start now. Asking for one that has to wait puts it into the book. */
  admit(run: PermitRun, taskId: string, demand: CallDemand): Admission {
    const needed = this.#needed(run, demand);
    const key = keyOf(run.runId, taskId);
    const desk = this.#desks.get(run.workspaceId);
    const entry = desk?.entries.get(key);
    if (needed === undefined) return { type: "admitted" };
    if (entry === undefined) return this.#ask(run, taskId, needed);
    if (entry.state === "granted" || entry.state === "used") return { type: "admitted" };
    if (entry.refusal !== undefined) {
      const budget = ceilingName(entry.refusal);
      return { type: "refused", refusal: { budget, message: ceilingMessage(entry.refusal, needed), final: true } };
    }
    return { type: "held", hold: entry.hold ?? firstHold(needed) };
  }

  /** The part of a demand that somebody limits; undefined where nobody does. */
  #needed(run: PermitRun, demand: CallDemand): CallDemand | undefined {
    const ceilings = this.#ceilings.get(run.workspaceId)?.list ?? [];
    const counted = (name: string): boolean =>
      ceilings.some((each) => each.budget === name && amountFor(each, { ...run, demand }) !== undefined);
    const charges = ceilings.length === 0 ? [] : demand.charges.filter(([name]) => counted(name));
    const { concurrency, rateLimit, locks } = demand;
    if (concurrency === undefined && rateLimit === undefined && locks.length === 0 && charges.length === 0)
      return undefined;
    return { ...demand, charges };
  }

  #ask(run: PermitRun, taskId: string, demand: CallDemand): Admission {
    const desk = this.#deskOf(run.workspaceId);
    let waiting = 0;
    for (const { ask, state } of desk.entries.values()) {
      if (ask.runId === run.runId && ask.demand.capability === demand.capability && state !== "used") waiting += 1;
    }
    if (waiting < WAITING_MAX) {
      const { runId, personId } = run;
      const ask = { id: randomUUID(), runId, taskId, demand, ...(personId !== undefined && { personId }) };
      desk.entries.set(keyOf(runId, taskId), { ask, state: "asked" });
      this.#exchangeSoon(run.workspaceId, desk);
    }
    return { type: "held", hold: firstHold(demand) };
  }

  /** The call is about to start: its permit is no longer given back with those that were not asked for again. */
  use(run: PermitRun, taskId: string): UsedPermit | undefined {
    const desk = this.#desks.get(run.workspaceId);
    const key = keyOf(run.runId, taskId);
    const entry = desk?.entries.get(key);
    if (desk === undefined || entry === undefined) return undefined;
    entry.state = "used";
    const close = (): void => {
      if (desk.entries.get(key) === entry) desk.entries.delete(key);
      this.#exchangeSoon(run.workspaceId, desk);
    };
    return {
      ended: (startedAt, usage) => {
        desk.ended.push({ id: entry.ask.id, startedAt, ...(usage !== undefined && { usage }) });
        close();
      },
      unused: () => {
        desk.withdrawn.push(entry.ask.id);
        close();
      },
    };
  }

  /** Gives back what the run has asked for and does not want now; all but calls that run, where `wanted` is empty. */
  keepOnly(run: PermitRun, wanted: ReadonlySet<string>): void {
    const desk = this.#desks.get(run.workspaceId);
    if (desk === undefined) return;
    for (const [key, { ask, state }] of desk.entries) {
      if (ask.runId !== run.runId || state === "used" || wanted.has(ask.taskId)) continue;
      desk.entries.delete(key);
      desk.withdrawn.push(ask.id);
      this.#exchangeSoon(run.workspaceId, desk);
    }
  }

  /** Tells the book what it has not heard yet, then says nothing more; what is left dies with this process. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const [workspaceId, desk] of this.#desks) {
      desk.callOff?.();
      desk.due = desk.withdrawn.length > 0 || desk.ended.length > 0;
      await this.#exchange(workspaceId, desk);
    }
    this.#desks.clear();
  }

  #deskOf(workspaceId: string): Desk {
    const known = this.#desks.get(workspaceId);
    if (known !== undefined) return known;
    const desk: Desk = {
      entries: new Map(),
      withdrawn: [],
      ended: [],
      exchanging: false,
      due: false,
      callOff: undefined,
    };
    this.#desks.set(workspaceId, desk);
    return desk;
  }

  #exchangeSoon(workspaceId: string, desk: Desk): void {
    desk.due = true;
    this.#desks.set(workspaceId, desk);
    // What is asked for in one pass of a driver goes into one exchange.
    if (!desk.exchanging) queueMicrotask(() => this.#exchange(workspaceId, desk));
  }

  async #exchange(workspaceId: string, desk: Desk): Promise<void> {
    if (desk.exchanging || !desk.due) return;
    desk.exchanging = true;
    desk.due = false;
    desk.callOff?.();
    const asked = [...desk.entries.values()].filter(({ state }) => state === "asked");
    const withdrawn = desk.withdrawn.splice(0);
    const ended = desk.ended.splice(0);
    for (const entry of asked) entry.state = "waiting";
    try {
      const verdicts = await this.#book.exchange(workspaceId, { asks: asked.map(({ ask }) => ask), withdrawn, ended });
      this.#apply(desk, verdicts);
    } catch (error) {
      this.#onError(error);
      // Told again at the next beat: the book takes what it knows already for what it is.
      for (const entry of asked) if (entry.state === "waiting") entry.state = "asked";
      desk.withdrawn.push(...withdrawn);
      desk.ended.push(...ended);
    }
    desk.exchanging = false;
    if (this.#closed) return;
    if (desk.due) this.#exchangeSoon(workspaceId, desk);
    else this.#beatLater(workspaceId, desk);
  }

  #apply(desk: Desk, verdicts: readonly Verdict[]): void {
    const told = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
    let changed = false;
    for (const entry of desk.entries.values()) {
      if (entry.state !== "waiting" && entry.state !== "granted") continue;
      const verdict = told.get(entry.ask.id);
      if (verdict === undefined) {
        entry.state = "asked";
        desk.due = true;
      } else if (verdict.type === "granted") {
        changed ||= entry.state !== "granted";
        entry.state = "granted";
      } else if (verdict.type === "refused") {
        changed = true;
        entry.refusal = verdict.ceiling;
      } else {
        entry.hold = holdOf(verdict.on, entry.ask.demand.capability);
      }
    }
    if (changed) this.#tell();
  }

  #beatLater(workspaceId: string, desk: Desk): void {
    if (desk.entries.size === 0 && desk.withdrawn.length === 0 && desk.ended.length === 0) {
      this.#desks.delete(workspaceId);
      return;
    }
    const now = this.#clock.now();
    let next = BEAT_MS;
    for (const { hold } of desk.entries.values()) {
      if (hold?.type === "rate_limit" && hold.until !== undefined) next = Math.min(next, Math.max(1, hold.until - now));
    }
    desk.callOff = this.#timers.after(next, () => {
      desk.due = true;
      void this.#exchange(workspaceId, desk);
    });
  }

  #newsArrived(): void {
    for (const [workspaceId, desk] of this.#desks) this.#exchangeSoon(workspaceId, desk);
    this.#tell();
  }

  #ceilingsChanged(): void {
    this.#news += 1;
    void this.#refreshCeilings();
    this.#newsArrived();
  }

  /**
   * Reads the ceilings of every workspace again that runs are driven in, also where no call waits. What was known holds
   * until then: with nothing known a call under a ceiling would pass without a permit. However much news comes, one
   * workspace is read at a time.
   */
  async #refreshCeilings(): Promise<void> {
    this.#stale = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    while (this.#stale && !this.#closed) {
      this.#stale = false;
      for (const workspaceId of [...this.#ceilings.keys()]) {
        await this.#readCeilings(workspaceId).catch(this.#onError);
      }
      this.#tell();
    }
    this.#refreshing = false;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const keyOf = (runId: string, taskId: string): string => `${runId} ${taskId}`;

/** What a call is taken to wait for until the book has answered. */
function firstHold({ concurrency, rateLimit, locks, capability }: CallDemand): Hold {
  if (concurrency !== undefined) return { type: "concurrency", limit: concurrency, capability };
  const [resource] = locks;
  if (rateLimit === undefined && resource !== undefined) return { type: "resource_lock", resource, byTaskId: "" };
  return { type: "rate_limit", capability };
}

/** What a call waits for, as the screens name it. */
export function holdOf(on: WaitsOn, capability: string): Hold {
  switch (on.limit) {
    case "rate":
      return { type: "rate_limit", until: on.until, capability };
    case "concurrency":
      return { type: "concurrency", limit: on.of, capability, heldBy: on.heldBy };
    case "lock":
      return { type: "resource_lock", resource: on.resource, byTaskId: on.heldBy.taskId, byRunId: on.heldBy.runId };
    case "ceiling":
      return { type: "budget", budget: ceilingName(on.ceiling) };
  }
}
