import type { TaskId } from "#kernel/ids";
import type { JsonObject } from "#kernel/json";
import type { PlanEdit } from "#kernel/plan/diagnostic";
import { type Plan, type Task, taskSchema } from "#kernel/plan/plan";
import { renameReferences } from "#kernel/plan/rename-references";
import type { EditRequest } from "./designer-store";
import { FreshIds } from "./fresh-ids";

/** Gestures of the canvas as edits of the plan. Pure: a plan and an intent in, edits out. */

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface NewTask {
  readonly capability: string;
  readonly title?: string;
  readonly place?: Place;
  /** Adds the edge from here in the same gesture. */
  readonly after?: string;
}

export function addTask(plan: Plan, { capability, title, place, after }: NewTask): EditRequest {
  const id = idsOf(plan).next(title ?? lastWord(capability));
  const task = taskSchema.parse({
    id,
    capability,
    ...(title === undefined ? {} : { title }),
    dependsOn: after === undefined ? [] : [after],
    ...(place === undefined ? {} : { position: rounded(place) }),
  });
  return {
    label: `Add ${id}`,
    edits: [{ type: "add_task", index: plan.tasks.length, task }],
    select: [id],
  };
}

const lastWord = (capability: string): string => capability.split("@")[0]?.split(".").at(-1) ?? "task";

const idsOf = (plan: Plan): FreshIds => new FreshIds(plan.tasks.map((task) => task.id));

const rounded = ({ x, y }: Place): Place => ({ x: Math.round(x), y: Math.round(y) });

/** Tasks and edges in one gesture. Edges that a reference makes stay: the reference is what must go. */
export function removeSelected(
  plan: Plan,
  tasks: ReadonlySet<string>,
  edges: readonly { readonly from: string; readonly to: string }[],
): EditRequest {
  const edits: PlanEdit[] = [];
  for (const { from, to } of edges) {
    const target = plan.tasks.find((task) => task.id === to);
    if (tasks.has(from) || tasks.has(to) || !target?.dependsOn.some((id) => id === from)) continue;
    edits.push({ type: "remove_dependency", taskId: to, dependsOn: from });
  }
  for (const task of plan.tasks) {
    if (tasks.has(task.id)) continue;
    for (const id of task.dependsOn)
      if (tasks.has(id)) edits.push({ type: "remove_dependency", taskId: task.id, dependsOn: id });
  }
  for (const task of plan.tasks) if (tasks.has(task.id)) edits.push({ type: "remove_task", taskId: task.id });
  return { label: labelFor("Delete", [...tasks], "edge"), edits, select: [] };
}

function labelFor(verb: string, ids: readonly string[], otherwise: string): string {
  const [only] = ids;
  if (only === undefined) return `${verb} ${otherwise}`;
  return ids.length === 1 ? `${verb} ${only}` : `${verb} ${ids.length} tasks`;
}

export const connect = (from: string, to: string): EditRequest => ({
  label: `Connect ${from} to ${to}`,
  edits: [{ type: "add_dependency", taskId: to, dependsOn: from }],
});

export const renameTask = (taskId: string, newId: string): EditRequest => ({
  label: `Rename ${taskId} to ${newId}`,
  edits: [{ type: "rename_task", taskId, newId }],
  select: [newId],
});

export const replaceTask = (task: Task, label: string, gesture?: string): EditRequest => ({
  label,
  edits: [{ type: "replace_task", taskId: task.id, task }],
  ...(gesture === undefined ? {} : { gesture }),
});

export const moveTasks = (places: ReadonlyMap<string, Place>): EditRequest => ({
  label: labelFor("Move", [...places.keys()], "tasks"),
  edits: [{ type: "move_tasks", positions: Object.fromEntries(places) }],
});

/** Forgets every place, so that the layout decides. */
export function forgetPlaces(plan: Plan): EditRequest | undefined {
  const placed = plan.tasks.filter((task) => task.position !== undefined);
  if (placed.length === 0) return undefined;
  return {
    label: "Layout",
    edits: [{ type: "move_tasks", positions: Object.fromEntries(placed.map((task) => [task.id, null])) }],
  };
}

/** What copying puts on the clipboard: the tasks as they stand in the plan, so that a text editor reads them too. */
export const copyTasks = (plan: Plan, ids: ReadonlySet<string>): readonly Task[] =>
  plan.tasks.filter((task) => ids.has(task.id));

const PASTE_OFFSET = 40;

/**
 * Adds copies under fresh ids. References and edges among the copies lead to the copies; those to other tasks stay
 * where such a task is in the plan and go where it is not.
 */
export function pasteTasks(plan: Plan, copied: readonly Task[], places: ReadonlyMap<string, Place>): EditRequest {
  const ids = idsOf(plan);
  const renamed = new Map<string, TaskId>(copied.map((task) => [task.id, ids.next(task.id)]));
  const present = new Set<string>(plan.tasks.map((task) => task.id));
  const edits = copied.map((task, offset): PlanEdit => {
    const place = places.get(task.id) ?? task.position;
    const rename = (id: string): string => renamed.get(id) ?? id;
    const copy: Task = {
      ...task,
      id: renamed.get(task.id) ?? task.id,
      arguments: renameReferences(task.arguments, rename) as JsonObject,
      ...(task.forEach === undefined
        ? {}
        : { forEach: task.forEach === null ? null : renameReferences(task.forEach, rename) }),
      dependsOn: task.dependsOn.flatMap((id) => renamed.get(id) ?? (present.has(id) ? [id] : [])),
      ...(place === undefined
        ? {}
        : { position: { x: Math.round(place.x + PASTE_OFFSET), y: Math.round(place.y + PASTE_OFFSET) } }),
    };
    return { type: "add_task", index: plan.tasks.length + offset, task: copy };
  });
  return { label: labelFor("Paste", [...renamed.values()], "nothing"), edits, select: [...renamed.values()] };
}
