import type { CapabilitySnapshot } from "../capability/capability";
import { sameTask } from "../plan/diff";
import { durationsOf } from "../plan/durations";
import { predecessorsOf } from "../plan/graph";
import type { Plan, Task } from "../plan/plan";
import { graphOfPlan } from "../plan/plan-graph";
import { scheduleOf } from "../plan/schedule";
import type { RunState, TaskState } from "./state";
import { isTerminal } from "./status";
import { becomeReady, endTask, type Moment, parentsEnded, setStatus } from "./transition";

/** Adds the pinned capabilities; the newest version of a name answers for the bare name. */
export function installCapabilities(state: RunState, capabilities: readonly CapabilitySnapshot[]): void {
  for (const capability of capabilities) {
    state.capabilities.set(`${capability.name}@${capability.version}`, capability);
    const newest = state.capabilities.get(capability.name);
    if (newest === undefined || newest.version <= capability.version) {
      state.capabilities.set(capability.name, capability);
    }
  }
}

/**
 * Puts a plan, or the next revision of one, into force. What has ended stays as it ended; what runs goes on; a task
 * that is unfinished and not in the new plan is cancelled, at once if it was not running; a task that the revision
 * changes takes its new definition and is judged anew by its parents; one that it leaves as it was keeps its gates.
 *
 * An id that has already ended keeps its end: a revision cannot make it run again.
 */
export function installPlan(state: RunState, plan: Plan, moment: Moment): void {
  const planned = new Map(plan.tasks.map((task) => [task.id as string, task]));
  const history = historyOf(state).filter((task) => !planned.has(task.id));
  state.plan = plan;
  state.graph = graphOfPlan({ ...plan, tasks: [...history.map((task) => task.task), ...plan.tasks] });
  removeUnplanned(state, planned, moment);
  state.nodes = [...history, ...plan.tasks.map((task) => admit(state, task))];
  placeInOrder(state);
  for (const [index, task] of state.nodes.entries()) recountParents(state, task, index);
  for (const task of state.nodes) {
    if (task.status === "pending" && task.openParents === 0) parentsEnded(state, task, moment);
  }
  for (const task of state.tasks.values()) {
    if (task.instance !== undefined && task.status === "pending") becomeReady(state, task, moment);
  }
}

/** The tasks that stay in the graph although a new plan does not name them: what has ended, and what runs. */
export const historyOf = (state: RunState): TaskState[] => [...state.tasks.values()].filter(staysInHistory);

/** Instances are not in a graph; their group stands for them. */
const staysInHistory = (task: TaskState): boolean =>
  task.instance === undefined && (isTerminal(task.status) ? task.removedInRevision === undefined : isUnderway(task));

/** True for a task whose call was made and has not ended: a revision keeps it as it is, or stops it. */
export const isUnderway = (task: TaskState): boolean =>
  task.status === "dispatched" || task.status === "running" || task.status === "unknown_outcome";

function removeUnplanned(state: RunState, planned: ReadonlyMap<string, Task>, moment: Moment): void {
  for (const task of state.tasks.values()) {
    const inPlan = planned.has(task.instance?.groupId ?? task.id);
    if (isTerminal(task.status)) continue;
    if (inPlan) {
      task.removedInRevision = undefined;
      continue;
    }
    task.removedInRevision = state.revision;
    if (isUnderway(task) && task.instanceIds === undefined) {
      state.settling.add(task.id);
      continue;
    }
    task.cause = {
      code: "removed_by_revision",
      message: `Revision ${state.revision} took it out of the plan.`,
      seq: moment.seq,
    };
    endTask(state, task, "cancelled", moment);
  }
}

/** The state of a planned task: a new one, or the known one under its new definition. */
function admit(state: RunState, task: Task): TaskState {
  const known = state.tasks.get(task.id);
  if (known === undefined) {
    const added = newTask(task, state.revision);
    state.tasks.set(task.id, added);
    state.openTasks += 1;
    return added;
  }
  if (isTerminal(known.status) || isUnderway(known)) return known;
  const isAsItWas = sameTask(known.task, task) && isCapabilityAsAsked(state, known);
  known.task = task;
  if (isAsItWas) requeue(state, known);
  else reset(state, known);
  return known;
}

/** What stands in the queue leaves it, to come back in the new order; whatever waits for a person goes on waiting. */
function requeue(state: RunState, task: TaskState): void {
  if (task.status === "ready") setStatus(state, task, "pending");
}

/** False where the capability has changed since a person was asked about the call. */
function isCapabilityAsAsked(state: RunState, task: TaskState): boolean {
  const asked = task.gateId === undefined ? undefined : state.gates.get(task.gateId)?.request.fingerprint;
  return asked === undefined || asked === state.capabilities.get(task.task.capability)?.fingerprint;
}

/** Back to `pending`: gates and edits of an earlier definition do not bind this one. */
function reset(state: RunState, task: TaskState): void {
  setStatus(state, task, "pending");
  state.settling.delete(task.id);
  task.definedInRevision = state.revision;
  task.cause = undefined;
  task.conditionFalse = undefined;
  task.editedArguments = undefined;
  task.released = undefined;
}

export const newTask = (task: Task, revision: number): TaskState => ({
  id: task.id,
  task,
  status: "pending",
  attempts: [],
  gateCount: 0,
  addedInRevision: revision,
  definedInRevision: revision,
  openParents: 0,
  rank: 0,
  order: 0,
});

/** Ranks by expected duration, 0 on a cycle; the queue is refilled under the new order. */
function placeInOrder(state: RunState): void {
  if (state.graph === undefined) return;
  const registry = { find: (reference: string) => state.capabilities.get(reference), names: () => [] };
  const { seconds } = durationsOf({ tasks: state.nodes.map((node) => node.task) }, { registry });
  for (const [index, node] of state.nodes.entries()) if (isTerminal(node.status)) seconds[index] = 0;
  const rank = scheduleOf(state.graph, seconds)?.rank;
  for (const [index, node] of state.nodes.entries()) {
    node.rank = rank?.[index] ?? 0;
    node.order = index;
  }
  state.queue.length = 0;
  for (const task of state.tasks.values()) {
    const group = task.instance && state.tasks.get(task.instance.groupId);
    if (group === undefined || isTerminal(task.status)) continue;
    task.rank = group.rank;
    task.order = group.order;
    requeue(state, task);
  }
}

/** Counts the parents that have not ended. */
export function recountParents(state: RunState, task: TaskState, index: number): void {
  if (state.graph === undefined) return;
  let open = 0;
  for (const parent of predecessorsOf(state.graph, index)) {
    const node = state.nodes[parent];
    if (node !== undefined && !isTerminal(node.status)) open += 1;
  }
  task.openParents = open;
}
