import { type PlanGraph, predecessorsOf } from "#kernel/plan/graph";
import { wouldCloseCycle } from "#kernel/plan/path";

const NAMED_MAX = 6;

/**
 * Why no edge may lead from one task to another, in words: to itself, twice, or around in a circle, with the path
 * that would close it. Undefined when it may.
 */
export function refuseEdge(graph: PlanGraph, from: string, to: string): string | undefined {
  if (from === to) return `${from} cannot wait for itself`;
  const source = graph.indexOf.get(from);
  const target = graph.indexOf.get(to);
  if (source === undefined || target === undefined) return undefined;
  if (predecessorsOf(graph, target).includes(source)) return `${to} already waits for ${from}`;
  const path = wouldCloseCycle(graph, to, from);
  return path === undefined ? undefined : `This would close a cycle: ${shortened([...path, to]).join(" → ")}`;
}

function shortened(names: readonly string[]): readonly string[] {
  if (names.length <= NAMED_MAX) return names;
  return [...names.slice(0, NAMED_MAX - 3), `${names.length - NAMED_MAX + 1} more`, ...names.slice(-2)];
}
