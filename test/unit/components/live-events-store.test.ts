import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunEvent } from "#kernel/run/event";
import {
  createLiveEvents,
  type LiveEvents,
  type StreamHandlers,
} from "../../../components/trpc-client/live-events-store";

interface Opened {
  readonly request: { readonly runs: readonly { runId: string; afterSeq: number }[]; readonly inbox: boolean };
  readonly handlers: StreamHandlers;
  closed: boolean;
}

let opened: Opened[];
let live: LiveEvents;

beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  live = createLiveEvents((request, handlers) => {
    const stream: Opened = { request, handlers, closed: false };
    opened.push(stream);
    return () => {
      stream.closed = true;
    };
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const event = (seq: number): RunEvent => ({ type: "run_paused", seq, at: seq, by: { id: "p", name: "P" } }) as RunEvent;
const last = (): Opened => {
  const stream = opened.at(-1);
  if (stream === undefined) throw new Error("nothing was opened");
  return stream;
};
const watch = (runId: string, afterSeq = 0) => {
  const seen: number[] = [];
  const stop = live.watchRun({
    runId,
    afterSeq,
    onEvents: (events) => seen.push(...events.map(({ seq }) => seq)),
  });
  return { seen, stop };
};

test("everybody who begins to watch in one turn shares one stream", () => {
  watch("a");
  watch("b", 5);
  live.watchInbox(() => {});
  vi.runAllTimers();
  expect(opened).toHaveLength(1);
  expect(last().request).toEqual({
    runs: [
      { runId: "a", afterSeq: 0 },
      { runId: "b", afterSeq: 5 },
    ],
    inbox: true,
  });
});

test("two who watch the same run each get its events once, from where each stands", () => {
  const first = watch("a", 2);
  const second = watch("a", 0);
  vi.runAllTimers();
  expect(last().request.runs).toEqual([{ runId: "a", afterSeq: 0 }]);
  last().handlers.onMessage({ type: "run_events", runId: "a", events: [1, 2, 3].map(event) });
  last().handlers.onMessage({ type: "run_events", runId: "a", events: [3, 4].map(event) });
  expect(first.seen).toEqual([3, 4]);
  expect(second.seen).toEqual([1, 2, 3, 4]);
});

test("a stream that opens anew goes on where its watchers stand", () => {
  watch("a");
  vi.runAllTimers();
  last().handlers.onMessage({ type: "run_events", runId: "a", events: [1, 2].map(event) });
  watch("b");
  vi.runAllTimers();
  expect(opened[0]?.closed).toBe(true);
  expect(last().request.runs).toContainEqual({ runId: "a", afterSeq: 2 });
});

test("a cut stream says so and is taken up again, each time after a longer pause", () => {
  watch("a");
  vi.runAllTimers();
  last().handlers.onStatus("live");
  expect(live.status()).toBe("live");
  last().handlers.onError(new Error("cut"));
  expect(live.status()).toBe("offline");
  vi.advanceTimersByTime(500);
  expect(opened).toHaveLength(2);
  last().handlers.onError(new Error("cut"));
  vi.advanceTimersByTime(500);
  expect(opened).toHaveLength(2);
  vi.advanceTimersByTime(500);
  expect(opened).toHaveLength(3);
});

test("when nobody watches any more the stream is closed", () => {
  const { stop } = watch("a");
  vi.runAllTimers();
  stop();
  vi.runAllTimers();
  expect(last().closed).toBe(true);
  expect(live.status()).toBe("idle");
  expect(opened).toHaveLength(1);
});

test("whatever the way loses, doubles or reorders, a watcher has every event once and in order, never past a hole", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.nat(99)), (count, chances) => {
      const chance = (): number => chances.next().value;
      const { seen, stop } = watch("a");
      for (let round = 0; round < 400 && seen.length < count; round++) {
        vi.runAllTimers();
        const from = last().request.runs[0]?.afterSeq ?? 0;
        const messages: number[][] = [];
        for (let seq = from + 1; seq <= count; ) {
          const size = 1 + (chance() % 5);
          messages.push(Array.from({ length: Math.min(size, count - seq + 1) }, (_, index) => seq + index));
          seq += size;
        }
        const arriving = messages.flatMap((message) =>
          chance() < 15 ? [] : chance() < 15 ? [message, message] : [message],
        );
        if (chance() < 20) arriving.reverse();
        for (const seqs of arriving) {
          last().handlers.onMessage({ type: "run_events", runId: "a", events: seqs.map(event) });
          expect(seen).toEqual(Array.from(seen, (_, index) => index + 1));
        }
        if (seen.length < count) last().handlers.onError(new Error("cut"));
      }
      expect(seen).toHaveLength(count);
      stop();
      vi.runAllTimers();
    }),
    { numRuns: 200 },
  );
});
