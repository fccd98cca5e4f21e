import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "#kernel/run/event";
import { fold } from "#kernel/run/reduce";
import { GAP_CAUSES, gapOf } from "#kernel/view/gap";
import { buildTimeline } from "#kernel/view/timeline";
import type { TimelineSegment } from "#kernel/view/timeline-lane";
import { randomRuns, recordRun, runShapes } from "../../../support/random-run";

const timelineOf = (events: readonly RunEvent[]) => {
  const tip = fold(events);
  return { tip, timeline: buildTimeline(events, tip) };
};

describe("timeline", () => {
  it("shows every call once, and nothing of a task overlaps or runs backwards", () => {
    fc.assert(
      fc.property(randomRuns(), (events) => {
        const { tip, timeline } = timelineOf(events);
        for (const lane of timeline.lanes) {
          const calls = lane.segments.filter((segment) => segment.kind === "execute");
          expect(calls.map((call) => call.attempt)).toEqual(
            tip.tasks.get(lane.taskId)?.attempts.map((each) => each.attempt),
          );
          let reached = lane.readyAt ?? Number.NEGATIVE_INFINITY;
          for (const segment of lane.segments) {
            expect(segment.from).toBeGreaterThanOrEqual(reached);
            expect(segment.to ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(segment.from);
            reached = segment.to ?? segment.from;
          }
        }
      }),
    );
  });

  it("leaves no hole between a task's readiness and its end", () => {
    fc.assert(
      fc.property(randomRuns(), (events) => {
        const { timeline } = timelineOf(events);
        for (const lane of timeline.lanes) {
          if (lane.readyAt === undefined || lane.endedAt === undefined || lane.status === "cancelled") continue;
          const covered = lane.segments.reduce((total, segment) => total + (segment.to ?? 0) - segment.from, 0);
          expect(covered).toBeCloseTo(lane.endedAt - lane.readyAt, 6);
        }
      }),
    );
  });

  it("tells waiting for a person, for a free worker and for a backoff apart", () => {
    const events = recordRun({
      tasks: [
        { parents: [], durationMs: 4_000, failures: 0, gateMs: undefined, dispatched: true, terminal: false },
        { parents: [], durationMs: 1_000, failures: 1, gateMs: 7_000, dispatched: true, terminal: false },
        { parents: [], durationMs: 2_000, failures: 0, gateMs: undefined, dispatched: false, terminal: false },
      ],
      workers: 1,
      pause: undefined,
      share: 1,
    });
    const { timeline } = timelineOf(events);
    const spans = (taskId: string) =>
      timeline.lanes
        .find((lane) => lane.taskId === taskId)
        ?.segments.map(
          (segment: TimelineSegment) =>
            [
              segment.kind,
              (segment.from - timeline.from) / 1_000,
              ((segment.to ?? 0) - timeline.from) / 1_000,
            ] as const,
        );
    expect(spans("t0")).toEqual([["execute", 0, 4]]);
    expect(spans("t1")).toEqual([
      ["gate", 0, 7],
      ["execute", 7, 8],
      ["backoff", 8, 9],
      ["execute", 9, 10],
    ]);
    expect(spans("t2")).toEqual([
      ["queue", 0, 4],
      ["execute", 4, 6],
    ]);
  });

  it("names a pause as the cause of what waited during it", () => {
    const events = recordRun({
      tasks: [
        { parents: [], durationMs: 1_000, failures: 0, gateMs: undefined, dispatched: true, terminal: false },
        { parents: [0], durationMs: 1_000, failures: 0, gateMs: undefined, dispatched: true, terminal: false },
      ],
      workers: 1,
      pause: [500, 4_500],
      share: 1,
    });
    const { timeline } = timelineOf(events);
    expect(timeline.lanes[1]?.segments.map((segment) => segment.kind)).toEqual(["pause", "execute"]);
    expect(timeline.pauses).toHaveLength(1);
  });
});

describe("where the time went", () => {
  it("has shares that add up to the gap, none of them below zero", () => {
    fc.assert(
      fc.property(randomRuns(), (events) => {
        const { tip, timeline } = timelineOf(events);
        const report = gapOf(events, tip, timeline);
        const total = GAP_CAUSES.reduce((sum, cause) => sum + report.shares[cause], 0);
        expect(total).toBeCloseTo(report.gapMs, 3);
        for (const cause of GAP_CAUSES) expect(report.shares[cause]).toBeGreaterThanOrEqual(-1e-6);
      }),
    );
  });

  it("has a blocking chain that covers the run once, without holes", () => {
    fc.assert(
      fc.property(randomRuns(), (events) => {
        const { tip, timeline } = timelineOf(events);
        const { chain, makespanMs } = gapOf(events, tip, timeline);
        expect(chain.reduce((sum, link) => sum + link.to - link.from, 0)).toBe(makespanMs);
        for (let at = 1; at < chain.length; at++) expect(chain[at]?.from).toBe(chain[at - 1]?.to);
      }),
    );
  });

  it("never puts the bound above what the run took", () => {
    fc.assert(
      fc.property(runShapes(), (shape) => {
        const events = recordRun({ ...shape, share: 1 });
        const { tip, timeline } = timelineOf(events);
        const { boundMs, makespanMs } = gapOf(events, tip, timeline);
        expect(boundMs).toBeLessThanOrEqual(makespanMs);
      }),
    );
  });

  it("charges an approval only what lifting it would have saved", () => {
    // A gate of 60 s before 10 s of work, beside 30 s of other work: without the gate the run takes 30 s, not 10.
    const shape = { failures: 0, dispatched: true, terminal: false, parents: [] };
    const events = recordRun({
      tasks: [
        { ...shape, durationMs: 30_000, gateMs: undefined },
        { ...shape, durationMs: 10_000, gateMs: 60_000 },
      ],
      workers: 2,
      pause: undefined,
      share: 1,
    });
    const { tip, timeline } = timelineOf(events);
    const report = gapOf(events, tip, timeline);
    expect(report.boundMs).toBe(30_000);
    expect(report.makespanMs).toBe(70_000);
    expect(report.shares.approval).toBeCloseTo(40_000, 6);
  });
});
