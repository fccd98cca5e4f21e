import { changesSomething } from "../capability/side-effect";
import type { TaskId } from "../ids";
import { predecessorsOf, successorsOf } from "../plan/graph";
import { hasRule } from "../plan/replacement";
import { err, ok, type Result } from "../result";
import type { NewRunEvent, PersonRef } from "./event";
import type { RunState, TaskState } from "./state";
import type { TaskStatus } from "./status";

export interface RetryRequest {
  readonly taskId: string;
  readonly by: PersonRef;
  readonly reason?: string;
  /** Said by the person: an earlier try may have taken effect, and may do so again. */
  readonly repeatEffects?: boolean;
}

export interface RetryRefusal {
  readonly code: "run_ended" | "task_not_found" | "not_retryable" | "answered" | "effects_repeated";
  readonly message: string;
  /** `effects_repeated`: the tasks whose effect may be there already. */
  readonly taskIds?: readonly string[];
}

/** What a retry would do. */
export interface RetryPreview {
  /** The task itself, or, for a blocked one, the failures that block it. */
  readonly again: readonly TaskId[];
  /** Tasks that ended only because those did: they are judged anew. */
  readonly reopened: readonly TaskId[];
  /** Of `again`: those whose earlier call may have changed something. */
  readonly mayRepeat: readonly TaskId[];
}

const RETRYABLE: ReadonlySet<TaskStatus> = new Set(["failed", "cancelled", "blocked"]);

/**
 * What a retry of this task would run again. A failed or cancelled task is tried again itself; a blocked one has the
 * failures behind which it waits tried again. What has succeeded never runs again here.
 */
export function previewRetry(state: RunState, taskId: string): Result<RetryPreview, RetryRefusal> {
  if (state.status === "finished" || state.cancelledBy !== undefined) {
    return refuse("run_ended", "The run has ended: run it again from this step, as a new run.");
  }
  const task = state.tasks.get(taskId);
  if (task === undefined || task.instance !== undefined) {
    return refuse("task_not_found", `There is no step “${taskId.slice(0, 128)}” that can be tried again.`);
  }
  if (!RETRYABLE.has(task.status)) {
    return refuse(
      "not_retryable",
      `“${taskId}” is ${task.status.replaceAll("_", " ")}: only what failed is tried again.`,
    );
  }
  if (task.removedInRevision !== undefined || isReplaced(task)) {
    return refuse("answered", `A revision of the plan has put something else in the place of “${taskId}”.`);
  }
  const roots = rootsOf(state, task);
  if (roots.length === 0) return refuse("not_retryable", `Nothing that “${taskId}” waits for can be tried again.`);
  const again = new Set(roots.map(({ id }) => id));
  const reopened = fallenWith(state, again);
  const mayRepeat = roots.filter((root) => mayHaveTakenEffect(state, root)).map(({ id }) => id);
  return ok({ again: [...again], reopened, mayRepeat });
}

/** A rule of the plan has put something in its place; a person's revision that answers a failure leaves it to them. */
const isReplaced = ({ task, answeredInRevision }: TaskState): boolean =>
  answeredInRevision !== undefined && hasRule(task);

/** The event of a retry, or why there is none. */
export function retryTask(state: RunState, request: RetryRequest, now: number): Result<NewRunEvent[], RetryRefusal> {
  const preview = previewRetry(state, request.taskId);
  if (!preview.ok) return preview;
  const { again, reopened, mayRepeat } = preview.value;
  if (mayRepeat.length > 0 && request.repeatEffects !== true) {
    const names = mayRepeat.map((id) => `“${id}”`).join(", ");
    return err({ code: "effects_repeated", message: `${names} may have taken effect already.`, taskIds: mayRepeat });
  }
  const [first] = again;
  if (first === undefined) return refuse("not_retryable", "Nothing can be tried again.");
  return ok([
    {
      type: "task_retried",
      at: now,
      taskId: first,
      by: request.by,
      ...(request.reason === undefined ? {} : { reason: request.reason }),
      reopened: [...again, ...reopened].map((id) => ({ taskId: id, was: state.tasks.get(id)?.status ?? "pending" })),
    },
  ]);
}

const refuse = (code: RetryRefusal["code"], message: string): Result<never, RetryRefusal> => err({ code, message });

/** Where the trouble began: a task that ended only because of another stands for that one. */
function rootsOf(state: RunState, task: TaskState, seen = new Set<string>()): TaskState[] {
  if (seen.has(task.id)) return [];
  seen.add(task.id);
  const fell = task.status === "blocked" || task.cause?.code.startsWith("upstream_") === true;
  if (!fell) return task.status === "failed" || task.status === "cancelled" ? [task] : [];
  const index = state.graph?.indexOf.get(task.id);
  if (state.graph === undefined || index === undefined) return [];
  return [...predecessorsOf(state.graph, index)].flatMap((at) => {
    const parent = state.nodes[at];
    if (parent === undefined || isReplaced(parent)) return [];
    return RETRYABLE.has(parent.status) ? rootsOf(state, parent, seen) : [];
  });
}

/** Tasks behind the roots that were cancelled, skipped or blocked because of a parent that is judged anew. */
function fallenWith(state: RunState, roots: ReadonlySet<TaskId>): TaskId[] {
  const { graph } = state;
  if (graph === undefined) return [];
  const fallen = new Set<TaskId>();
  const frontier = [...roots];
  for (let id = frontier.pop(); id !== undefined; id = frontier.pop()) {
    const index = graph.indexOf.get(id);
    if (index === undefined) continue;
    for (const at of successorsOf(graph, index)) {
      const child = state.nodes[at];
      if (child === undefined || fallen.has(child.id) || roots.has(child.id) || !fell(child)) continue;
      fallen.add(child.id);
      frontier.push(child.id);
    }
  }
  return [...fallen];
}

const fell = ({ status, cause }: TaskState): boolean =>
  status === "blocked" ||
  ((status === "cancelled" || status === "skipped") && cause?.code.startsWith("upstream_") === true);

/** True where an earlier call of the task changed something, or may have, and a repeat would do so again. */
export function mayHaveTakenEffect(state: RunState, task: TaskState): boolean {
  const capability = state.capabilities.get(task.task.capability);
  if (!changesSomething(capability) || capability?.idempotency === "natural") return false;
  return task.attempts.some(({ observation }) => {
    if (observation === undefined) return true;
    return observation.sideEffect === "committed" || observation.sideEffect === "unknown";
  });
}
