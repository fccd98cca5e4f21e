import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRunState, fold } from "#kernel/run/reduce";
import { createHistory, seqAt } from "#kernel/view/history";
import { randomRuns, recordRun } from "../../../support/random-run";

describe("history", () => {
  it("seek(seq) equals the fold of the prefix, in whatever order moments are asked for", () => {
    fc.assert(
      fc.property(randomRuns(), fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), (events, places) => {
        const history = createHistory(events);
        for (const place of places) {
          const seq = place % (events.length + 1);
          expect(history.seek(seq)).toEqual(seq === 0 ? createRunState() : fold(events.slice(0, seq)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("gives the same states when the events come one by one", () => {
    fc.assert(
      fc.property(randomRuns(), fc.nat(), (events, place) => {
        const whole = createHistory(events);
        const grown = createHistory();
        for (const event of events) {
          grown.append([event]);
          grown.seek(Math.max(0, event.seq - 1));
        }
        const seq = place % (events.length + 1);
        expect(grown.seek(seq)).toEqual(whole.seek(seq));
      }),
      { numRuns: 40 },
    );
  });

  it("leaves out events that are known already or come out of order", () => {
    const events = recordRun({ tasks: [shape], workers: 1, pause: undefined, share: 1 });
    const history = createHistory(events.slice(0, 2));
    expect(history.append(events)).toBe(events.length - 2);
    expect(history.append(events)).toBe(0);
    expect(history.append([{ ...events[0], seq: 99 } as (typeof events)[number]])).toBe(0);
    expect(history.tip.lastSeq).toBe(events.length);
  });

  it("finds the last event at or before a time", () => {
    fc.assert(
      fc.property(randomRuns(), fc.nat({ max: 400_000 }), (events, offset) => {
        const at = (events[0]?.at ?? 0) + offset - 1_000;
        expect(seqAt(events, at)).toBe(events.filter((event) => event.at <= at).length);
      }),
    );
  });

  it("seeks anywhere in 10,000 events in well under 50 ms", () => {
    const tasks = Array.from({ length: 3_300 }, (_, index) => ({
      ...shape,
      parents: index === 0 ? [] : [(index - 1) >> 1],
    }));
    const events = recordRun({ tasks, workers: 50, pause: undefined, share: 1 });
    expect(events.length).toBeGreaterThan(6_000);
    const history = createHistory(events);
    const times: number[] = [];
    for (let round = 1; round <= 40; round++) {
      const seq = (round * 7_919) % events.length;
      const from = performance.now();
      history.seek(seq);
      times.push(performance.now() - from);
    }
    times.sort((left, right) => left - right);
    expect(times[20]).toBeLessThan(50);
  });
});

const shape = { parents: [], durationMs: 10, failures: 0, gateMs: undefined, dispatched: true, terminal: false };
