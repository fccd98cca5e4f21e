import { type Command, record } from "./command";
import type { Cause } from "./event";
import { expireGate } from "./gate-request";
import type { RunState, TaskState } from "./state";
import { isTerminal } from "./status";

/** Every task that has not ended, instances of a fan-out before their group. */
function* openTasks(state: RunState): Generator<TaskState> {
  for (const task of state.tasks.values()) {
    if (isTerminal(task.status)) continue;
    for (const id of task.instanceIds ?? []) {
      const instance = state.tasks.get(id);
      if (instance !== undefined && !isTerminal(instance.status)) yield instance;
    }
    if (task.instance === undefined) yield task;
  }
}

/** Cancel is final: every call is aborted, every task and gate closed, and the run ends, in one append. */
export function cancelRun(state: RunState, now: number): Command[] {
  const who = state.cancelledBy?.name ?? "Somebody";
  const cause: Cause = { code: "run_cancelled", message: `${who} cancelled the run.`, seq: state.cancelledSeq };
  return endRun(state, now, { type: "task_cancelled", cause }, "cancelled", state.cancelledSeq ?? state.lastSeq);
}

/** Ends a run with tasks still open: all of them end with `cause`, and so does the run. */
export function endRun(
  state: RunState,
  now: number,
  open: { type: "task_cancelled" | "task_stopped"; cause: Cause },
  outcome: "cancelled" | "rejected" | "stop_stalled",
  causeSeq: number,
): Command[] {
  return [
    ...endOpenTasks(state, now, open, { inFlightToo: true }),
    ...closeGates(state, now),
    record({ type: "run_finished", at: now, outcome, reason: open.cause.message, causeSeq }),
  ];
}

/** Ends the tasks that have not ended; calls in flight are aborted, or left to end by themselves. */
export function endOpenTasks(
  state: RunState,
  now: number,
  { type, cause }: { type: "task_cancelled" | "task_stopped"; cause: Cause },
  { inFlightToo }: { inFlightToo: boolean },
): Command[] {
  const commands: Command[] = [];
  for (const task of openTasks(state)) {
    const inFlight = state.inFlight.has(task.id);
    const endsByItself = inFlight || task.instanceIds !== undefined;
    if (endsByItself && !inFlightToo) continue;
    if (inFlight) commands.push({ type: "abort", taskId: task.id, cause });
    commands.push(record({ type, at: now, taskId: task.id, cause }));
  }
  return commands;
}

export const closeGates = (state: RunState, now: number): Command[] =>
  Array.from(state.liveGates).flatMap((id) => {
    const gate = state.gates.get(id);
    return gate === undefined ? [] : [expireGate(gate.request.gateId, "run_ended", now)];
  });
