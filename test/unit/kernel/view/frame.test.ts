import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "#kernel/run/reduce";
import { isTerminal } from "#kernel/run/status";
import { frameAt, frameOf } from "#kernel/view/frame";
import { createHistory } from "#kernel/view/history";
import { randomRuns, recordRun } from "../../../support/random-run";

const shape = {
  parents: [] as number[],
  durationMs: 10_000,
  failures: 0,
  gateMs: undefined,
  dispatched: true,
  terminal: false,
};

describe("frame", () => {
  it("frame(seq) equals the frame of the folded prefix", () => {
    fc.assert(
      fc.property(randomRuns(), fc.nat(), (events, place) => {
        const seq = 1 + (place % events.length);
        expect(frameAt(createHistory(events), seq)).toEqual(frameOf(fold(events.slice(0, seq))));
      }),
      { numRuns: 50 },
    );
  });

  it("has a critical path that follows edges, and a remaining one with only tasks that have not ended", () => {
    fc.assert(
      fc.property(randomRuns(), fc.nat(), (events, place) => {
        const frame = frameAt(createHistory(events), 2 + (place % (events.length - 1)));
        const { graph, tasks } = frame.state;
        for (const path of [frame.criticalPath, frame.remainingPath]) {
          for (let at = 1; at < path.length; at++) {
            expect(tasks.get(path[at] as string)?.task.dependsOn).toContain(path[at - 1]);
          }
        }
        for (const id of frame.remainingPath) expect(isTerminal(tasks.get(id)?.status ?? "failed")).toBe(false);
        expect(frame.criticalPath.length).toBeGreaterThan(0);
        expect(graph?.size).toBe(tasks.size);
      }),
      { numRuns: 60 },
    );
  });

  it("never forecasts an end before now, nor an end of a run earlier than its slowest open task", () => {
    fc.assert(
      fc.property(randomRuns(), fc.nat(), (events, place) => {
        const frame = frameAt(createHistory(events), 2 + (place % (events.length - 1)));
        expect(frame.forecastMs).toBeGreaterThanOrEqual(frame.elapsedMs);
        if (frame.state.status === "finished") return;
        for (const forecast of frame.forecasts.values()) {
          expect(forecast.from).toBeGreaterThanOrEqual(frame.at);
          expect(frame.finishAt).toBeGreaterThanOrEqual(forecast.to);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("names what holds a task that waits for a person, and until when", () => {
    const events = recordRun({ tasks: [{ ...shape, gateMs: 5_000 }, shape], workers: 2, pause: undefined, share: 1 });
    const asked = events.find((event) => event.type === "approval_requested")?.seq ?? 0;
    const frame = frameAt(createHistory(events), asked);
    expect(frame.waiting).toMatchObject([
      { taskId: "t0", kind: "hold", hold: { type: "approval" }, text: "One approver signs: r" },
    ]);
    expect(frame.waiting[0]?.until).toBeGreaterThan(frame.at);
  });

  it("names a free worker as what a queued task waits for", () => {
    const events = recordRun({ tasks: [shape, shape], workers: 1, pause: undefined, share: 1 });
    const frame = frameAt(createHistory(events), 3);
    expect(frame.waiting.map((each) => [each.taskId, each.hold?.type])).toEqual([["t1", "concurrency"]]);
  });

  it("moves on with the wall clock at the tip and stands still once the run has ended", () => {
    const events = recordRun({ tasks: [shape], workers: 1, pause: undefined, share: 1 });
    const open = createHistory(events.slice(0, 3));
    const started = events[0]?.at ?? 0;
    expect(frameAt(open, 3, started + 4_000).elapsedMs).toBe(4_000);
    expect(frameAt(open, 3, started + 4_000).forecastMs).toBe(5_000);
    expect(frameAt(open, 3, started + 9_000).forecastMs).toBe(9_000);
    const ended = createHistory(events);
    expect(frameAt(ended, events.length, started + 99_000).elapsedMs).toBe(10_000);
  });
});
