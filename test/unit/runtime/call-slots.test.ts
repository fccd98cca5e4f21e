import { describe, expect, it } from "vitest";
import { defineBuiltIn } from "#kernel/capability/built-in/define";
import { snapshotCapability } from "#kernel/capability/capability";
import { CallSlots } from "../../../server/runtime/driver/call-slots";
import { FakeTime } from "../../support/fake-time";

const capability = (limits: { concurrency?: number; rateLimit?: { calls: number; perSeconds: number } }) =>
  snapshotCapability(
    defineBuiltIn({
      name: "limited",
      title: "Limited",
      description: "Takes few calls.",
      inputSchema: {},
      outputSchema: {},
      sideEffect: "none",
      timeoutSeconds: 1,
      estimate: { p50Seconds: 1, p95Seconds: 1 },
      ...limits,
    }),
  );

describe("call slots", () => {
  it("never gives out more slots than a capability's concurrency, and announces one that comes back", () => {
    const time = new FakeTime();
    const slots = new CallSlots(time, time);
    let announced = 0;
    slots.onRoom(() => announced++);
    const limited = capability({ concurrency: 2 });
    const release = slots.take(limited);
    slots.take(limited);
    expect(slots.room(limited)).toBe(0);
    release();
    expect(slots.room(limited)).toBe(1);
    expect(announced).toBe(1);
  });

  it("keeps to a rate limit over any window, and announces the next moment at which there is room", async () => {
    const time = new FakeTime();
    const slots = new CallSlots(time, time);
    let announced = 0;
    slots.onRoom(() => announced++);
    const limited = capability({ rateLimit: { calls: 2, perSeconds: 10 } });
    slots.take(limited);
    await time.advance(4_000);
    slots.take(limited);
    expect(slots.room(limited)).toBe(0);
    await time.advance(5_999);
    expect(announced).toBe(0);
    await time.advance(1);
    expect(announced).toBe(1);
    expect(slots.room(limited)).toBe(1);
  });

  it("gives any number of slots of a capability without limits", () => {
    const time = new FakeTime();
    expect(new CallSlots(time, time).room(capability({}))).toBe(Number.POSITIVE_INFINITY);
  });
});
