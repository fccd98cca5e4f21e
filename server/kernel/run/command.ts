import type { GateId, TaskId } from "../ids";
import type { JsonValue } from "../json";
import type { Cause, NewRunEvent, PersonRef } from "./event";
import type { Repeat } from "./state";

/**
 * What `decide` asks the shell around it to do. Commands are data; the shell appends `record` events and starts
 * calls, in one transaction where both must hold.
 */
export type Command =
  /** Start a call. `arguments` are resolved; nothing expands them again. */
  | {
      readonly type: "dispatch";
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly capability: string;
      readonly arguments: JsonValue;
      readonly timeoutMs: number;
      /** `run:task:group`: the same for every call that could repeat an effect of an earlier one. */
      readonly idempotencyKey: string;
      /** True: `task_dispatched` must be durable before the call: it changes something, is counted, or uses an approval. */
      readonly barrier: boolean;
      readonly gateId?: GateId;
      /** The earlier call that this one repeats; it is judged once it has come back. */
      readonly repeats?: Repeat;
    }
  /** Append an event that needs no effect: a gate, a skip, a cancellation, a retry, the end of the run. */
  | { readonly type: "record"; readonly event: NewRunEvent }
  /** Abort a call in progress; its late answer is kept as an observation. */
  | { readonly type: "abort"; readonly taskId: TaskId; readonly cause: Cause }
  /** Nothing to do before `at` unless something happens; the earliest one counts. */
  | { readonly type: "wake"; readonly at: number }
  /** Load an output that stands in an artifact, then decide again: something that could go on needs to read it. */
  | { readonly type: "load_output"; readonly outputRef: string }
  /** Ask whether a call of unknown outcome took effect; it changes nothing, so it may be made again after a crash. */
  | LookUpCommand
  /** Make the call of a completion check; it changes nothing, so it may be made again after a crash. */
  | {
      readonly type: "check_completion";
      readonly index: number;
      readonly capability: string;
      readonly arguments: JsonValue;
      readonly timeoutMs: number;
    };

export interface LookUpCommand {
  readonly type: "look_up";
  readonly taskId: TaskId;
  readonly attempt: number;
  readonly capability: string;
  readonly arguments: JsonValue;
  readonly timeoutMs: number;
  /** Who asked for it, where a person did. */
  readonly by?: PersonRef;
}

export const record = (event: NewRunEvent): Command => ({ type: "record", event });

/** Asks for every output that was missing. */
export const loadOutputs = (outputRefs: Iterable<string>): Command[] =>
  Array.from(outputRefs, (outputRef) => ({ type: "load_output", outputRef }));
