import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "#kernel/run/reduce";
import { buildTimeAxis, eventDensity, idleGaps } from "#kernel/view/time-axis";
import { buildTimeline } from "#kernel/view/timeline";
import { checkoutErrorSpike } from "../../../support/checkout-error-spike";

/** Folds that are in order and apart, as idle gaps are. */
const axes = fc
  .record({
    from: fc.integer({ min: 0, max: 1e12 }),
    length: fc.integer({ min: 1, max: 1e8 }),
    width: fc.integer({ min: 100, max: 2_000 }),
    cuts: fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
  })
  .map(({ from, length, width, cuts }) => {
    const places = cuts.map((cut) => from + cut * length).sort((left, right) => left - right);
    const folds = [];
    for (let at = 0; at + 1 < places.length; at += 2) {
      folds.push({ from: places[at] as number, to: places[at + 1] as number });
    }
    return { range: { from, to: from + length }, axis: buildTimeAxis({ from, to: from + length }, width, folds) };
  });

describe("time axis", () => {
  it("keeps the order of time and stays inside its width", () => {
    fc.assert(
      fc.property(
        axes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ range, axis }, a, b) => {
          const [early, late] = [Math.min(a, b), Math.max(a, b)].map(
            (share) => range.from + share * (range.to - range.from),
          ) as [number, number];
          expect(axis.xOf(early)).toBeLessThanOrEqual(axis.xOf(late) + 1e-6);
          expect(axis.xOf(early)).toBeGreaterThanOrEqual(0);
          expect(axis.xOf(late)).toBeLessThanOrEqual(axis.width + 1e-6);
        },
      ),
    );
  });

  it("maps a place back to the time it came from", () => {
    fc.assert(
      fc.property(axes, fc.double({ min: 0, max: 1, noNaN: true }), ({ range, axis }, share) => {
        const at = range.from + share * (range.to - range.from);
        const tolerance = ((range.to - range.from) / axis.width) * 0.05 + 1e-3;
        expect(Math.abs(axis.timeAt(axis.xOf(at)) - at)).toBeLessThan(tolerance);
      }),
    );
  });

  it("puts ticks apart and none inside a fold", () => {
    fc.assert(
      fc.property(axes, ({ axis }) => {
        for (const [index, tick] of axis.ticks.entries()) {
          const before = axis.ticks[index - 1];
          if (before !== undefined) expect(tick.x - before.x).toBeGreaterThan(40);
          for (const each of axis.folds) expect(tick.at > each.from && tick.at < each.to).toBe(false);
        }
      }),
    );
  });

  it("counts every event once", () => {
    const events = checkoutErrorSpike();
    const times = events.map((event) => event.at);
    const axis = buildTimeAxis({ from: times[0] ?? 0, to: times.at(-1) ?? 1 }, 900);
    expect(eventDensity(axis, times, 150).reduce((sum, count) => sum + count, 0)).toBe(events.length);
  });

  it("folds the wait for a signature, in which nothing ran, and not the long call", () => {
    const events = checkoutErrorSpike();
    const timeline = buildTimeline(events, fold(events));
    const gaps = idleGaps(
      timeline,
      events.map((event) => event.at),
    );
    expect(gaps).toHaveLength(1);
    expect(((gaps[0]?.to ?? 0) - (gaps[0]?.from ?? 0)) / 1_000).toBeGreaterThan(110);
  });
});
