import type { RunEvent } from "../run/event";
import type { RunState } from "../run/state";
import { orderOf } from "./outlook";
import type { AttemptEnd, TimelineLane, TimelineSegment } from "./timeline-lane";
import { type Interval, splitWaits } from "./waits";

export interface RevisionMark {
  readonly revision: number;
  readonly seq: number;
  readonly at: number;
  readonly reason: string;
}

/** A moment worth a mark on the scrubber. */
export interface TimelineMark {
  readonly kind: "failure" | "repetition" | "refused_replan";
  readonly seq: number;
  readonly at: number;
  readonly taskId?: string;
}

export interface Timeline {
  readonly from: number;
  /** The last event, or the end of the run. */
  readonly to: number;
  readonly finished: boolean;
  readonly lanes: readonly TimelineLane[];
  readonly revisions: readonly RevisionMark[];
  readonly marks: readonly TimelineMark[];
  readonly pauses: readonly Interval[];
  /** Gates before the plan or its completion, which stand in no lane. */
  readonly planGates: readonly Interval[];
}

interface LaneBuilder {
  /** Since when the task waits; undefined while it executes, stands at a gate, or is not ready. */
  waitingFrom?: number;
  running?: { from: number; attempt: number };
  readonly segments: TimelineSegment[];
}

/**
 * The lanes of a run, from its events. `tip` is the fold of `events`: it knows what no event says, when each task
 * became ready. O(events + tasks · log tasks), plus the overlaps of waits with the calls that caused them.
 */
export function buildTimeline(events: readonly RunEvent[], tip: RunState): Timeline {
  const builders = new Map<string, LaneBuilder>();
  const revisions: RevisionMark[] = [];
  const marks: TimelineMark[] = [];
  const pauses: { from: number; to?: number }[] = [];
  const planGates: { from: number; to?: number; gateId: string }[] = [];
  const gates = new Map<string, { taskId: string | undefined; quorum: number; signers: Set<string> }>();

  const laneOf = (taskId: string): LaneBuilder => {
    let lane = builders.get(taskId);
    if (lane === undefined) {
      const readyAt = tip.tasks.get(taskId)?.readyAt;
      lane = { segments: [], ...(readyAt === undefined ? {} : { waitingFrom: readyAt }) };
      builders.set(taskId, lane);
    }
    return lane;
  };
  const closeWait = (lane: LaneBuilder, to: number) => {
    if (lane.waitingFrom !== undefined && to > lane.waitingFrom) {
      lane.segments.push({ kind: "queue", from: lane.waitingFrom, to });
    }
    delete lane.waitingFrom;
  };
  const closeCall = (
    lane: LaneBuilder,
    call: { attempt: number; startedAt?: number | undefined; end: AttemptEnd; event: RunEvent },
  ) => {
    // A start on another machine's clock may lie after its end; the end is on the database clock.
    const from = Math.min(call.startedAt ?? lane.running?.from ?? call.event.at, call.event.at);
    if (lane.running === undefined) closeWait(lane, from);
    delete lane.running;
    lane.segments.push({
      kind: "execute",
      from,
      to: call.event.at,
      attempt: call.attempt,
      end: call.end,
      seq: call.event.seq,
    });
  };
  const closeGate = (gateId: string, at: number) => {
    const gate = gates.get(gateId);
    if (gate === undefined) return;
    gates.delete(gateId);
    if (gate.taskId === undefined) {
      const open = planGates.find((each) => each.gateId === gateId);
      if (open !== undefined) open.to = at;
      return;
    }
    const lane = laneOf(gate.taskId);
    const index = lane.segments.findIndex((segment) => segment.gateId === gateId);
    const segment = lane.segments[index];
    if (segment === undefined) return;
    lane.segments[index] = { ...segment, to: at };
    if (lane.running === undefined) lane.waitingFrom = at;
  };
  const stop = (lane: LaneBuilder, event: RunEvent) => {
    if (lane.running !== undefined) {
      closeCall(lane, { attempt: lane.running.attempt, end: "cancelled", event });
    } else {
      closeWait(lane, event.at);
    }
  };

  for (const event of events) {
    switch (event.type) {
      case "approval_requested": {
        gates.set(event.gateId, { taskId: event.taskId, quorum: event.quorum, signers: new Set() });
        if (event.taskId === undefined) {
          planGates.push({ from: event.at, gateId: event.gateId });
          break;
        }
        const lane = laneOf(event.taskId);
        closeWait(lane, event.at);
        lane.segments.push({ kind: "gate", from: event.at, gateId: event.gateId });
        break;
      }
      case "approval_decided": {
        const gate = gates.get(event.gateId);
        if (gate === undefined) break;
        if (event.decision === "approve") gate.signers.add(event.by.id);
        if (event.decision !== "approve" || gate.signers.size >= gate.quorum) closeGate(event.gateId, event.at);
        break;
      }
      case "approval_revoked":
      case "approval_expired":
        closeGate(event.gateId, event.at);
        break;
      case "task_dispatched":
      case "task_started": {
        const lane = laneOf(event.taskId);
        closeWait(lane, event.at);
        if (lane.running?.attempt !== event.attempt) lane.running = { from: event.at, attempt: event.attempt };
        break;
      }
      case "task_observed":
        if (event.late === true) break;
        closeCall(laneOf(event.taskId), { ...event, end: event.observation.status, event });
        laneOf(event.taskId).waitingFrom = event.at;
        if (event.observation.status !== "ok") {
          marks.push({ kind: "failure", seq: event.seq, at: event.at, taskId: event.taskId });
        }
        break;
      case "task_retry_scheduled": {
        const lane = laneOf(event.taskId);
        closeWait(lane, event.at);
        lane.segments.push({ kind: "backoff", from: event.at, to: Math.max(event.at, event.notBefore) });
        lane.waitingFrom = Math.max(event.at, event.notBefore);
        break;
      }
      case "task_succeeded":
        closeCall(laneOf(event.taskId), { ...event, end: "ok", event });
        break;
      case "task_failed": {
        const lane = laneOf(event.taskId);
        if (lane.running !== undefined || event.startedAt !== undefined) {
          closeCall(lane, { attempt: event.attempt, startedAt: event.startedAt, end: "terminal", event });
        } else {
          closeWait(lane, event.at);
        }
        marks.push({ kind: "failure", seq: event.seq, at: event.at, taskId: event.taskId });
        break;
      }
      case "outcome_unknown": {
        const lane = laneOf(event.taskId);
        closeCall(lane, { ...event, end: "unknown", event });
        lane.segments.push({ kind: "gate", from: event.at });
        marks.push({ kind: "failure", seq: event.seq, at: event.at, taskId: event.taskId });
        break;
      }
      case "outcome_reconciled": {
        const lane = laneOf(event.taskId);
        closeLast(lane.segments, "gate", event.at);
        if (event.resolution === "retry") lane.waitingFrom = event.at;
        break;
      }
      case "task_cancelled":
      case "task_skipped":
      case "task_blocked":
      case "task_stopped":
        stop(laneOf(event.taskId), event);
        break;
      case "plan_revised":
        revisions.push({ revision: event.revision, seq: event.seq, at: event.at, reason: event.reason });
        break;
      case "replan_refused":
        marks.push({ kind: "refused_replan", seq: event.seq, at: event.at });
        break;
      case "repetition_detected":
        marks.push({ kind: "repetition", seq: event.seq, at: event.at, taskId: event.taskId });
        break;
      case "run_paused":
        pauses.push({ from: event.at });
        break;
      case "run_resumed": {
        const pause = pauses.at(-1);
        if (pause !== undefined && pause.to === undefined) pause.to = event.at;
        break;
      }
      default:
        break;
    }
  }

  const lanes: TimelineLane[] = [];
  for (const taskId of laneOrder(tip)) {
    const task = tip.tasks.get(taskId);
    if (task === undefined) continue;
    const builder = laneOf(taskId);
    if (builder.running !== undefined) {
      builder.segments.push({ kind: "execute", from: builder.running.from, attempt: builder.running.attempt });
    } else if (builder.waitingFrom !== undefined && (task.status === "ready" || task.status === "awaiting_approval")) {
      builder.segments.push({ kind: "queue", from: builder.waitingFrom });
    }
    lanes.push({
      taskId,
      title: task.task.title ?? taskId,
      segments: clipBackoff(builder.segments),
      ...(task.readyAt === undefined ? {} : { readyAt: task.readyAt }),
      ...(task.endedAt === undefined ? {} : { endedAt: task.endedAt }),
      status: task.status,
      removed: task.removedInRevision !== undefined,
    });
  }
  const from = tip.createdAt ?? events[0]?.at ?? 0;
  const closedPauses = pauses.map(({ from: start, to }) => interval(start, to ?? tip.finishedAt));
  return {
    from,
    to: Math.max(from, tip.finishedAt ?? tip.lastAt),
    finished: tip.status === "finished",
    lanes: splitWaits(lanes, tip, closedPauses),
    revisions,
    marks,
    pauses: closedPauses,
    planGates,
  };
}

const interval = (from: number, to: number | undefined): Interval => (to === undefined ? { from } : { from, to });

function closeLast(segments: TimelineSegment[], kind: TimelineSegment["kind"], to: number): void {
  const at = segments.length - 1;
  const last = segments[at];
  if (last !== undefined && last.kind === kind && last.to === undefined) segments[at] = { ...last, to };
}

/** A retry that was started early (by a person, or after a resume) ends its backoff. */
function clipBackoff(segments: readonly TimelineSegment[]): readonly TimelineSegment[] {
  return segments.map((segment, at) => {
    const next = segments[at + 1];
    if (segment.kind !== "backoff" || next === undefined || segment.to === undefined || next.from >= segment.to) {
      return segment;
    }
    return { ...segment, to: Math.max(segment.from, next.from) };
  });
}

/** By when each task became ready, then in the plan's order, parents first; tasks not ready yet come last. */
function laneOrder(tip: RunState): readonly string[] {
  const rank = new Map<string, number>();
  if (tip.graph !== undefined) {
    for (const [at, index] of orderOf(tip.graph).entries()) rank.set(tip.graph.ids[index] as string, at);
  }
  const rankOf = (id: string) => rank.get(id) ?? -1;
  const readyAt = (id: string) => tip.tasks.get(id)?.readyAt ?? Number.POSITIVE_INFINITY;
  return [...tip.tasks.keys()].sort((left, right) => {
    const byTime = readyAt(left) - readyAt(right);
    return Number.isNaN(byTime) || byTime === 0 ? rankOf(left) - rankOf(right) : byTime;
  });
}
