import type { Ending, RunState, TaskState } from "./state";

/**
 * Which failure, and which refused approval, a run is named after, once some of them were answered: by a revision that
 * works around them, or by a person who has them tried again.
 */
export function recountEndings(state: RunState): void {
  state.firstFailure = earliest(state, isFailure);
  if (state.firstRejection?.taskId !== undefined) state.firstRejection = earliest(state, isRejection);
}

const isFailure = (task: TaskState): boolean => task.status === "failed" && task.task.onFailure !== "continue";

const isRejection = ({ status, cause }: TaskState): boolean =>
  status === "cancelled" && (cause?.code === "approval_rejected" || cause?.code === "approval_expired");

function earliest(state: RunState, is: (task: TaskState) => boolean): Ending | undefined {
  let first: Ending | undefined;
  for (const task of state.tasks.values()) {
    if (task.answeredInRevision !== undefined || task.instance !== undefined || !is(task)) continue;
    const seq = task.endedSeq ?? 0;
    if (first !== undefined && first.seq <= seq) continue;
    const { code = "internal", message = "It failed." } = task.cause ?? {};
    first = { taskId: task.id, seq, code, message };
  }
  return first;
}

/** The task that an event ended, or that waits for an answer to it; undefined for any other event. */
export function taskOfTrigger(state: RunState, triggerSeq: number): TaskState | undefined {
  for (const task of state.tasks.values()) {
    if (task.endedSeq === triggerSeq || (task.cause?.seq === triggerSeq && task.endedSeq !== undefined)) return task;
  }
  return undefined;
}

/** A revision answers the end that set it off, and the failures that this end followed from. */
export function answerTrigger(state: RunState, triggerSeq: number): void {
  const seen = new Set<string>();
  let task = taskOfTrigger(state, triggerSeq);
  while (task !== undefined && !seen.has(task.id)) {
    seen.add(task.id);
    task.answeredInRevision = state.revision;
    task = task.cause?.taskId === undefined ? undefined : state.tasks.get(task.cause.taskId);
  }
  if (seen.size > 0) recountEndings(state);
}
