import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runEventBodySchema } from "#kernel/run/event";
import { describeEvent } from "#kernel/view/event-text";
import { formatClock, formatCost, formatCount, formatDuration } from "#kernel/view/format";
import { checkoutErrorSpike } from "../../../support/checkout-error-spike";
import { randomRuns } from "../../../support/random-run";

describe("events in words", () => {
  it("has words, an icon and a tone for every event, and names the task of each that has one", () => {
    fc.assert(
      fc.property(randomRuns(), (events) => {
        for (const event of events) {
          const text = describeEvent(event, () => undefined);
          expect(text.text.length).toBeGreaterThan(3);
          if ("taskId" in event && event.taskId !== undefined) expect(text.taskId).toBe(event.taskId);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("names the task a gate stands before, so that a decision can be read without looking the gate up", () => {
    const events = checkoutErrorSpike();
    const tasks = new Map(
      events.flatMap((event) => (event.type === "approval_requested" ? [[event.gateId as string, event.taskId]] : [])),
    );
    const texts = events.map((event) => describeEvent(event, (gateId) => tasks.get(gateId)).text);
    expect(texts).toContain("pin: approved by Approver");
    expect(texts).toContain("error-logs attempt 1 failed: unavailable");
    expect(texts).toContain("error-logs: attempt 2 in 8 s");
    expect(texts).toContain("plan revised to r2");
    expect(texts.at(-1)).toBe("run completed");
  });

  it("knows every type of event there is", () => {
    const described = new Set(checkoutErrorSpike().map((event) => event.type));
    expect(described.size).toBeGreaterThan(12);
    expect(runEventBodySchema.options.length).toBeGreaterThanOrEqual(described.size);
  });
});

describe("numbers for people", () => {
  it.each([
    [0, "0 s"],
    [0.4, "0 s"],
    [340, "340 ms"],
    [7_400, "7.4 s"],
    [9_000, "9 s"],
    [9_960, "10 s"],
    [59_600, "1m 00s"],
    [252_000, "4m 12s"],
    [3_599_600, "1h 00m"],
    [7_500_000, "2h 05m"],
    [273_600_000, "3d 4h"],
    [-4_000, "−4 s"],
  ])("says %d ms as %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [0, "0:00.0"],
    [118_200, "1:58.2"],
    [9_999, "0:09.9"],
    [3_723_000, "1:02:03"],
  ])("puts %d ms on the clock as %s", (ms, text) => expect(formatClock(ms)).toBe(text));

  it("leaves tenths out where asked to", () => expect(formatClock(118_600, { tenths: false })).toBe("1:59"));

  it("never says 60 seconds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (ms) => {
        expect(formatDuration(ms)).not.toMatch(/(^| )60 ?s/);
        expect(formatClock(ms)).not.toMatch(/:60/);
      }),
    );
  });

  it.each([
    [0, "$0.00"],
    [0.84, "$0.84"],
    [0.0021, "$0.0021"],
  ])("says %d dollars as %s", (usd, text) => expect(formatCost(usd)).toBe(text));

  it.each([
    [31, "31"],
    [12_400, "12.4 k"],
    [200_000, "200 k"],
    [1_200_000, "1.2 M"],
  ])("says %d as %s", (value, text) => expect(formatCount(value)).toBe(text));
});
