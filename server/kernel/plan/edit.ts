import { isTaskId } from "../ids";
import { setOwn } from "../json";
import { err, ok, type Result } from "../result";
import type { Diagnostic, PlanEdit } from "./diagnostic";
import { wouldCloseCycle } from "./path";
import { namedAmount, type Plan, type Task } from "./plan";
import { graphOfPlan } from "./plan-graph";
import { ITEM } from "./reference-grammar";
import { isMentioned, renameTask } from "./rename";

export interface EditedPlan {
  readonly plan: Plan;
  /** Applied to `plan`, gives back exactly the plan from before. */
  readonly inverse: PlanEdit;
}

type Refusal = Result<never, Diagnostic>;

/**
 * Applies one edit; the plan given is not changed. An edit that cannot be what anybody means (a second task of one
 * name, an edge that closes a cycle) is refused with a diagnostic; one that leaves a problem to mend (a reference to
 * a removed task) is applied, and validation says what is wrong.
 */
export function applyEdit(plan: Plan, edit: PlanEdit): Result<EditedPlan, Diagnostic> {
  switch (edit.type) {
    case "add_task":
      return addTask(plan, edit.index, edit.task);
    case "remove_task":
      return removeTask(plan, edit.taskId);
    case "replace_task":
      return replaceTask(plan, edit.taskId, edit.task);
    case "rename_task":
      return rename(plan, edit.taskId, edit.newId);
    case "add_dependency":
      return addDependency(plan, edit.taskId, edit.dependsOn, edit.index);
    case "remove_dependency":
      return removeDependency(plan, edit.taskId, edit.dependsOn);
    case "set_pool":
      return setPool(plan, edit.pool, edit.units);
    case "set_plan":
      return ok({ plan: edit.plan, inverse: restore(plan) });
    case "move_tasks":
      return moveTasks(plan, edit.positions);
  }
}

/** Applies edits in turn, all or none. `inverse` is to be applied in the order given. */
export function applyEdits(
  plan: Plan,
  edits: readonly PlanEdit[],
): Result<{ readonly plan: Plan; readonly inverse: readonly PlanEdit[] }, Diagnostic> {
  let current = plan;
  const inverse: PlanEdit[] = [];
  for (const edit of edits) {
    const edited = applyEdit(current, edit);
    if (!edited.ok) return edited;
    current = edited.value.plan;
    inverse.unshift(edited.value.inverse);
  }
  return ok({ plan: current, inverse });
}

const restore = (plan: Plan): PlanEdit => ({ type: "set_plan", plan });

function addTask(plan: Plan, index: number, task: Task): Result<EditedPlan, Diagnostic> {
  if (!isTaskId(task.id)) return refuse("task_id_invalid", "/tasks", invalidId(task.id), task.id);
  if (indexOf(plan, task.id) !== -1) return refuseTaken(plan, task.id);
  const at = Math.max(0, Math.min(plan.tasks.length, Math.trunc(index)));
  const edited = withTasks(plan, [...plan.tasks.slice(0, at), tidy(task), ...plan.tasks.slice(at)]);
  /** Removing it takes the edges that name it along, also those that were dangling before it came. */
  const inverse: PlanEdit = plan.tasks.some(({ dependsOn }) => dependsOn.includes(task.id))
    ? restore(plan)
    : { type: "remove_task", taskId: task.id };
  return ok({ plan: edited, inverse });
}

/** Takes the edges declared by its dependents along; references to it stay, as problems to mend. */
function removeTask(plan: Plan, taskId: string): Result<EditedPlan, Diagnostic> {
  const index = indexOf(plan, taskId);
  const task = plan.tasks[index];
  if (task === undefined) return refuseMissing(taskId);
  /** True where adding the task again would not give the plan back. */
  let isEntangled = plan.tasks.some((other) => other !== task && other.id === task.id);
  const tasks = plan.tasks
    .filter((other) => other !== task)
    .map((other) => {
      if (!other.dependsOn.includes(task.id)) return other;
      isEntangled = true;
      return { ...other, dependsOn: other.dependsOn.filter((name) => name !== task.id) };
    });
  return ok({ plan: withTasks(plan, tasks), inverse: isEntangled ? restore(plan) : { type: "add_task", index, task } });
}

function replaceTask(plan: Plan, taskId: string, task: Task): Result<EditedPlan, Diagnostic> {
  const index = indexOf(plan, taskId);
  const before = plan.tasks[index];
  if (before === undefined) return refuseMissing(taskId);
  if (task.id !== taskId) {
    return refuse("schema", `/tasks/${index}/id`, "To give a task another id, rename it.", taskId);
  }
  return ok({ plan: withTask(plan, index, tidy(task)), inverse: { type: "replace_task", taskId, task: before } });
}

function rename(plan: Plan, taskId: string, newId: string): Result<EditedPlan, Diagnostic> {
  const index = indexOf(plan, taskId);
  const before = plan.tasks[index];
  if (before === undefined) return refuseMissing(taskId);
  if (newId === taskId) return ok({ plan, inverse: { type: "rename_task", taskId, newId } });
  if (!isTaskId(newId)) return refuse("task_id_invalid", `/tasks/${index}/id`, invalidId(newId), taskId);
  if (indexOf(plan, newId) !== -1) return refuseTaken(plan, newId);
  if (newId === ITEM && plan.tasks.some(({ forEach }) => forEach !== undefined && forEach !== null)) {
    const message = "“item” means the item of a list in this plan, so no task can have that name.";
    return refuse("task_id_invalid", `/tasks/${index}/id`, message, taskId);
  }
  /** Names that dangled before would be caught up in a renaming back, and back to “item” may be refused. */
  const inverse: PlanEdit =
    isMentioned(plan, newId) || taskId === ITEM ? restore(plan) : { type: "rename_task", taskId: newId, newId: taskId };
  return ok({ plan: renameTask(plan, before.id, newId), inverse });
}

function addDependency(
  plan: Plan,
  taskId: string,
  dependsOn: string,
  place: number | undefined,
): Result<EditedPlan, Diagnostic> {
  const index = indexOf(plan, taskId);
  const task = plan.tasks[index];
  const other = plan.tasks[indexOf(plan, dependsOn)];
  if (task === undefined) return refuseMissing(taskId);
  const pointer = `/tasks/${index}/dependsOn`;
  if (other === undefined) return refuse("missing_dependency", pointer, `There is no task “${dependsOn}”.`, taskId);
  if (other === task) return refuse("self_dependency", pointer, `“${taskId}” cannot wait for itself.`, taskId);
  if (task.dependsOn.includes(other.id)) {
    return refuse("redundant_edge", pointer, `“${taskId}” already waits for “${dependsOn}”.`, taskId);
  }
  const path = wouldCloseCycle(graphOfPlan(plan), taskId, dependsOn);
  if (path !== undefined) {
    const cycle = [...path, taskId].map((id) => `“${id}”`).join(" → ");
    return refuse("cycle", pointer, `That would close the cycle ${cycle}.`, taskId);
  }
  const at = Math.max(0, Math.min(task.dependsOn.length, place ?? task.dependsOn.length));
  const edited = [...task.dependsOn.slice(0, at), other.id, ...task.dependsOn.slice(at)];
  return ok({
    plan: withTask(plan, index, { ...task, dependsOn: edited }),
    inverse: { type: "remove_dependency", taskId, dependsOn },
  });
}

function removeDependency(plan: Plan, taskId: string, dependsOn: string): Result<EditedPlan, Diagnostic> {
  const index = indexOf(plan, taskId);
  const task = plan.tasks[index];
  if (task === undefined) return refuseMissing(taskId);
  const left = task.dependsOn.filter((name) => name !== dependsOn);
  if (left.length === task.dependsOn.length) {
    const message = `“${taskId}” declares no dependency on “${dependsOn}”.`;
    return refuse("missing_dependency", `/tasks/${index}/dependsOn`, message, taskId);
  }
  return ok({
    plan: withTask(plan, index, { ...task, dependsOn: left }),
    inverse: { type: "replace_task", taskId, task },
  });
}

function setPool(plan: Plan, pool: string, units: number | null): Result<EditedPlan, Diagnostic> {
  if (units !== null && !(units > 0)) {
    return refuse("schema", "/pools", `A pool has more than ${units} units.`);
  }
  const before = namedAmount(plan.pools, pool);
  const kept = Object.entries(plan.pools ?? {}).filter(([name]) => name !== pool || units !== null);
  const pools: Record<string, number> = {};
  for (const [name, amount] of kept) setOwn(pools, name, amount);
  if (units !== null) setOwn(pools, pool, units);
  /** The first pool brings the key, so only the plan from before is without it. */
  const inverse: PlanEdit =
    plan.pools === undefined || units === null ? restore(plan) : { type: "set_pool", pool, units: before ?? null };
  return ok({ plan: { ...plan, pools }, inverse });
}

function moveTasks(
  plan: Plan,
  positions: Extract<PlanEdit, { type: "move_tasks" }>["positions"],
): Result<EditedPlan, Diagnostic> {
  const tasks = plan.tasks.map((task) => {
    const position = Object.hasOwn(positions, task.id) ? positions[task.id] : undefined;
    if (position === undefined) return task;
    const { position: _, ...rest } = task;
    return position === null ? rest : { ...rest, position };
  });
  const before = Object.fromEntries(
    plan.tasks.filter(({ id }) => Object.hasOwn(positions, id)).map(({ id, position }) => [id, position ?? null]),
  );
  return ok({ plan: withTasks(plan, tasks), inverse: { type: "move_tasks", positions: before } });
}

const indexOf = (plan: Plan, taskId: string): number => plan.tasks.findIndex(({ id }) => id === taskId);

const withTasks = (plan: Plan, tasks: Task[]): Plan => ({ ...plan, tasks });

const withTask = (plan: Plan, index: number, task: Task): Plan => withTasks(plan, plan.tasks.with(index, task));

/** The task without keys whose value is undefined: that is how a form clears an optional field. */
function tidy(task: Task): Task {
  const entries = Object.entries(task).filter(([, value]) => value !== undefined);
  return entries.length === Object.keys(task).length ? task : (Object.fromEntries(entries) as Task);
}

const invalidId = (id: string): string =>
  `“${id.slice(0, 100)}” is no task id: 1 to 128 letters, digits, “_”, “.” or “-”, starting with a letter or digit.`;

const refuseMissing = (taskId: string): Refusal =>
  refuse("reference_missing_task", "/tasks", `There is no task “${taskId.slice(0, 128)}”.`, taskId);

const refuseTaken = (plan: Plan, taskId: string): Refusal =>
  refuse("duplicate_task_id", `/tasks/${indexOf(plan, taskId)}/id`, `There is already a task “${taskId}”.`, taskId);

const refuse = (code: Diagnostic["code"], pointer: string, message: string, taskId?: string): Refusal =>
  err({ code, severity: "error", pointer, message, related: [], ...(taskId === undefined ? {} : { taskId }) });
