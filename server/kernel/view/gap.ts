import { predecessorsOf } from "../plan/graph";
import type { RunEvent } from "../run/event";
import type { RunState, TaskState } from "../run/state";
import { executedMs } from "./duration";
import { orderOf } from "./outlook";
import type { Timeline } from "./timeline";
import type { TimelineLane, TimelineSegment } from "./timeline-lane";

/** What kept a run from ending at its lower bound. `pause`: a person held the run. `overhead`: everything else. */
export const GAP_CAUSES = [
  "approval",
  "rate_limit",
  "lock",
  "queue",
  "backoff",
  "retries",
  "replanning",
  "pause",
  "overhead",
] as const;
export type GapCause = (typeof GAP_CAUSES)[number];

/** One stretch of the chain that decided when the run ended, first to last. */
export interface ChainLink {
  readonly from: number;
  readonly to: number;
  readonly cause: GapCause | "execute";
  readonly taskId?: string;
}

export interface GapReport {
  readonly makespanMs: number;
  /** Longest path of what really ran, and with `maxParallel` N at least work / N; never above the makespan. */
  readonly boundMs: number;
  readonly gapMs: number;
  /** Milliseconds by cause; they add up to `gapMs`. */
  readonly shares: Readonly<Record<GapCause, number>>;
  /** The blocking chain, without holes: its lengths add up to `makespanMs`. */
  readonly chain: readonly ChainLink[];
}

/**
 * Where the time went. Walks back from the end of the run: through the last task's calls and waits to the moment its
 * parents let it start, on with the parent that ended last, and so on to the start. Each instant of the run is on
 * that chain exactly once. The chain's waits then share the gap; where the chain executed less than the bound (another
 * path was longer), each wait counts only in proportion, since lifting it could not have saved all of itself.
 *
 * @param until the end of a run that has not finished, epoch milliseconds; ignored for one that has.
 */
export function gapOf(events: readonly RunEvent[], tip: RunState, timeline: Timeline, until = tip.lastAt): GapReport {
  const start = timeline.from;
  const end = Math.max(start, tip.finishedAt ?? until);
  const chain = blockingChain(events, tip, timeline, end);
  const sums = zeroShares();
  let executed = 0;
  for (const link of chain) {
    if (link.cause === "execute") executed += link.to - link.from;
    else sums[link.cause] += link.to - link.from;
  }
  const makespanMs = end - start;
  const boundMs = Math.min(makespanMs, realBound(tip, end));
  const gapMs = makespanMs - boundMs;
  const waited = makespanMs - executed;
  const shares = zeroShares();
  // The chain can execute more than the bound only where a revision threw work away: that is what replanning cost.
  const thrownAway = Math.max(0, executed - boundMs);
  const scale = waited === 0 ? 0 : (gapMs - thrownAway) / waited;
  for (const cause of GAP_CAUSES) shares[cause] = sums[cause] * scale;
  shares[tip.revisions.length > 1 ? "replanning" : "overhead"] += gapMs - sum(shares);
  return { makespanMs, boundMs, gapMs, shares, chain };
}

const zeroShares = (): Record<GapCause, number> => ({
  approval: 0,
  rate_limit: 0,
  lock: 0,
  queue: 0,
  backoff: 0,
  retries: 0,
  replanning: 0,
  pause: 0,
  overhead: 0,
});

const sum = (shares: Readonly<Record<GapCause, number>>): number =>
  GAP_CAUSES.reduce((total, cause) => total + shares[cause], 0);

/** Longest path over the calls that settled each task, along the edges that were really waited for. */
function realBound(tip: RunState, end: number): number {
  const graph = tip.graph;
  if (graph === undefined) return 0;
  const paths = new Float64Array(graph.size);
  let longest = 0;
  let work = 0;
  for (const index of orderOf(graph)) {
    const task = tip.tasks.get(graph.ids[index] as string);
    if (task === undefined) continue;
    const last = task.attempts.at(-1);
    const duration = last === undefined ? 0 : executedMs(last, end);
    let before = 0;
    for (const parent of predecessorsOf(graph, index)) {
      const parentEnd = tip.tasks.get(graph.ids[parent] as string)?.endedAt;
      // A join that did not wait for this parent does not lengthen the path.
      if (parentEnd === undefined || (task.readyAt !== undefined && parentEnd > task.readyAt)) continue;
      before = Math.max(before, paths[parent] as number);
    }
    work += duration;
    paths[index] = before + duration;
    longest = Math.max(longest, paths[index] as number);
  }
  const parallel = tip.plan?.maxParallel;
  return parallel === undefined ? longest : Math.max(longest, work / parallel);
}

function blockingChain(
  events: readonly RunEvent[],
  tip: RunState,
  timeline: Timeline,
  end: number,
): readonly ChainLink[] {
  const lanes = new Map(timeline.lanes.map((lane) => [lane.taskId, lane]));
  const links: ChainLink[] = [];
  let cursor = end;
  /** Moves the cursor back to `from`, which is time of `cause`. */
  const take = (from: number, cause: ChainLink["cause"], taskId?: string) => {
    const to = cursor;
    cursor = Math.max(timeline.from, Math.min(cursor, from));
    if (cursor < to) links.push({ from: cursor, to, cause, ...(taskId === undefined ? {} : { taskId }) });
  };
  /** Time between tasks: a pause or a gate before the plan where there was one, else the runtime's own. */
  const takeBetween = (from: number, cause: GapCause = "overhead") => {
    const covers = [
      ...timeline.pauses.map((pause) => ({ ...pause, cause: "pause" as const })),
      ...timeline.planGates.map((gate) => ({ ...gate, cause: "approval" as const })),
    ]
      .filter((cover) => cover.from < cursor && (cover.to ?? end) > from)
      .sort((left, right) => right.from - left.from);
    for (const cover of covers) {
      take(Math.max(from, cover.to ?? end), cause);
      take(Math.max(from, cover.from), cover.cause);
    }
    take(from, cause);
  };

  const visited = new Set<string>();
  let task = lastEnded(tip, end, visited);
  while (task !== undefined && cursor > timeline.from) {
    visited.add(task.id);
    const lane = lanes.get(task.id);
    if (task.endedAt !== undefined) takeBetween(Math.min(cursor, task.endedAt));
    if (lane !== undefined) walkLane(lane, take);
    if (task.readyAt !== undefined) takeBetween(Math.min(cursor, task.readyAt), "overhead");
    const trigger = revisionTrigger(events, tip, task);
    if (trigger !== undefined) {
      takeBetween(Math.min(cursor, trigger.at), "replanning");
      const cause = trigger.taskId === undefined ? undefined : tip.tasks.get(trigger.taskId);
      task = cause !== undefined && !visited.has(cause.id) ? cause : lastEnded(tip, cursor, visited);
    } else {
      task = lastParent(tip, task, visited);
    }
  }
  takeBetween(timeline.from);
  return links.reverse();
}

function walkLane(lane: TimelineLane, take: (from: number, cause: ChainLink["cause"], taskId?: string) => void): void {
  const settled = lastExecute(lane.segments);
  for (let at = lane.segments.length - 1; at >= 0; at--) {
    const segment = lane.segments[at] as TimelineSegment;
    if (segment.to !== undefined) take(segment.to, "overhead", lane.taskId);
    take(segment.from, causeOf(segment, settled), lane.taskId);
  }
}

function causeOf(segment: TimelineSegment, settled: TimelineSegment | undefined): ChainLink["cause"] {
  switch (segment.kind) {
    case "execute":
      return segment === settled ? "execute" : "retries";
    case "gate":
      return "approval";
    case "queue":
    case "lock":
    case "rate_limit":
    case "backoff":
    case "pause":
      return segment.kind;
  }
}

const lastExecute = (segments: readonly TimelineSegment[]): TimelineSegment | undefined =>
  segments.findLast((segment) => segment.kind === "execute");

/** The task that ended last at or before `at`; while the run goes on, one that has not ended counts as the latest. */
function lastEnded(tip: RunState, at: number, visited: ReadonlySet<string>): TaskState | undefined {
  let latest: TaskState | undefined;
  let latestAt = Number.NEGATIVE_INFINITY;
  for (const task of tip.tasks.values()) {
    if (visited.has(task.id) || (task.readyAt === undefined && task.attempts.length === 0)) continue;
    const ended = task.endedAt ?? (tip.status === "finished" ? Number.NEGATIVE_INFINITY : at);
    if (ended <= at && ended > latestAt) {
      latest = task;
      latestAt = ended;
    }
  }
  return latest;
}

/** The parent whose end let the task start: the last one to end that was not later than its readiness. */
function lastParent(tip: RunState, task: TaskState, visited: ReadonlySet<string>): TaskState | undefined {
  const graph = tip.graph;
  const index = graph?.indexOf.get(task.id);
  if (graph === undefined || index === undefined) return undefined;
  let latest: TaskState | undefined;
  for (const parent of predecessorsOf(graph, index)) {
    const candidate = tip.tasks.get(graph.ids[parent] as string);
    if (candidate?.endedAt === undefined || visited.has(candidate.id)) continue;
    if (task.readyAt !== undefined && candidate.endedAt > task.readyAt) continue;
    if (latest?.endedAt === undefined || candidate.endedAt > latest.endedAt) latest = candidate;
  }
  return latest;
}

/** The event behind the revision that let the task start, where that revision and no parent was the last to come. */
function revisionTrigger(
  events: readonly RunEvent[],
  tip: RunState,
  task: TaskState,
): { readonly at: number; readonly taskId?: string } | undefined {
  const readyAt = task.readyAt;
  if (readyAt === undefined) return undefined;
  const revision = tip.revisions.find((candidate) => candidate.triggerSeq !== undefined && candidate.at === readyAt);
  if (revision?.triggerSeq === undefined) return undefined;
  const parent = lastParent(tip, task, new Set());
  if (parent?.endedAt !== undefined && parent.endedAt >= revision.at) return undefined;
  const event = events[revision.triggerSeq - 1];
  if (event === undefined) return undefined;
  return "taskId" in event && event.taskId !== undefined ? { at: event.at, taskId: event.taskId } : { at: event.at };
}
