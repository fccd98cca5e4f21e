import { changesSomething } from "../capability/side-effect";
import type { JsonValue } from "../json";
import { idempotencyKey } from "./attempt";
import { countsCalls } from "./budget";
import { type Command, loadOutputs } from "./command";
import type { OutputLoader } from "./outputs";
import { repeatOf } from "./repetition";
import type { GateState, RunState, TaskState } from "./state";

/** Time limit of a call where neither the plan nor the capability sets one. */
export const TIMEOUT_SECONDS_DEFAULT = 60;

/**
 * The call of a task: with the arguments of its gate where one was approved, else with the ones given. Where it has to
 * be known first what it repeats, the outputs that this needs.
 */
export function dispatchCommands(
  state: RunState,
  task: TaskState,
  call: { attempt: number; arguments: JsonValue; gate: GateState | undefined; load: OutputLoader | undefined },
): Command[] {
  const capability = state.capabilities.get(task.task.capability);
  const gate = call.gate?.request;
  const callArguments = gate === undefined ? call.arguments : gate.arguments;
  const { repeats, missing } = repeatOf(state, task, { arguments: callArguments, load: call.load });
  if (missing !== undefined) return loadOutputs(missing);
  const command: Command = {
    type: "dispatch",
    taskId: task.id,
    attempt: call.attempt,
    capability: gate?.capability ?? task.task.capability,
    arguments: callArguments,
    timeoutMs: (task.task.timeoutSeconds ?? capability?.timeoutSeconds ?? TIMEOUT_SECONDS_DEFAULT) * 1000,
    idempotencyKey: idempotencyKey(state, task),
    barrier: changesSomething(capability) || countsCalls(state) || gate !== undefined,
    gateId: gate?.gateId,
    ...(repeats === undefined ? {} : { repeats }),
  };
  return [command];
}
