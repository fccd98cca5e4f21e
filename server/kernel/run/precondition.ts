import { type Command, loadOutputs, record } from "./command";
import { evaluateCondition } from "./condition";
import type { Asking } from "./decide-options";
import { viewFor } from "./outputs";
import type { RunState, TaskState } from "./state";

/**
 * What stands against the next call of a task: its precondition does not hold at this moment, or an output that it
 * looks at has to be loaded first. Undefined: nothing does. Judged before every attempt, a signed one included, and
 * told as a terminal observation of a call that was never made.
 */
export function objectionOf(state: RunState, task: TaskState, { now, options }: Asking): Command[] | undefined {
  const { precondition } = task.task;
  if (precondition === undefined) return undefined;
  const view = viewFor(state, task, options.load);
  const holds = evaluateCondition(precondition, view);
  if (view.missing.size > 0) return loadOutputs(view.missing);
  if (holds) return undefined;
  const message = "Its precondition does not hold, so the call was not made.";
  const code = "precondition_failed";
  return [
    record({
      type: "task_failed",
      at: now,
      taskId: task.id,
      attempt: 0,
      startedAt: now,
      observation: {
        status: "terminal",
        errorCategory: "conflict",
        errorCode: code,
        message,
        sideEffect: "none",
        latencyMs: 0,
      },
      cause: { code, message },
    }),
  ];
}
