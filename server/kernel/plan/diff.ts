import type { TaskId } from "../ids";
import { canonicalJson, formatPointer, getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json";
import type { FieldChange, PlanDiff } from "./diff-schema";
import type { Plan, Task } from "./plan";

/**
 * What changed between two plans, by task id: a renamed task is one removed and one added. The order of tasks and
 * their places on the canvas do not count. Tasks are listed in the order of the plan that has them, the later one
 * where both do.
 */
export function diffPlans(before: Plan, after: Plan): PlanDiff {
  const earlier = new Map<string, Task>(before.tasks.map((task) => [task.id, task]));
  const later = new Set<string>(after.tasks.map(({ id }) => id));
  const added: TaskId[] = [];
  const kept: TaskId[] = [];
  const changed: { taskId: TaskId; fields: FieldChange[] }[] = [];
  for (const task of after.tasks) {
    const old = earlier.get(task.id);
    if (old === undefined) added.push(task.id);
    else {
      const fields = changesOf(meaningOf(old), meaningOf(task));
      if (fields.length === 0) kept.push(task.id);
      else changed.push({ taskId: task.id, fields });
    }
  }
  const { tasks: _before, ...planBefore } = before;
  const { tasks: _after, ...planAfter } = after;
  return {
    added,
    removed: before.tasks.map(({ id }) => id).filter((id) => !later.has(id)),
    changed,
    kept,
    planFields: changesOf(asJson(planBefore), asJson(planAfter)),
  };
}

/** True for two plans that mean the same. */
export const isEmptyDiff = (diff: PlanDiff): boolean =>
  diff.added.length + diff.removed.length + diff.changed.length + diff.planFields.length === 0;

/** True for two definitions that mean the same, wherever their cards stand. */
export const sameTask = (before: Task, after: Task): boolean =>
  before === after || changesOf(meaningOf(before), meaningOf(after)).length === 0;

function meaningOf({ position: _position, ...task }: Task): JsonValue {
  return asJson(task);
}

/** A parsed plan is JSON but for members that are undefined, which the comparison takes as absent. */
const asJson = (value: object): JsonValue => value as unknown as JsonValue;

function changesOf(before: JsonValue, after: JsonValue): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before, after, [], changes);
  return changes;
}

/** Objects are compared member by member, lists of one length place by place, anything else as a whole. */
function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: (string | number)[],
  changes: FieldChange[],
): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (let index = 0; index < before.length; index++) {
      path.push(index);
      compare(before[index] as JsonValue, after[index] as JsonValue, path, changes);
      path.pop();
    }
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of membersOf(before, after)) {
      path.push(key);
      compare(getOwn(before, key), getOwn(after, key), path, changes);
      path.pop();
    }
  } else if (before === undefined || after === undefined || canonicalJson(before) !== canonicalJson(after)) {
    changes.push({
      pointer: formatPointer(path),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
  }
}

const membersOf = (before: JsonObject, after: JsonObject): readonly string[] => [
  ...Object.keys(before),
  ...Object.keys(after).filter((key) => !Object.hasOwn(before, key)),
];
