import type { CapabilityRegistry } from "#kernel/capability/capability";
import type { Plan } from "#kernel/plan/plan";
import type { PlanEdge } from "#kernel/plan/plan-graph";
import { edgeKey, type PictureConflict, type PictureEdge, type PictureNode } from "../graph/picture";
import type { Layout } from "../graph/use-layout";
import { formatSeconds } from "../ui/duration";
import type { PlanAnalysis } from "./analyse";
import type { Overlays } from "./designer-store";

export interface PlanPicture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly conflicts: readonly PictureConflict[];
}

export interface PictureInput {
  readonly plan: Plan;
  readonly edges: readonly PlanEdge[];
  readonly layout: Layout;
  readonly registry: CapabilityRegistry;
  readonly analysis: PlanAnalysis | undefined;
  readonly overlays: Overlays;
  /** The wave pointed at in the dock; its tasks stand out. */
  readonly wave?: ReadonlySet<string>;
}

/** Edges that make up the critical path, as keys. */
const pathKeys = (path: readonly string[]): ReadonlySet<string> =>
  new Set(path.slice(1).map((to, index) => edgeKey(path[index] ?? "", to)));

/**
 * A plan as the canvas draws it. Roots are shown as ready: that is what would start first. Pass the picture before
 * to keep the objects of tasks that look the same, so that their cards are left alone.
 */
export function pictureOf(input: PictureInput, before?: PlanPicture): PlanPicture {
  const { plan, edges, layout, overlays, analysis, wave } = input;
  const critical = new Set(overlays.criticalPath ? (analysis?.analysis?.criticalPath ?? []) : []);
  const criticalEdges = pathKeys(overlays.criticalPath ? (analysis?.analysis?.criticalPath ?? []) : []);
  const waiting = new Set(edges.map((edge) => edge.to));
  const problems = problemsByTask(analysis);
  const known = new Map(before?.nodes.map((node) => [node.id, node]));
  const levels = overlays.readySets ? levelByTask(analysis) : undefined;

  const nodes = plan.tasks.map((task, index): PictureNode => {
    const place = task.position ?? layout.positions.get(task.id) ?? { x: 0, y: index * 100 };
    const capability = input.registry.find(task.capability);
    const level = levels?.get(task.id);
    const problem = problems.get(task.id);
    const isDimmed = (wave !== undefined && !wave.has(task.id)) || false;
    const node: PictureNode = {
      id: task.id,
      title: task.title ?? task.id,
      status: waiting.has(task.id) ? "pending" : "ready",
      footer: "capability",
      capability: task.capability,
      time: timeOf(analysis, index),
      x: place.x,
      y: place.y,
      ...(capability === undefined ? {} : { sideEffect: capability.sideEffect }),
      ...(critical.has(task.id) ? { critical: true } : {}),
      ...(task.approval !== undefined || capability?.approval === "always" ? { gate: true } : {}),
      ...(problem === undefined ? {} : { problem }),
      ...(isDimmed ? { dimmed: true } : {}),
      ...(level === undefined ? {} : { tags: [{ label: `wave ${level + 1}`, tone: "ready" as const }] }),
    };
    const earlier = known.get(task.id);
    return earlier !== undefined && isSameNode(earlier, node) ? earlier : node;
  });

  const moved = new Set<string>(plan.tasks.flatMap((task) => (task.position === undefined ? [] : [task.id])));
  const knownEdges = new Map(before?.edges.map((edge) => [edgeKey(edge.from, edge.to), edge]));
  const drawn = edges.map((edge): PictureEdge => {
    const key = edgeKey(edge.from, edge.to);
    const route = moved.has(edge.from) || moved.has(edge.to) ? undefined : layout.routes.get(key);
    const next: PictureEdge = {
      from: edge.from,
      to: edge.to,
      kind: edge.data ? "data" : "control",
      ...(criticalEdges.has(key) ? { critical: true } : {}),
      ...(route === undefined ? {} : { route }),
    };
    const earlier = knownEdges.get(key);
    return earlier !== undefined && isSameEdge(earlier, next) ? earlier : next;
  });

  return {
    nodes,
    edges: drawn,
    conflicts: overlays.conflicts ? (analysis?.conflicts ?? []).slice(0, CONFLICTS_MAX) : [],
  };
}

/** More than that on one picture is a red field; the Problems list has them all. */
const CONFLICTS_MAX = 60;

const timeOf = (analysis: PlanAnalysis | undefined, index: number): string =>
  formatSeconds(analysis?.durations.seconds[index]);

/** The first error of each task, in words. */
function problemsByTask(analysis: PlanAnalysis | undefined): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  for (const { severity, taskId, message, code } of analysis?.diagnostics ?? []) {
    // A conflict is drawn as itself.
    if (severity !== "error" || taskId === undefined || code === "resource_conflict") continue;
    if (!problems.has(taskId)) problems.set(taskId, message);
  }
  return problems;
}

function levelByTask(analysis: PlanAnalysis | undefined): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  analysis?.analysis?.levels.forEach((ids, level) => {
    for (const id of ids) levels.set(id, level);
  });
  return levels;
}

const isSameNode = (a: PictureNode, b: PictureNode): boolean =>
  a.title === b.title &&
  a.status === b.status &&
  a.capability === b.capability &&
  a.sideEffect === b.sideEffect &&
  a.time === b.time &&
  a.critical === b.critical &&
  a.gate === b.gate &&
  a.problem === b.problem &&
  a.dimmed === b.dimmed &&
  a.tags?.[0]?.label === b.tags?.[0]?.label &&
  a.x === b.x &&
  a.y === b.y;

const isSameEdge = (a: PictureEdge, b: PictureEdge): boolean =>
  a.kind === b.kind && a.critical === b.critical && sameRoute(a.route, b.route);

const sameRoute = (a: PictureEdge["route"], b: PictureEdge["route"]): boolean =>
  a === b ||
  (a?.length === b?.length && (a ?? []).every(([x, y], index) => x === b?.[index]?.[0] && y === b?.[index]?.[1]));
