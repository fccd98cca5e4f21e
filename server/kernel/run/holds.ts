import type { DecideOptions } from "./decide-options";
import { planIsSigned } from "./plan-gate";
import { isHeldByProposal } from "./replan";
import { Room } from "./room";
import type { RunState, TaskState } from "./state";
import type { Hold } from "./status";

/**
 * Why each task whose dependencies are complete does not run, by task id. Every ready task is named, except one that
 * the next `decide` starts, skips or asks about.
 *
 * @param now epoch milliseconds on the database clock.
 * @param options what the driver decides with; where it is unknown (in a browser), only the plan's own limits count.
 */
export function holdsOf(state: RunState, now: number, options: DecideOptions = {}): Map<string, Hold> {
  const holds = new Map<string, Hold>();
  const room = new Room(state, options);
  for (const gate of state.gates.values()) {
    const { taskId, gateId } = gate.request;
    if (gate.status === "open" && taskId !== undefined) holds.set(taskId, { type: "approval", gateId });
  }
  for (const id of state.ready) {
    const task = state.tasks.get(id);
    const hold = task && holdOf(state, task, { now, room });
    if (hold !== undefined) holds.set(id, hold);
  }
  return holds;
}

function holdOf(state: RunState, task: TaskState, { now, room }: { now: number; room: Room }): Hold | undefined {
  if (state.revision === 0) return { type: "authorization", message: "Its plan is not in force yet." };
  if (state.status === "paused") return { type: "paused" };
  if (isHeldByProposal(state, task)) return { type: "approval", gateId: state.proposal?.gateId ?? "" };
  if (!planIsSigned(state)) return { type: "approval", gateId: state.planGateId ?? "" };
  if (task.notBefore !== undefined && now < task.notBefore) return { type: "backoff", until: task.notBefore };
  if (state.settling.has(task.id)) return undefined;
  if (!state.capabilities.has(task.task.capability)) {
    return { type: "capability_unavailable", message: `This run has no capability “${task.task.capability}”.` };
  }
  return room.hold(task);
}
