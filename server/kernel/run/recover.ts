import { resolveTaskArguments } from "./action";
import { changesSomething } from "./attempt";
import { type Command, loadOutputs, record } from "./command";
import { dispatchCommand } from "./dispatch-command";
import { openedGate } from "./gate";
import type { OutputLoader } from "./outputs";
import type { RunState, TaskState } from "./state";

/**
 * What to do about calls that the log says are in flight and that nobody makes any more, since their driver died.
 *
 * A call without side effects, one that may be repeated, and one whose callee honours a key, is made again as the same
 * attempt with the same key. Any other may have taken effect: its outcome is unknown, and a person is asked.
 *
 * @param isLive true for a call that this driver is making.
 */
export function recoverCalls(
  state: RunState,
  { isLive, now, load }: { isLive: (taskId: string) => boolean; now: number; load?: OutputLoader },
): Command[] {
  if (state.status !== "running" || state.cancelledBy !== undefined) return [];
  const commands: Command[] = [];
  for (const id of state.inFlight) {
    const task = state.tasks.get(id);
    if (task !== undefined && !isLive(id)) commands.push(...recoverCall(state, task, { now, load }));
  }
  return commands;
}

function recoverCall(
  state: RunState,
  task: TaskState,
  { now, load }: { now: number; load: OutputLoader | undefined },
): Command[] {
  const capability = state.capabilities.get(task.task.capability);
  const last = task.attempts.at(-1);
  const attempt = last?.attempt ?? 1;
  const repeatable = capability?.idempotency === "natural" || capability?.idempotency === "key";
  if (changesSomething(capability) && !repeatable) {
    const message = "The worker stopped during the call, so it is not known whether it took effect.";
    const startedAt = last?.startedAt ?? last?.dispatchedAt ?? now;
    const observation = { status: "terminal", sideEffect: "unknown", latencyMs: 0, message } as const;
    return [record({ type: "outcome_unknown", at: now, taskId: task.id, attempt, startedAt, observation })];
  }
  const gate = openedGate(state, task);
  const resolution = gate === undefined ? resolveTaskArguments(state, task, load) : undefined;
  if (resolution?.type === "missing") return loadOutputs(resolution.outputRefs);
  const callArguments = resolution?.type === "resolved" ? resolution.value : null;
  return [dispatchCommand(state, task, { attempt, arguments: callArguments, gate })];
}
