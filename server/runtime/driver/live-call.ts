import type { Command } from "#kernel/run/command";
import type { UsedPermit } from "../permits/call-permits";

export type DispatchCommand = Extract<Command, { type: "dispatch" }>;

/** One call that this driver makes, or is about to make once its start is durable. */
export interface LiveCall {
  readonly command: DispatchCommand;
  readonly abort: AbortController;
  /** When it was decided on, epoch milliseconds on the database clock; its start, once it has started. */
  at: number;
  /**
   * `waiting`: its start has to be durable first; `running`; `cut`: aborted, its answer comes late or never;
   * `left`: dropped while letting go, its answer counts only if it is a success.
   */
  status: "waiting" | "running" | "cut" | "left";
  /** Its permit, where limits over all runs count it. */
  readonly permit: UsedPermit | undefined;
  /** The `seq` of its `task_dispatched`, where one was recorded. */
  dispatchedSeq?: number;
  /** Made again after its worker died: what has to be durable first is its charge. */
  isRepeat?: true;
}
