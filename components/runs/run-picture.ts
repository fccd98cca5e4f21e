import type { RunState, TaskState } from "#kernel/run/state";
import { capabilityOf, expectedDuration, taskDuration } from "#kernel/view/duration";
import { formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import type { Waiting } from "#kernel/view/waiting";
import { type DiffMark, displayStatusOf } from "../graph/encoding";
import type { PictureEdge, PictureNode } from "../graph/picture";
import { type EdgePicture, edgesOfPlan } from "./plan-edges";
import type { Overlay } from "./view-store";

/** What the canvas draws of a run at one moment, without places: those come from the layout of the whole run. */
export interface RunPicture {
  readonly nodes: readonly Omit<PictureNode, "x" | "y">[];
  readonly edges: readonly PictureEdge[];
}

/**
 * The picture of a frame. Tasks that the current revision took out stay as ghosts at their old place while the diff
 * is shown; earlier ones are gone.
 */
export function pictureOf(frame: Frame, overlays: ReadonlySet<Overlay>): RunPicture {
  const { state } = frame;
  const revision = state.revisions.at(-1);
  const showDiff = overlays.has("diff") && revision?.diff !== undefined;
  const marks = showDiff ? diffMarks(state) : new Map<string, DiffMark>();
  const critical = overlays.has("critical") ? new Set(frame.criticalPath) : new Set<string>();
  const criticalEdges = overlays.has("critical") ? consecutive(frame.criticalPath) : new Set<string>();
  const waiting = new Map(frame.waiting.map((each) => [each.taskId, each]));
  const nodes: Omit<PictureNode, "x" | "y">[] = [];
  const shown = new Set<string>();
  for (const task of state.tasks.values()) {
    if (task.instance !== undefined) continue;
    const ghost = marks.get(task.id) === "removed";
    if (task.removedInRevision !== undefined && !ghost && task.attempts.length === 0) continue;
    shown.add(task.id);
    nodes.push(
      nodeOf(frame, task, {
        waiting: waiting.get(task.id),
        mark: marks.get(task.id),
        critical: critical.has(task.id),
        dimmed: overlays.has("ready") && !state.ready.has(task.id) && task.status !== "awaiting_approval",
      }),
    );
  }
  return { nodes, edges: edgesAt(state, { shown, marks, criticalEdges, showDiff }) };
}

interface NodeContext {
  readonly waiting: Waiting | undefined;
  readonly mark: DiffMark | undefined;
  readonly critical: boolean;
  readonly dimmed: boolean;
}

function nodeOf(frame: Frame, task: TaskState, context: NodeContext): Omit<PictureNode, "x" | "y"> {
  const hold = context.waiting?.hold?.type;
  const time = timeText(frame, task, context.waiting);
  const change = context.mark === "changed" ? changeText(frame.state, task.id) : undefined;
  const needsSignature = task.task.approval !== undefined && (task.status === "pending" || task.status === "ready");
  return {
    id: task.id,
    title: task.task.title ?? task.id,
    status: displayStatusOf(task.status, hold),
    footer: "status",
    ...(hold === undefined ? {} : { hold }),
    ...(time === undefined ? {} : { time }),
    ...(context.critical ? { critical: true } : {}),
    ...(needsSignature ? { gate: true } : {}),
    ...(context.mark === undefined ? {} : { diff: context.mark }),
    ...(change === undefined ? {} : { change }),
    ...(context.dimmed ? { dimmed: true } : {}),
  };
}

/** Right of the footer: how long it took, runs, waits or will take. */
function timeText(frame: Frame, task: TaskState, waiting: Waiting | undefined): string | undefined {
  const { state, at } = frame;
  if (task.instanceIds !== undefined) {
    const done = task.instanceIds.length - (task.openInstances ?? 0);
    return `${done} of ${task.instanceIds.length}`;
  }
  switch (task.status) {
    case "succeeded":
      return task.attempts.length === 0 ? undefined : formatDuration(taskDuration(state, task, at).ms);
    case "dispatched":
    case "running": {
      const attempt = task.attempts.at(-1);
      const from = attempt?.startedAt ?? attempt?.dispatchedAt;
      return from === undefined ? undefined : formatDuration(Math.max(0, at - from));
    }
    case "failed":
      return task.attempts.length > 1
        ? `${task.attempts.length} of ${task.task.retry?.maxAttempts ?? task.attempts.length} attempts`
        : task.task.retry === undefined && task.attempts.length === 1
          ? "no retry"
          : undefined;
    case "blocked":
      return task.cause?.taskId === undefined ? undefined : `by ${task.cause.taskId}`;
    case "ready":
    case "awaiting_approval":
      if (waiting?.hold?.type === "approval" || waiting?.until === undefined) return undefined;
      return `in ${formatDuration(Math.max(0, waiting.until - at))}`;
    case "pending":
      return `est. ${formatDuration(expectedDuration(task.task, capabilityOf(state, task.task)).ms)}`;
    default:
      return undefined;
  }
}

function diffMarks(state: RunState): ReadonlyMap<string, DiffMark> {
  const diff = state.revisions.at(-1)?.diff;
  const marks = new Map<string, DiffMark>();
  if (diff === undefined) return marks;
  for (const id of diff.added) marks.set(id, "added");
  for (const id of diff.removed) marks.set(id, "removed");
  for (const { taskId } of diff.changed) marks.set(taskId, "changed");
  return marks;
}

/** `3m 00s → 5m 00s` for a changed estimate, else which keys changed. */
export function changeText(state: RunState, taskId: string): string | undefined {
  const changed = state.revisions.at(-1)?.diff?.changed.find((each) => each.taskId === taskId);
  if (changed === undefined) return undefined;
  const estimate = changed.fields.find((field) => field.pointer.startsWith("/estimate"));
  const before = secondsIn(estimate?.before);
  const after = secondsIn(estimate?.after);
  if (before !== undefined && after !== undefined) {
    return `${formatDuration(before * 1_000)} → ${formatDuration(after * 1_000)}`;
  }
  const keys = [...new Set(changed.fields.map((field) => field.pointer.split("/")[1] ?? ""))];
  return keys.slice(0, 2).join(", ");
}

function secondsIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "object" || value === null || !("seconds" in value)) return undefined;
  return typeof value.seconds === "number" ? value.seconds : undefined;
}

const consecutive = (path: readonly string[]): ReadonlySet<string> =>
  new Set(path.slice(1).map((id, index) => `${path[index]} ${id}`));

interface EdgeContext {
  readonly shown: ReadonlySet<string>;
  readonly marks: ReadonlyMap<string, DiffMark>;
  readonly criticalEdges: ReadonlySet<string>;
  readonly showDiff: boolean;
}

function edgesAt(state: RunState, context: EdgeContext): readonly PictureEdge[] {
  const current = state.plan === undefined ? [] : edgesOfPlan(state.plan);
  const before = context.showDiff ? state.revisions.at(-2)?.plan : undefined;
  const earlier = before === undefined ? [] : edgesOfPlan(before);
  const known = new Set(earlier.map((edge) => `${edge.from} ${edge.to}`));
  const now = new Set(current.map((edge) => `${edge.from} ${edge.to}`));
  const picture = (edge: EdgePicture, diff?: "added" | "removed"): PictureEdge => ({
    ...edge,
    ...(context.criticalEdges.has(`${edge.from} ${edge.to}`) ? { critical: true } : {}),
    ...(diff === undefined ? {} : { diff }),
  });
  const edges = current
    .filter((edge) => context.shown.has(edge.from) && context.shown.has(edge.to))
    .map((edge) => picture(edge, before !== undefined && !known.has(`${edge.from} ${edge.to}`) ? "added" : undefined));
  const gone = earlier
    .filter((edge) => !now.has(`${edge.from} ${edge.to}`) && context.shown.has(edge.from) && context.shown.has(edge.to))
    .map((edge) => picture(edge, "removed"));
  return [...edges, ...gone];
}
