import type { Plan } from "#kernel/plan/plan";
import { edgesOf, graphOfPlan } from "#kernel/plan/plan-graph";
import type { RunState } from "#kernel/run/state";

export interface EdgePicture {
  readonly from: string;
  readonly to: string;
  readonly kind: "data" | "control";
}

const cache = new WeakMap<Plan, readonly EdgePicture[]>();

/** Edges of a plan as drawn; kept for each plan, since a revision's plan never changes. */
export function edgesOfPlan(plan: Plan): readonly EdgePicture[] {
  const known = cache.get(plan);
  if (known !== undefined) return known;
  const edges = edgesOf(graphOfPlan(plan)).map(
    ({ from, to, data }): EdgePicture => ({ from, to, kind: data ? "data" : "control" }),
  );
  cache.set(plan, edges);
  return edges;
}

/**
 * The graph of all revisions together, which is what gets laid out: a task then stands at the same place at every
 * moment. Edges of the newest plan win; older ones are added where they touch a task that is no longer in it and
 * close no cycle with what is there.
 */
export function unionGraph(state: RunState): {
  readonly ids: readonly string[];
  readonly edges: readonly EdgePicture[];
} {
  const ids = [...state.tasks.values()].filter((task) => task.instance === undefined).map((task) => task.id as string);
  const known = new Set(ids);
  const edges: EdgePicture[] = [];
  const successors = new Map<string, Set<string>>();
  const add = (edge: EdgePicture) => {
    if (!known.has(edge.from) || !known.has(edge.to)) return;
    const next = successors.get(edge.from) ?? new Set<string>();
    if (next.has(edge.to)) return;
    successors.set(edge.from, next.add(edge.to));
    edges.push(edge);
  };
  if (state.plan !== undefined) for (const edge of edgesOfPlan(state.plan)) add(edge);
  const planned = new Set<string>(state.plan?.tasks.map((task) => task.id) ?? []);
  for (const { plan } of [...state.revisions].reverse()) {
    if (plan === state.plan) continue;
    for (const edge of edgesOfPlan(plan)) {
      if (planned.has(edge.from) && planned.has(edge.to)) continue;
      if (!reaches(successors, edge.to, edge.from)) add(edge);
    }
  }
  return { ids, edges };
}

function reaches(successors: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from]);
  const stack = [from];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === to) return true;
    for (const next of successors.get(id) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      stack.push(next);
    }
  }
  return false;
}
