import { describe, expect, it } from "vitest";
import { type Plan, planSchema } from "#kernel/plan/plan";
import {
  type DraftAnswer,
  DraftSaver,
  type DraftWrite,
  MAX_WAIT_MS,
} from "../../../../components/designer/draft-saver";

const planNamed = (name: string): Plan => planSchema.parse({ format: "planwright/v1", name, tasks: [] });

/** A server, a browser store and a clock that only moves when told. */
function workbench(start: Plan) {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const writes: DraftWrite[] = [];
  const answers: ((answer: DraftAnswer) => void)[] = [];
  let kept: DraftWrite | undefined;
  const saver = new DraftSaver(
    { plan: start, baseVersion: 1, revision: null },
    {
      save: (write) => {
        writes.push(write);
        return new Promise((resolve) => answers.push(resolve));
      },
      keep: (write) => {
        kept = write;
      },
      schedule: (run, delayMs) => {
        const timer = { at: now + delayMs, run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
      now: () => now,
    },
  );
  return {
    saver,
    writes,
    kept: () => kept,
    advance: (ms: number) => {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.run();
      }
    },
    answer: async (answer: DraftAnswer) => {
      answers.shift()?.(answer);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe("DraftSaver", () => {
  it("saves a moment after the last edit and names the revision it continues", async () => {
    const { saver, writes, advance, answer } = workbench(planNamed("a"));
    saver.change(planNamed("ab"));
    saver.change(planNamed("abc"));
    expect(writes).toHaveLength(0);
    advance(1_000);
    expect(writes.map(({ plan, expectedRevision }) => [plan.name, expectedRevision])).toEqual([["abc", null]]);
    await answer({ ok: true, revision: 1, updatedAt: 5 });
    expect(saver.status()).toEqual({ status: "saved", at: 5 });
    saver.change(planNamed("abcd"));
    advance(1_000);
    expect(writes[1]?.expectedRevision).toBe(1);
  });

  it("saves within its longest wait even while edits never pause", () => {
    const { saver, writes, advance } = workbench(planNamed("a"));
    for (let step = 0; writes.length === 0 && step < 100; step++) {
      saver.change(planNamed(`a${step}`));
      advance(100);
      if (step * 100 > MAX_WAIT_MS + 200) break;
    }
    expect(writes).toHaveLength(1);
  });

  it("keeps every edit in the browser until the server has it", async () => {
    const { saver, kept, advance, answer } = workbench(planNamed("a"));
    saver.change(planNamed("ab"));
    expect(kept()?.plan.name).toBe("ab");
    advance(1_000);
    saver.change(planNamed("abc"));
    await answer({ ok: true, revision: 1, updatedAt: 5 });
    expect(kept()?.plan.name).toBe("abc");
    advance(1_000);
    await answer({ ok: true, revision: 2, updatedAt: 6 });
    expect(kept()).toBeUndefined();
  });

  it("never overwrites what somebody else saved: it stops until a person has chosen", async () => {
    const { saver, writes, advance, answer, kept } = workbench(planNamed("a"));
    saver.change(planNamed("mine"));
    advance(1_000);
    await answer({ ok: false, reason: "conflict", message: "changed" });
    expect(saver.status().status).toBe("conflict");
    saver.change(planNamed("mine, more"));
    advance(60_000);
    expect(writes).toHaveLength(1);
    expect(kept()?.plan.name).toBe("mine, more");
    saver.resolve({ revision: 7, baseVersion: 2 });
    advance(0);
    expect(writes[1]).toMatchObject({ expectedRevision: 7, baseVersion: 2 });
  });

  it("tries again when the server does not answer, with the newest plan", async () => {
    const { saver, writes, advance, answer } = workbench(planNamed("a"));
    saver.change(planNamed("ab"));
    advance(1_000);
    await answer({ ok: false, reason: "unreachable", message: "no answer" });
    expect(saver.status().status).toBe("retrying");
    saver.change(planNamed("abc"));
    advance(10_000);
    expect(writes[1]?.plan.name).toBe("abc");
  });
});
