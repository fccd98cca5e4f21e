import type { PlanGraph } from "./graph";
import type { Task } from "./plan";
import { EDGE_CONTROL } from "./plan-graph";
import { CLOSURE_MAX_TASKS, type Reachability, reachabilityOf, reaches } from "./reachability";
import type { ValidationContext } from "./validation-context";

/**
 * Declared edges that say nothing new, since a longer path already orders the two tasks (transitive reduction, Aho,
 * Garey & Ullman 1972). Edges made by references are never redundant: they carry a value. Only paths through tasks
 * with the default join count, as only those hand on that their parents succeeded. Looked for in plans of up to
 * {@link CLOSURE_MAX_TASKS} tasks.
 */
export function validateEdges(context: ValidationContext): void {
  const { plan, graph } = context;
  const closure = strictReachability(context);
  if (closure === undefined) return;
  for (let task = 0; task < graph.size; task++) {
    const start = graph.predecessorOffsets[task] as number;
    const end = graph.predecessorOffsets[task + 1] as number;
    if (end - start < 2 || plan.tasks[task]?.join !== "all_succeeded") continue;
    for (let at = start; at < end; at++) {
      const parent = graph.predecessors[at] as number;
      if (graph.predecessorKinds[at] !== EDGE_CONTROL || parent === task) continue;
      const via = between(graph, closure, parent, start, end);
      if (via !== undefined) report(context, task, parent, via);
    }
  }
}

function strictReachability({ plan, graph, order, paths }: ValidationContext): Reachability | undefined {
  if (order === undefined || graph.size > CLOSURE_MAX_TASKS) return undefined;
  const passes = Uint8Array.from(plan.tasks, ({ join }) => (join === "all_succeeded" ? 1 : 0));
  return passes.includes(0) ? reachabilityOf(graph, order, passes) : paths?.closure();
}

/** Another parent of the same task that `parent` leads to. */
function between(
  graph: PlanGraph,
  closure: Reachability,
  parent: number,
  start: number,
  end: number,
): number | undefined {
  for (let at = start; at < end; at++) {
    const other = graph.predecessors[at] as number;
    if (other !== parent && reaches(closure, parent, other)) return other;
  }
  return undefined;
}

function report(context: ValidationContext, index: number, parent: number, via: number): void {
  const [task, from, middle] = [index, parent, via].map((at) => context.plan.tasks[at] as Task) as [Task, Task, Task];
  const at = task.dependsOn.indexOf(from.id);
  context.report({
    code: "redundant_edge",
    severity: "info",
    place: ["tasks", index, "dependsOn", at],
    message: `“${task.id}” already waits for “${from.id}” by way of “${middle.id}”.`,
    related: [{ pointer: `/tasks/${via}`, taskId: middle.id }],
    fix: {
      label: "Remove this dependency",
      edits: [{ type: "remove_dependency", taskId: task.id, dependsOn: from.id }],
    },
  });
}
