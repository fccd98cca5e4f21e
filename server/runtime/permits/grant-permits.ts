import type { CallHolder } from "#kernel/run/status";
import type { Ceiling, Permit } from "./permit";

/** What becomes of a call that waits. */
export type Verdict =
  | { readonly id: string; readonly type: "granted" }
  | { readonly id: string; readonly type: "refused"; readonly ceiling: Ceiling }
  | { readonly id: string; readonly type: "waits"; readonly on: WaitsOn };

/** What a call waits for; `until` is the moment at which a rate limit has room again if nothing else happens. */
export type WaitsOn =
  | { readonly limit: "rate"; readonly until: number }
  | { readonly limit: "concurrency"; readonly of: number; readonly heldBy: readonly CallHolder[] }
  | { readonly limit: "lock"; readonly resource: string; readonly heldBy: CallHolder }
  | { readonly limit: "ceiling"; readonly ceiling: Ceiling };

/** Names of holders that a waiting call is told. */
const HOLDERS_TOLD_MAX = 5;

/**
 * Which of the waiting calls of a workspace may start now.
 *
 * Fair between runs: of the calls of one capability the next grant goes to the run that was served least (calls that
 * run, and starts that still count), then to the one that has waited longest; within a run the order in which it asked
 * is kept, which is its longest path first. A grant needs everything at once: concurrency, rate, every lock and every
 * ceiling; so nobody holds a part and waits for the rest.
 *
 * @param permits of one workspace, all states.
 * @param now epoch milliseconds on the database clock.
 */
export function grantPermits(permits: readonly Permit[], ceilings: readonly Ceiling[], now: number): Verdict[] {
  const book = new Book(permits, ceilings, now);
  const verdicts: Verdict[] = [];
  for (const queues of waitingByCapability(permits)) {
    for (let next = book.takeNext(queues); next !== undefined; next = book.takeNext(queues)) {
      verdicts.push(book.judge(next));
    }
  }
  return verdicts;
}

/** For each capability, the waiting calls of each run in order; capabilities by their longest waiter. */
function waitingByCapability(permits: readonly Permit[]): Permit[][][] {
  const byCapability = new Map<string, Map<string, Permit[]>>();
  const waiting = permits.filter((permit) => permit.state === "waiting").sort((a, b) => a.wantedAt - b.wantedAt);
  for (const permit of waiting) {
    const runs = byCapability.get(permit.demand.capability) ?? new Map<string, Permit[]>();
    byCapability.set(permit.demand.capability, runs);
    runs.set(permit.runId, [...(runs.get(permit.runId) ?? []), permit]);
  }
  return [...byCapability.values()].map((runs) => [...runs.values()]);
}

class Book {
  readonly #now: number;
  readonly #running = new Map<string, Permit[]>();
  readonly #starts = new Map<string, number[]>();
  readonly #served = new Map<string, number>();
  readonly #locks = new Map<string, Permit>();
  readonly #ceilings: readonly Ceiling[];
  readonly #reserved = new Map<string, number>();

  constructor(permits: readonly Permit[], ceilings: readonly Ceiling[], now: number) {
    this.#now = now;
    this.#ceilings = ceilings;
    for (const permit of permits) if (permit.state !== "waiting") this.#count(permit, permit.startedAt ?? now);
  }

  #count(permit: Permit, startedAt: number): void {
    const { capability, locks, rateLimit } = permit.demand;
    const counts = rateLimit !== undefined && startedAt > this.#now - rateLimit.perSeconds * 1_000;
    if (permit.state === "over" && !counts) return;
    const served = servedKey(permit);
    this.#served.set(served, (this.#served.get(served) ?? 0) + 1);
    if (counts) this.#starts.set(capability, [...(this.#starts.get(capability) ?? []), startedAt]);
    if (permit.state === "over") return;
    this.#running.set(capability, [...(this.#running.get(capability) ?? []), permit]);
    for (const resource of locks) this.#locks.set(resource, permit);
  }

  /** Takes the first call of the run that was served least out of its queue. */
  takeNext(queues: readonly Permit[][]): Permit | undefined {
    let best: Permit[] | undefined;
    for (const queue of queues) {
      const [first] = queue;
      if (first === undefined) continue;
      const [leader] = best ?? [];
      if (leader === undefined || this.#isBefore(first, leader)) best = queue;
    }
    return best?.shift();
  }

  #isBefore(a: Permit, b: Permit): boolean {
    const [servedA, servedB] = [this.#served.get(servedKey(a)) ?? 0, this.#served.get(servedKey(b)) ?? 0];
    return servedA === servedB ? a.wantedAt < b.wantedAt : servedA < servedB;
  }

  judge(permit: Permit): Verdict {
    const { id } = permit;
    const ceiling = this.#tightest(permit);
    if (ceiling?.final === true) return { id, type: "refused", ceiling: ceiling.ceiling };
    const on = this.#waitsOn(permit) ?? (ceiling && ({ limit: "ceiling", ceiling: ceiling.ceiling } as const));
    if (on !== undefined) return { id, type: "waits", on };
    this.#count({ ...permit, state: "granted" }, this.#now);
    for (const each of this.#ceilings) this.#reserve(each, amountFor(each, permit));
    return { id, type: "granted" };
  }

  #waitsOn({ demand }: Permit): WaitsOn | undefined {
    const { capability, concurrency, rateLimit, locks } = demand;
    const running = this.#running.get(capability) ?? [];
    if (concurrency !== undefined && running.length >= concurrency) {
      return { limit: "concurrency", of: concurrency, heldBy: running.slice(0, HOLDERS_TOLD_MAX).map(holderOf) };
    }
    const starts = this.#starts.get(capability) ?? [];
    if (rateLimit !== undefined && starts.length >= rateLimit.calls) {
      const next = [...starts].sort((a, b) => a - b)[starts.length - rateLimit.calls] ?? this.#now;
      return { limit: "rate", until: next + rateLimit.perSeconds * 1_000 };
    }
    for (const resource of locks) {
      const holder = this.#locks.get(resource);
      if (holder !== undefined) return { limit: "lock", resource, heldBy: holderOf(holder) };
    }
    return undefined;
  }

  /** The ceiling that has no room for the call: one that waiting cannot help before one that it can. */
  #tightest(permit: Permit): { ceiling: Ceiling; final: boolean } | undefined {
    let waits: Ceiling | undefined;
    for (const ceiling of this.#ceilings) {
      const amount = amountFor(ceiling, permit);
      if (amount === undefined) continue;
      if (!hasRoom(ceiling.limit, ceiling.spent, amount)) return { ceiling, final: true };
      const taken = ceiling.spent + ceiling.reserved + (this.#reserved.get(ceiling.id) ?? 0);
      if (!hasRoom(ceiling.limit, taken, amount)) waits ??= ceiling;
    }
    return waits && { ceiling: waits, final: false };
  }

  #reserve(ceiling: Ceiling, amount: number | undefined): void {
    if (amount !== undefined) this.#reserved.set(ceiling.id, (this.#reserved.get(ceiling.id) ?? 0) + amount);
  }
}

/** The most that a call charges to a ceiling; undefined where the ceiling does not count it. */
export function amountFor(
  { personId, budget }: Ceiling,
  permit: Pick<Permit, "personId" | "demand">,
): number | undefined {
  if (personId !== undefined && personId !== permit.personId) return undefined;
  return permit.demand.charges.find(([name]) => name === budget)?.[1];
}

const servedKey = ({ runId, demand }: Permit): string => `${demand.capability} ${runId}`;
const holderOf = ({ runId, taskId }: Permit): CallHolder => ({ runId, taskId });

/** Ten calls of 0.1 are 1, whatever binary fractions make of it. What may cost nothing still needs a limit not reached. */
export const hasRoom = (limit: number, used: number, amount: number): boolean =>
  amount > 0 ? used + amount <= limit * (1 + 1e-9) : used < limit * (1 - 1e-9);
