import { describe, expect, it } from "vitest";
import { CallPermits } from "../../../../server/runtime/permits/call-permits";
import type { Verdict } from "../../../../server/runtime/permits/grant-permits";
import type { Ceiling } from "../../../../server/runtime/permits/permit";
import type { PermitBook, PermitExchange } from "../../../../server/runtime/permits/permit-book";
import { FakeTime, quiet } from "../../../support/fake-time";

const CEILING: Ceiling = { id: "c", period: "day", budget: "toolCalls", limit: 1, spent: 0, reserved: 0 };
const RUN = { runId: "run-1", workspaceId: "w" };
const DEMAND = { capability: "a@1", locks: [], charges: [["toolCalls", 1] as const] };

/** Grants nothing; a test says which ceilings there are and when they are read. */
class ScriptedBook implements PermitBook {
  list: readonly Ceiling[] = [];
  /** What a reading waits for. */
  gate: Promise<void> | undefined;
  tell: () => void = () => {};
  readonly #asked: string[] = [];

  async exchange(_workspaceId: string, { asks }: PermitExchange): Promise<readonly Verdict[]> {
    this.#asked.push(...asks.map(({ id }) => id));
    return this.#asked.map((id) => ({ id, type: "waits", on: { limit: "ceiling", ceiling: CEILING } }));
  }

  async ceilings(): Promise<readonly Ceiling[]> {
    const { list } = this;
    await this.gate;
    return list;
  }

  onNews(): () => void {
    return () => {};
  }

  onCeilings(listener: () => void): () => void {
    this.tell = listener;
    return () => {};
  }
}

async function permitsUnder(...list: readonly Ceiling[]) {
  const book = new ScriptedBook();
  book.list = list;
  const time = new FakeTime();
  const failures: unknown[] = [];
  const permits = new CallPermits({ book, clock: time, timers: time, onError: (error) => failures.push(error) });
  return { book, permits, failures };
}

describe("the ceilings that a process knows", () => {
  it("hold while they are read again", async () => {
    const { book, permits } = await permitsUnder(CEILING);
    await permits.prepare("w");
    book.gate = new Promise(() => {});
    book.tell();
    expect(permits.admit(RUN, "t", DEMAND).type).toBe("held");
    await quiet();
    expect(permits.admit(RUN, "t", DEMAND).type).toBe("held");
  });

  it("are read again where no call waits, and whoever waits is told", async () => {
    const { book, permits } = await permitsUnder();
    await permits.prepare("w");
    expect(permits.admit(RUN, "t", DEMAND).type).toBe("admitted");
    book.list = [CEILING];
    book.tell();
    let told = 0;
    permits.onChange(() => {
      told += 1;
    });
    await quiet();
    expect(told).toBeGreaterThan(0);
    expect(permits.admit(RUN, "t", DEMAND).type).toBe("held");
  });

  it("are the newest where one is set while they are read for the first time", async () => {
    const { book, permits } = await permitsUnder();
    let letThrough = (): void => {};
    book.gate = new Promise((resolve) => {
      letThrough = resolve;
    });
    const prepared = permits.prepare("w");
    book.list = [CEILING];
    book.tell();
    letThrough();
    await prepared;
    expect(permits.admit(RUN, "t", DEMAND).type).toBe("held");
  });
});
