import { alg, Graph } from "@dagrejs/graphlib";
import { DirectedGraph } from "graphology";
import toposort from "toposort";
import { durationsOf } from "#kernel/plan/durations";
import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { scheduleOf } from "#kernel/plan/schedule";
import { type NamedTask, namedTasks } from "./graph-input";

/** What every contender must find out from the names: an order (so no cycle), the longest path, every ready set. */
export interface Findings {
  readonly lowerBound: number;
  /** Tasks that became ready, one parent after another being done. */
  readonly drained: number;
}

export interface Contender {
  readonly name: string;
  /** Makes fresh input, untimed. */
  prepare(text: string): () => Findings;
}

export const planOfText = (text: string): Plan => {
  const parsed = parsePlan(JSON.parse(text));
  if (!parsed.ok) throw new Error("the generated plan does not parse");
  return parsed.value;
};

const ours: Contender = {
  name: "planwright kernel",
  prepare(text) {
    const plan = planOfText(text);
    return () => {
      const graph = graphOfPlan(plan);
      const schedule = scheduleOf(graph, durationsOf(plan).seconds);
      if (schedule === undefined) throw new Error("cycle");
      return { lowerBound: schedule.lowerBound, drained: drain(graph) };
    };
  },
};

/** Ready sets over compressed rows: every task is finished once, in the order in which tasks become ready. */
function drain(
  graph: Pick<ReturnType<typeof graphOfPlan>, "size" | "predecessorOffsets" | "successorOffsets" | "successors">,
): number {
  const { size, predecessorOffsets, successorOffsets, successors } = graph;
  const open = new Int32Array(size);
  const queue = new Int32Array(size);
  let tail = 0;
  for (let task = 0; task < size; task++) {
    open[task] = (predecessorOffsets[task + 1] as number) - (predecessorOffsets[task] as number);
    if (open[task] === 0) queue[tail++] = task;
  }
  for (let head = 0; head < tail; head++) {
    const task = queue[head] as number;
    for (let at = successorOffsets[task] as number; at < (successorOffsets[task + 1] as number); at++) {
      const successor = successors[at] as number;
      open[successor] = (open[successor] as number) - 1;
      if (open[successor] === 0) queue[tail++] = successor;
    }
  }
  return tail;
}

/** The least that can be done with strings: one map, two passes, typed arrays; no reports, no references. */
const bare: Contender = {
  name: "typed arrays, bare",
  prepare(text) {
    const tasks = namedTasks(text);
    return () => bareFindings(tasks);
  },
};

function bareFindings(tasks: readonly NamedTask[]): Findings {
  const size = tasks.length;
  const indexOf = new Map<string, number>();
  let edges = 0;
  for (let task = 0; task < size; task++) {
    const { id, dependsOn } = tasks[task] as NamedTask;
    indexOf.set(id, task);
    edges += dependsOn.length;
  }
  const predecessorOffsets = new Int32Array(size + 1);
  const predecessors = new Int32Array(edges);
  const successorOffsets = new Int32Array(size + 1);
  let edge = 0;
  for (let task = 0; task < size; task++) {
    for (const name of (tasks[task] as NamedTask).dependsOn) {
      const parent = indexOf.get(name);
      if (parent === undefined) throw new Error(`no task ${name}`);
      predecessors[edge++] = parent;
      successorOffsets[parent + 1] = (successorOffsets[parent + 1] as number) + 1;
    }
    predecessorOffsets[task + 1] = edge;
  }
  for (let task = 0; task < size; task++) {
    successorOffsets[task + 1] = (successorOffsets[task + 1] as number) + (successorOffsets[task] as number);
  }
  const successors = new Int32Array(edges);
  const cursor = successorOffsets.slice(0, size);
  for (let task = 0; task < size; task++) {
    for (let at = predecessorOffsets[task] as number; at < (predecessorOffsets[task + 1] as number); at++) {
      const parent = predecessors[at] as number;
      const slot = cursor[parent] as number;
      successors[slot] = task;
      cursor[parent] = slot + 1;
    }
  }
  const open = new Int32Array(size);
  const order = new Int32Array(size);
  let length = 0;
  for (let task = 0; task < size; task++) {
    open[task] = (predecessorOffsets[task + 1] as number) - (predecessorOffsets[task] as number);
    if (open[task] === 0) order[length++] = task;
  }
  const finish = new Float64Array(size);
  let lowerBound = 0;
  for (let at = 0; at < length; at++) {
    const task = order[at] as number;
    let start = 0;
    for (let slot = predecessorOffsets[task] as number; slot < (predecessorOffsets[task + 1] as number); slot++) {
      const end = finish[predecessors[slot] as number] as number;
      if (end > start) start = end;
    }
    const end = start + (tasks[task] as NamedTask).seconds;
    finish[task] = end;
    if (end > lowerBound) lowerBound = end;
    for (let slot = successorOffsets[task] as number; slot < (successorOffsets[task + 1] as number); slot++) {
      const successor = successors[slot] as number;
      open[successor] = (open[successor] as number) - 1;
      if (open[successor] === 0) order[length++] = successor;
    }
  }
  if (length < size) throw new Error("cycle");
  return { lowerBound, drained: drain({ size, predecessorOffsets, successorOffsets, successors }) };
}

/** Longest path and ready sets for a library that keeps names, given the neighbours by name. */
function byName(
  tasks: readonly NamedTask[],
  order: readonly string[],
  parents: (id: string) => readonly string[],
  children: (id: string) => readonly string[],
): Findings {
  const seconds = new Map(tasks.map((task) => [task.id, task.seconds]));
  const finish = new Map<string, number>();
  let lowerBound = 0;
  for (const id of order) {
    let start = 0;
    for (const parent of parents(id)) start = Math.max(start, finish.get(parent) ?? 0);
    const end = start + (seconds.get(id) ?? 0);
    finish.set(id, end);
    lowerBound = Math.max(lowerBound, end);
  }
  const open = new Map(tasks.map(({ id }) => [id, parents(id).length]));
  const queue = tasks.filter(({ id }) => open.get(id) === 0).map(({ id }) => id);
  for (const id of queue) {
    for (const child of children(id)) {
      const left = (open.get(child) ?? 0) - 1;
      open.set(child, left);
      if (left === 0) queue.push(child);
    }
  }
  return { lowerBound, drained: queue.length };
}

const graphology: Contender = {
  name: "graphology",
  prepare(text) {
    const tasks = namedTasks(text);
    return () => {
      const graph = new DirectedGraph();
      for (const { id } of tasks) graph.addNode(id);
      for (const { id, dependsOn } of tasks) for (const parent of dependsOn) graph.addDirectedEdge(parent, id);
      const open = new Map(tasks.map(({ id }) => [id, graph.inDegree(id)]));
      const order = tasks.filter(({ id }) => open.get(id) === 0).map(({ id }) => id);
      for (const id of order) {
        graph.forEachOutNeighbor(id, (child) => {
          const left = (open.get(child) ?? 0) - 1;
          open.set(child, left);
          if (left === 0) order.push(child);
        });
      }
      return byName(
        tasks,
        order,
        (id) => graph.inNeighbors(id),
        (id) => graph.outNeighbors(id),
      );
    };
  },
};

const dagre: Contender = {
  name: "@dagrejs/graphlib",
  prepare(text) {
    const tasks = namedTasks(text);
    return () => {
      const graph = new Graph();
      for (const { id } of tasks) graph.setNode(id);
      for (const { id, dependsOn } of tasks) for (const parent of dependsOn) graph.setEdge(parent, id);
      const order = alg.topsort(graph);
      return byName(
        tasks,
        order,
        (id) => graph.predecessors(id) ?? [],
        (id) => graph.successors(id) ?? [],
      );
    };
  },
};

const toposortLibrary: Contender = {
  name: "toposort",
  prepare(text) {
    const tasks = namedTasks(text);
    return () => {
      const edges = tasks.flatMap(({ id, dependsOn }) => dependsOn.map((parent): [string, string] => [parent, id]));
      const order = toposort.array(
        tasks.map(({ id }) => id),
        edges,
      );
      const parents = new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn]));
      const children = new Map<string, string[]>(tasks.map(({ id }) => [id, []]));
      for (const [parent, id] of edges) children.get(parent)?.push(id);
      return byName(
        tasks,
        order,
        (id) => parents.get(id) ?? [],
        (id) => children.get(id) ?? [],
      );
    };
  },
};

export const CONTENDERS: readonly Contender[] = [bare, ours, graphology, dagre, toposortLibrary];
export const BARE = bare.name;
export const OURS = ours.name;
export const GRAPHOLOGY = graphology.name;
