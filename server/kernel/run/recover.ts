import { changesSomething } from "../capability/side-effect";
import { resolveTaskArguments } from "./action";
import { chargesOf, countsCalls, nothingReserved, refusedByBudget } from "./budget";
import type { Admission } from "./call-demand";
import { type Command, loadOutputs, record } from "./command";
import { dispatchCommands } from "./dispatch-command";
import { openedGate } from "./gate";
import type { OutputLoader } from "./outputs";
import type { RunState, TaskState } from "./state";

interface Recovery {
  /** True for a call that this driver is making. */
  readonly isLive: (taskId: string) => boolean;
  /** Whether it may start now under the limits over all runs; one that is held is asked about again. */
  readonly admit?: (task: TaskState) => Admission;
  readonly now: number;
  readonly load?: OutputLoader;
}

/**
 * What to do about calls that the log says are in flight and that nobody makes any more, since their driver died.
 *
 * A call without side effects, one that may be repeated, and one whose callee honours a key, is made again as the same
 * attempt with the same key. Any other may have taken effect: its outcome is unknown, and is looked up or asked about.
 * Where calls are counted the repeat is charged like any other call, and not made where no budget is left for it.
 */
export function recoverCalls(state: RunState, recovery: Recovery): Command[] {
  if (state.status !== "running" || state.cancelledBy !== undefined) return [];
  const commands: Command[] = [];
  for (const id of state.inFlight) {
    const task = state.tasks.get(id);
    if (task === undefined || recovery.isLive(id)) continue;
    commands.push(...recoverCall(state, task, recovery));
    // A charge changes what the next call may use, so it is recorded before the next is judged.
    if (commands.length > 0 && countsCalls(state)) return commands;
  }
  return commands;
}

function recoverCall(state: RunState, task: TaskState, { admit, now, load }: Recovery): Command[] {
  const capability = state.capabilities.get(task.task.capability);
  const attempt = task.attempts.at(-1)?.attempt ?? 1;
  const repeatable = capability?.idempotency === "natural" || capability?.idempotency === "key";
  if (changesSomething(capability) && !repeatable)
    return [unknown(task, now, "so it is not known whether it took effect.")];
  const gate = openedGate(state, task);
  const resolution = gate === undefined ? resolveTaskArguments(state, task, load) : undefined;
  if (resolution?.type === "missing") return loadOutputs(resolution.outputRefs);
  const admission = admit?.(task);
  if (admission?.type === "held") return [];
  const callArguments = resolution?.type === "resolved" ? resolution.value : null;
  const again = dispatchCommands(state, task, { attempt, arguments: callArguments, gate, load });
  const waits = again.every((command) => command.type !== "dispatch");
  if (waits || !countsCalls(state)) return again;
  const refusal = refusedByBudget(state, task, nothingReserved());
  if (refusal === undefined || !refusal.final) return [...charge(state, task, now), ...again];
  if (changesSomething(capability))
    return [unknown(task, now, `and no budget is left to repeat it: ${refusal.message}`)];
  const cause = { code: `budget.${refusal.budget}`, message: refusal.message };
  return [record({ type: "task_stopped", at: now, taskId: task.id, cause })];
}

const charge = (state: RunState, task: TaskState, now: number): Command[] =>
  chargesOf(state, task).map(([budget, amount]) =>
    record({ type: "budget_charged", at: now, budget, amount, taskId: task.id }),
  );

function unknown(task: TaskState, now: number, how: string): Command {
  const last = task.attempts.at(-1);
  const message = `The worker stopped during the call, ${how}`;
  return record({
    type: "outcome_unknown",
    at: now,
    taskId: task.id,
    attempt: last?.attempt ?? 1,
    startedAt: last?.startedAt ?? last?.dispatchedAt ?? now,
    observation: { status: "terminal", sideEffect: "unknown", latencyMs: 0, message },
  });
}
