import { successorsOf } from "../plan/graph";
import type { RunEvent } from "../run/event";
import type { RunState } from "../run/state";

/** Something that followed from an event; `afterMs` later. */
export interface Consequence {
  readonly seq?: number;
  readonly taskId?: string;
  readonly kind: "ready" | "event";
  readonly afterMs: number;
}

/**
 * What the event `seq` set off: events that name it (or its task's end) as their cause or trigger, and tasks that
 * became ready by it. In order of time.
 */
export function aftermathOf(events: readonly RunEvent[], tip: RunState, seq: number): readonly Consequence[] {
  const origin = events[seq - 1];
  if (origin === undefined) return [];
  const found: Consequence[] = [];
  for (let at = seq; at < events.length; at++) {
    const event = events[at] as RunEvent;
    if (causeSeqOf(event) === seq) {
      const task = "taskId" in event && event.taskId !== undefined ? { taskId: event.taskId } : {};
      found.push({ seq: event.seq, kind: "event", afterMs: event.at - origin.at, ...task });
    }
  }
  if ("taskId" in origin && origin.taskId !== undefined && tip.graph !== undefined) {
    const task = tip.tasks.get(origin.taskId);
    const index = tip.graph.indexOf.get(origin.taskId);
    if (index !== undefined && task?.endedAt === origin.at) {
      for (const next of successorsOf(tip.graph, index)) {
        const child = tip.tasks.get(tip.graph.ids[next] as string);
        if (child?.readyAt === origin.at) found.push({ taskId: child.id, kind: "ready", afterMs: 0 });
      }
    }
  }
  return found.sort((left, right) => left.afterMs - right.afterMs);
}

function causeSeqOf(event: RunEvent): number | undefined {
  if ("cause" in event) return event.cause.seq;
  if ("triggerSeq" in event) return event.triggerSeq;
  if ("causeSeq" in event) return event.causeSeq;
  return undefined;
}
