import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../server/db";
import type { EventLog, Lease, Leases } from "../../server/runtime/ports";
import { MemoryRun } from "../support/memory-run";
import { opening, planOf } from "../support/run-fixture";
import { createRun, creatorOf, openStore, succeeded } from "../support/stored-runs";
import { openTestDatabase } from "../support/test-database";

/** A run whose log ends at `seq` 2, and two processes that could own it. */
interface World {
  readonly runId: string;
  readonly first: EventLog & Leases;
  readonly second: EventLog & Leases;
  /** The first owner's lease runs out without a word. */
  expire(): Promise<void>;
  close(): Promise<void>;
}

const plan = planOf([{ id: "a" }, { id: "b" }, { id: "c" }]);

async function memoryWorld(): Promise<World> {
  const run = new MemoryRun(opening(plan));
  return { runId: "run-1", first: run, second: run, expire: async () => run.expire(), close: async () => {} };
}

let database: Database | undefined;

async function postgresWorld(): Promise<World> {
  database ??= await openTestDatabase();
  const { pool } = database;
  const runId = await createRun(creatorOf(database), plan);
  const stores = await Promise.all([openStore(database), openStore(database)]);
  const [first, second] = stores.map(({ log, leases }) => ({
    append: log.append,
    read: log.read,
    acquire: (id: string) => leases.acquire(id),
    release: (lease: Lease, seenSeq: number, wakeAt?: number) => leases.release(lease, seenSeq, wakeAt),
  }));
  if (first === undefined || second === undefined) throw new Error("two stores were opened");
  return {
    runId,
    first,
    second,
    expire: async () => {
      await pool.query("UPDATE runs SET lease_until = now() - interval '1 s' WHERE id = $1", [runId]);
    },
    close: async () => {
      for (const store of stores) await store.close();
    },
  };
}

afterAll(() => database?.close());

async function leaseOf(owner: Leases, runId: string): Promise<Lease> {
  const lease = await owner.acquire(runId);
  if (lease === undefined) throw new Error("the run is not free");
  return lease;
}

describe.each([
  ["in memory", memoryWorld],
  ["in Postgres", postgresWorld],
])("the log of a run %s", (_name, open) => {
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  it("appends after the expected seq, in order, and reads on from any seq", async () => {
    const { runId, first } = world;
    const lease = await leaseOf(first, runId);
    expect(await first.append(lease, 2, [succeeded("a"), succeeded("b")])).toEqual({ status: "appended", lastSeq: 4 });
    expect((await first.read(runId)).map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    expect(await first.read(runId, 3)).toMatchObject([{ seq: 4, type: "task_succeeded", taskId: "b" }]);
    expect(await first.read(runId, 4)).toEqual([]);
    await first.release(lease, 4);
  });

  it("refuses an append after another seq than the last, whole, and says which is the last", async () => {
    const { runId, first } = world;
    const lease = await leaseOf(first, runId);
    for (const seq of [2, 3, 5]) {
      expect(await first.append(lease, seq, [succeeded("c")])).toEqual({ status: "conflict", lastSeq: 4 });
    }
    expect(await first.read(runId, 4)).toEqual([]);
    await first.release(lease, 4);
  });

  it("gives a run to one owner at a time, and to the next once it is let go", async () => {
    const { runId, first, second } = world;
    const lease = await leaseOf(first, runId);
    expect(await second.acquire(runId)).toBeUndefined();
    expect(await first.release(lease, 4)).toBe(true);
    const next = await leaseOf(second, runId);
    expect(next.epoch).toBeGreaterThan(lease.epoch);
    expect(await second.release(next, 4)).toBe(true);
  });

  it("does not let go of a run whose log has grown since its owner looked", async () => {
    const { runId, first } = world;
    const lease = await leaseOf(first, runId);
    expect(await first.release(lease, 3)).toBe(false);
    expect(await first.release(lease, 4)).toBe(true);
  });

  it("fences an owner whose lease ran out once another has taken over", async () => {
    const { runId, first, second } = world;
    const stale = await leaseOf(first, runId);
    await world.expire();
    const lease = await leaseOf(second, runId);
    expect(await first.append(stale, 4, [succeeded("c")])).toEqual({ status: "fenced" });
    expect(await second.append(lease, 4, [succeeded("c")])).toEqual({ status: "appended", lastSeq: 5 });
    await second.release(lease, 5);
  });

  it("gives a run that has ended to nobody", async () => {
    const { runId, first, second } = world;
    const lease = await leaseOf(first, runId);
    const end = { type: "run_finished", at: 1, outcome: "completed", reason: "Done.", causeSeq: 5 } as const;
    expect(await first.append(lease, 5, [end])).toEqual({ status: "appended", lastSeq: 6 });
    expect(await first.release(lease, 6)).toBe(true);
    expect(await second.acquire(runId)).toBeUndefined();
  });
});
