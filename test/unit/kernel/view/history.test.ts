import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskIdSchema } from "#kernel/ids";
import type { RunEvent } from "#kernel/run/event";
import { createRunState, fold } from "#kernel/run/reduce";
import { createHistory, seqAt } from "#kernel/view/history";
import { randomRuns, recordRun, taskName } from "../../../support/random-run";

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

  it("seeks anywhere in 10,000 events for a small part of what folding them costs", () => {
    const events = longLog(5_000);
    const history = createHistory(events);
    const seeks: number[] = [];
    const folds: number[] = [];
    for (let round = 1; round <= 4; round++) {
      const from = performance.now();
      fold(events);
      folds.push(performance.now() - from);
      for (const step of [3, 1, 4, 2]) {
        const between = performance.now();
        history.seek(Math.floor((events.length * step) / 5) + round);
        seeks.push(performance.now() - between);
      }
    }
    // The best of each, beside each other, since the machine may be busy. On a quiet one a seek takes about 10 ms.
    expect(Math.min(...seeks)).toBeLessThan(Math.min(...folds) / 3);
  }, 120_000);
});

/** A star of `size` tasks, each with a start and an end, written straight down: the recorder is too slow for this many. */
function longLog(size: number): readonly RunEvent[] {
  const header = recordRun({
    tasks: Array.from({ length: size }, () => shape),
    workers: size,
    pause: undefined,
    share: 0,
  });
  const at = header[0]?.at ?? 0;
  const events: RunEvent[] = [...header];
  for (let index = 0; index < size; index++) {
    const call = { taskId: taskIdSchema.parse(taskName(index)), attempt: 1 };
    const seq = events.length + 1;
    events.push({ type: "task_dispatched", ...call, seq, at: at + index });
    events.push({
      type: "task_succeeded",
      ...call,
      startedAt: at + index,
      observation: { status: "ok", sideEffect: "none", latencyMs: 1 },
      seq: seq + 1,
      at: at + index + 1,
    });
  }
  return events;
}

const shape = { parents: [], durationMs: 10, failures: 0, gateMs: undefined, dispatched: true, terminal: false };
