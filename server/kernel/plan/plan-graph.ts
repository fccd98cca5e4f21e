import type { JsonValue } from "../json";
import { forEachReferencedTask } from "./find-references";
import { buildGraph, type PlanGraph } from "./graph";
import type { Condition, Plan, Task } from "./plan";
import { ITEM } from "./reference-grammar";

/** An edge that `dependsOn` declares. */
export const EDGE_CONTROL = 1;
/** An edge that a reference makes: the task uses the other's output. */
export const EDGE_DATA = 2;

/** The graph of a plan, with why each edge is there. */
export interface TaskGraph extends PlanGraph {
  /** Per entry of `predecessors`: {@link EDGE_CONTROL}, {@link EDGE_DATA} or both added. */
  readonly predecessorKinds: Uint8Array;
}

/** One edge by task ids, for drawing and reports. */
export interface PlanEdge {
  readonly from: string;
  readonly to: string;
  readonly control: boolean;
  readonly data: boolean;
}

/**
 * The graph of a plan: Pred(v) = `dependsOn` ∪ the tasks that the arguments, `when` and `forEach` of v refer to.
 * A `{"status": …}` condition is no reference: it needs its task upstream and does not put it there.
 *
 * Total: names of tasks that are not there are left out (validation reports them), of two tasks with one id the
 * first is meant, a task that needs itself keeps that edge, since it is a cycle. O(size of the plan).
 */
export function graphOfPlan(plan: Pick<Plan, "tasks">): TaskGraph {
  const tasks = plan.tasks;
  const size = tasks.length;
  const ids = new Array<string>(size);
  const indexOf = new Map<string, number>();
  for (let index = size - 1; index >= 0; index--) {
    const id = (tasks[index] as Task).id;
    ids[index] = id;
    indexOf.set(id, index);
  }
  const edges = new EdgeList(size * 3);
  /** `lastTo[u] === v + 1` once the edge u → v is in the list, at `slot[u]`; so duplicates cost one look. */
  const lastTo = new Int32Array(size);
  const slot = new Int32Array(size);
  let current = 0;
  let kind = EDGE_CONTROL;
  const add = (name: string): void => {
    const from = indexOf.get(name);
    if (from === undefined) return;
    if (lastTo[from] === current + 1) {
      edges.addKind(slot[from] as number, kind);
      return;
    }
    lastTo[from] = current + 1;
    slot[from] = edges.push(from, current, kind);
  };
  for (; current < size; current++) {
    const task = tasks[current] as Task;
    kind = EDGE_CONTROL;
    for (const name of task.dependsOn) add(name);
    kind = EDGE_DATA;
    forEachTaskReference(task, add);
  }
  return { ...buildGraph(ids, edges.from(), edges.to(), indexOf), predecessorKinds: edges.kinds() };
}

/** Calls `found` with every task that `task` refers to, `item` of its own `forEach` left out; with repeats. */
function forEachTaskReference(task: Task, found: (taskId: string) => void): void {
  if (task.forEach === undefined || task.forEach === null) {
    forEachReferencedTask(task.arguments, found);
    if (task.when !== undefined) forEachConditionReference(task.when, found);
    if (task.precondition !== undefined) forEachConditionReference(task.precondition, found);
    return;
  }
  const outer = (taskId: string): void => {
    if (taskId !== ITEM) found(taskId);
  };
  forEachReferencedTask(task.forEach, found);
  forEachReferencedTask(task.arguments, outer);
  if (task.when !== undefined) forEachConditionReference(task.when, outer);
  if (task.precondition !== undefined) forEachConditionReference(task.precondition, outer);
}

function forEachConditionReference(condition: Condition, found: (taskId: string) => void): void {
  if (typeof condition === "boolean") return;
  if ("all" in condition) for (const part of condition.all) forEachConditionReference(part, found);
  else if ("any" in condition) for (const part of condition.any) forEachConditionReference(part, found);
  else if ("not" in condition) forEachConditionReference(condition.not, found);
  else if ("value" in condition) {
    forEachReferencedTask(condition.value as JsonValue, found);
    forEachReferencedTask((condition.equals ?? null) as JsonValue, found);
    forEachReferencedTask((condition.notEquals ?? null) as JsonValue, found);
  }
}

/** The edges in the order of their targets, then as written. */
export function edgesOf(graph: TaskGraph): readonly PlanEdge[] {
  const edges: PlanEdge[] = [];
  for (let to = 0; to < graph.size; to++) {
    const end = graph.predecessorOffsets[to + 1] as number;
    for (let at = graph.predecessorOffsets[to] as number; at < end; at++) {
      const kind = graph.predecessorKinds[at] as number;
      edges.push({
        from: graph.ids[graph.predecessors[at] as number] as string,
        to: graph.ids[to] as string,
        control: (kind & EDGE_CONTROL) !== 0,
        data: (kind & EDGE_DATA) !== 0,
      });
    }
  }
  return edges;
}

/** Edges in typed arrays that grow; pushed by ascending target, so their order is that of `predecessors`. */
class EdgeList {
  #from: Int32Array;
  #to: Int32Array;
  #kinds: Uint8Array;
  #length = 0;

  constructor(capacity: number) {
    this.#from = new Int32Array(capacity + 8);
    this.#to = new Int32Array(capacity + 8);
    this.#kinds = new Uint8Array(capacity + 8);
  }

  push(from: number, to: number, kind: number): number {
    if (this.#length === this.#from.length) this.#grow();
    const at = this.#length++;
    this.#from[at] = from;
    this.#to[at] = to;
    this.#kinds[at] = kind;
    return at;
  }

  addKind(at: number, kind: number): void {
    this.#kinds[at] = (this.#kinds[at] as number) | kind;
  }

  from = (): Int32Array => this.#from.subarray(0, this.#length);
  to = (): Int32Array => this.#to.subarray(0, this.#length);
  kinds = (): Uint8Array => this.#kinds.slice(0, this.#length);

  #grow(): void {
    const capacity = this.#from.length * 2;
    const from = new Int32Array(capacity);
    const to = new Int32Array(capacity);
    const kinds = new Uint8Array(capacity);
    from.set(this.#from);
    to.set(this.#to);
    kinds.set(this.#kinds);
    this.#from = from;
    this.#to = to;
    this.#kinds = kinds;
  }
}
