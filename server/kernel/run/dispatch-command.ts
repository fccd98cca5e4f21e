import type { JsonValue } from "../json";
import { changesSomething, idempotencyKey } from "./attempt";
import { countsCalls } from "./budget";
import type { Command } from "./command";
import type { GateState, RunState, TaskState } from "./state";

/** Time limit of a call where neither the plan nor the capability sets one. */
export const TIMEOUT_SECONDS_DEFAULT = 60;

/** The call of a task: with the arguments of its gate where one was approved, else with the ones given. */
export function dispatchCommand(
  state: RunState,
  task: TaskState,
  call: { attempt: number; arguments: JsonValue; gate: GateState | undefined },
): Command {
  const capability = state.capabilities.get(task.task.capability);
  const gate = call.gate?.request;
  return {
    type: "dispatch",
    taskId: task.id,
    attempt: call.attempt,
    capability: gate?.capability ?? task.task.capability,
    arguments: gate === undefined ? call.arguments : gate.arguments,
    timeoutMs: (task.task.timeoutSeconds ?? capability?.timeoutSeconds ?? TIMEOUT_SECONDS_DEFAULT) * 1000,
    idempotencyKey: idempotencyKey(state, task),
    barrier: changesSomething(capability) || countsCalls(state) || gate !== undefined,
    gateId: gate?.gateId,
  };
}
