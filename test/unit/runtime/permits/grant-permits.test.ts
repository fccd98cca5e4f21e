import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grantPermits } from "../../../../server/runtime/permits/grant-permits";
import type { Ceiling, Permit } from "../../../../server/runtime/permits/permit";

let count = 0;
const permit = (runId: string, more: Partial<Permit> & Partial<Permit["demand"]> = {}): Permit => {
  const { concurrency, rateLimit, locks = [], charges = [], capability = "c@1", ...rest } = more;
  const demand = { capability, locks, charges, ...(concurrency && { concurrency }), ...(rateLimit && { rateLimit }) };
  count += 1;
  return {
    id: `p${count}`,
    runId,
    taskId: `t${count}`,
    owner: "w",
    state: "waiting",
    wantedAt: count,
    ...rest,
    demand,
  };
};
const ceiling = (more: Partial<Ceiling>): Ceiling => ({
  id: "c",
  period: "day",
  budget: "toolCalls",
  limit: 10,
  spent: 0,
  reserved: 0,
  ...more,
});
const granted = (permits: readonly Permit[], ceilings: readonly Ceiling[] = [], now = 1_000) => {
  const ids = new Set(grantPermits(permits, ceilings, now).flatMap((each) => (each.type === "granted" ? each.id : [])));
  return permits.filter(({ id }) => ids.has(id));
};
const runsOf = (permits: readonly Permit[]) => permits.map(({ runId }) => runId);

describe("permits over all runs", () => {
  it("never grants more than a capability's concurrency, counting what runs anywhere", () => {
    const running = permit("a", { concurrency: 3, state: "granted" });
    const waiting = Array.from({ length: 9 }, () => permit("b", { concurrency: 3 }));
    expect(granted([running, ...waiting])).toHaveLength(2);
  });

  it("shares the slots between runs, however many calls one of them has waiting first", () => {
    const crowd = Array.from({ length: 50 }, () => permit("crowd", { concurrency: 4 }));
    const late = Array.from({ length: 2 }, () => permit("late", { concurrency: 4 }));
    expect(runsOf(granted([...crowd, ...late])).sort()).toEqual(["crowd", "crowd", "late", "late"]);
  });

  it("keeps the order in which a run asked, since that is its longest path first", () => {
    const first = permit("a", { concurrency: 1 });
    expect(granted([permit("a", { concurrency: 1, wantedAt: first.wantedAt + 5 }), first])).toEqual([first]);
  });

  it("keeps to a rate limit in every window, and says when there is room again", () => {
    const rateLimit = { calls: 2, perSeconds: 1 };
    const old = permit("a", { rateLimit, state: "over", startedAt: 0 });
    const recent = permit("a", { rateLimit, state: "over", startedAt: 600 });
    const [one, two] = [permit("b", { rateLimit }), permit("b", { rateLimit })];
    expect(granted([old, recent, one, two])).toEqual([one]);
    const verdict = grantPermits([old, recent, one, two], [], 1_000).find(({ id }) => id === two.id);
    expect(verdict).toMatchObject({ type: "waits", on: { limit: "rate", until: 1_600 } });
  });

  it("lets one call at a time write a resource, and tells the others who does", () => {
    const holder = permit("a", { locks: ["file:x"], state: "granted" });
    const [waits, free] = [permit("b", { locks: ["file:x"] }), permit("b", { locks: ["file:y"], capability: "d@1" })];
    expect(granted([holder, waits, free])).toEqual([free]);
    expect(grantPermits([holder, waits], [], 1_000)[0]).toMatchObject({
      on: { limit: "lock", resource: "file:x", heldBy: { runId: "a", taskId: holder.taskId } },
    });
  });

  it("refuses what a ceiling can never allow, and lets wait what calls in progress may give back", () => {
    const charges = [["costUsd", 1]] as const;
    const call = permit("a", { charges });
    const of = (more: Partial<Ceiling>) => grantPermits([call], [ceiling({ budget: "costUsd", ...more })], 0)[0];
    expect(of({ limit: 1 })?.type).toBe("granted");
    expect(of({ limit: 1, reserved: 0.5 })?.type).toBe("waits");
    expect(of({ limit: 1, spent: 0.5 })?.type).toBe("refused");
    expect(of({ limit: 0.5, budget: "tokens" })?.type).toBe("granted");
  });

  it("counts a person's ceiling for that person's runs alone", () => {
    const charges = [["toolCalls", 1]] as const;
    const mine = permit("a", { charges, personId: "ann" });
    const other = permit("b", { charges, personId: "bob" });
    expect(granted([mine, other], [ceiling({ personId: "ann", limit: 0 })])).toEqual([other]);
  });

  it("exceeds no limit and leaves no slot idle that somebody waits for, whatever is in the book", () => {
    const states = fc.constantFrom<Permit["state"]>("waiting", "granted");
    const entry = fc.record({
      run: fc.constantFrom("a", "b", "c"),
      state: states,
      capability: fc.constantFrom("x@1", "y@1"),
      lock: fc.constantFrom("", "r", "s"),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (entries, concurrency) => {
        const used = new Map<string, number>();
        const locks = new Set<string>();
        const permits = entries.flatMap(({ run, state, capability, lock }) => {
          const wanted = lock === "" ? [] : [lock];
          if (state === "granted") {
            if ((used.get(capability) ?? 0) >= concurrency || wanted.some((each) => locks.has(each))) return [];
            used.set(capability, (used.get(capability) ?? 0) + 1);
            for (const each of wanted) locks.add(each);
          }
          return [permit(run, { capability, concurrency, locks: wanted, state })];
        });
        const given = granted(permits);
        for (const each of given) {
          for (const lock of each.demand.locks) {
            expect(locks.has(lock)).toBe(false);
            locks.add(lock);
          }
          used.set(each.demand.capability, (used.get(each.demand.capability) ?? 0) + 1);
        }
        for (const amount of used.values()) expect(amount).toBeLessThanOrEqual(concurrency);
        const left = permits.filter((each) => each.state === "waiting" && !given.includes(each));
        for (const { demand } of left) {
          const full = (used.get(demand.capability) ?? 0) >= concurrency;
          expect(full || demand.locks.some((lock) => locks.has(lock))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
