import type { CapabilitySnapshot } from "../capability/capability";
import { type Resources, resourcesOf } from "../run/resources-of-call";
import type { RunState, TaskState } from "../run/state";
import type { TimelineLane, TimelineSegment, WaitKind } from "./timeline-lane";

/** `to` absent: it lasts. Epoch milliseconds. */
export interface Interval {
  readonly from: number;
  readonly to?: number;
}

interface Cover extends Interval {
  readonly kind: WaitKind;
  readonly resource?: string;
  readonly byTaskId?: string;
}

/**
 * Splits each stretch of plain waiting by what caused it: a paused run, a resource that another task held, a rate
 * limit that was used up. Only recorded calls are looked at, so the answer is the same in every replay.
 */
export function splitWaits(
  lanes: readonly TimelineLane[],
  tip: RunState,
  pauses: readonly Interval[],
): readonly TimelineLane[] {
  const limits = rateLimitCovers(lanes, tip);
  const locks = createLockBook(lanes, tip);
  const paused: readonly Cover[] = pauses.map((pause) => ({ ...pause, kind: "pause" }));
  if (limits.size === 0 && paused.length === 0 && locks === undefined) return lanes;
  return lanes.map((lane) => {
    const task = tip.tasks.get(lane.taskId);
    if (task === undefined || !lane.segments.some((segment) => segment.kind === "queue")) return lane;
    const covers = [...paused, ...(locks?.coversFor(task) ?? []), ...(limits.get(task.task.capability) ?? [])];
    if (covers.length === 0) return lane;
    return { ...lane, segments: lane.segments.flatMap((segment) => splitWait(segment, covers)) };
  });
}

/** Covers a waiting segment; earlier covers win where two overlap. */
export function splitWait(segment: TimelineSegment, covers: readonly Cover[]): readonly TimelineSegment[] {
  if (segment.kind !== "queue") return [segment];
  const end = segment.to ?? Number.POSITIVE_INFINITY;
  const hits = covers.filter((cover) => cover.from < end && (cover.to ?? Number.POSITIVE_INFINITY) > segment.from);
  if (hits.length === 0) return [segment];
  const cuts = new Set<number>([segment.from, end]);
  for (const cover of hits) {
    cuts.add(Math.max(segment.from, cover.from));
    cuts.add(Math.min(end, cover.to ?? Number.POSITIVE_INFINITY));
  }
  const points = [...cuts].sort((left, right) => left - right);
  const pieces: TimelineSegment[] = [];
  for (let at = 0; at + 1 < points.length; at++) {
    const from = points[at] as number;
    const to = points[at + 1] as number;
    const cover = hits.find((hit) => hit.from <= from && (hit.to ?? Number.POSITIVE_INFINITY) >= to);
    const piece: TimelineSegment = {
      kind: cover?.kind ?? "queue",
      from,
      ...(to === Number.POSITIVE_INFINITY ? {} : { to }),
      ...(cover?.resource === undefined ? {} : { resource: cover.resource }),
      ...(cover?.byTaskId === undefined ? {} : { byTaskId: cover.byTaskId }),
    };
    const last = pieces.at(-1);
    if (last !== undefined && last.kind === piece.kind && last.byTaskId === piece.byTaskId) {
      pieces[pieces.length - 1] = { ...piece, from: last.from };
    } else {
      pieces.push(piece);
    }
  }
  return pieces;
}

/** By capability reference: the stretches in which its rate limit was used up. */
function rateLimitCovers(lanes: readonly TimelineLane[], tip: RunState): ReadonlyMap<string, readonly Cover[]> {
  const startsOf = new Map<string, number[]>();
  const limitOf = new Map<string, NonNullable<CapabilitySnapshot["rateLimit"]>>();
  for (const lane of lanes) {
    const reference = tip.tasks.get(lane.taskId)?.task.capability;
    const limit = reference === undefined ? undefined : tip.capabilities.get(reference)?.rateLimit;
    if (reference === undefined || limit === undefined) continue;
    limitOf.set(reference, limit);
    const starts = startsOf.get(reference) ?? [];
    startsOf.set(reference, starts);
    for (const segment of lane.segments) if (segment.kind === "execute") starts.push(segment.from);
  }
  const covers = new Map<string, readonly Cover[]>();
  for (const [reference, limit] of limitOf) {
    const starts = (startsOf.get(reference) ?? []).sort((left, right) => left - right);
    covers.set(reference, usedUp(starts, limit.calls, limit.perSeconds * 1_000));
  }
  return covers;
}

/** After a call, no further one may start until the call `calls` − 1 before it is older than the window. */
function usedUp(starts: readonly number[], calls: number, windowMs: number): readonly Cover[] {
  return starts.flatMap((from, index) => {
    const oldest = starts[index - calls + 1];
    if (oldest === undefined) return [];
    const to = oldest + windowMs;
    return to > from ? [{ kind: "rate_limit" as const, from, to }] : [];
  });
}

interface Holder extends Interval {
  readonly taskId: string;
  readonly writes: boolean;
}

interface LockBook {
  coversFor(task: TaskState): readonly Cover[];
}

/** Who held which resource when; undefined where no task of the run touches any. */
function createLockBook(lanes: readonly TimelineLane[], tip: RunState): LockBook | undefined {
  const holders = new Map<string, Holder[]>();
  for (const lane of lanes) {
    const task = tip.tasks.get(lane.taskId);
    if (task === undefined) continue;
    const { reads, writes } = resourcesOf(tip, task, undefined);
    if (reads.length + writes.length === 0) continue;
    const calls = lane.segments.filter((segment) => segment.kind === "execute");
    for (const [resources, isWrite] of [
      [reads, false],
      [writes, true],
    ] as const) {
      for (const resource of resources) {
        const known = holders.get(resource) ?? [];
        holders.set(resource, known);
        for (const { from, to } of calls) {
          known.push({ taskId: lane.taskId, writes: isWrite, from, ...(to === undefined ? {} : { to }) });
        }
      }
    }
  }
  if (holders.size === 0) return undefined;
  return { coversFor: (task) => lockCovers(holders, task.id, resourcesOf(tip, task, undefined)) };
}

function lockCovers(
  holders: ReadonlyMap<string, readonly Holder[]>,
  taskId: string,
  { reads, writes }: Resources,
): readonly Cover[] {
  const written = new Set(writes);
  return [...new Set([...reads, ...writes])].flatMap((resource) =>
    (holders.get(resource) ?? [])
      // Readers share; a writer excludes everybody.
      .filter((holder) => holder.taskId !== taskId && (holder.writes || written.has(resource)))
      .map(({ from, to, taskId: byTaskId }): Cover => {
        return { kind: "lock", from, ...(to === undefined ? {} : { to }), resource, byTaskId };
      }),
  );
}
