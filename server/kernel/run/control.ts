import { err, ok, type Result } from "../result";
import type { NewRunEvent, PersonRef } from "./event";
import type { RunState } from "./state";

/** What a person can ask of a run as a whole. */
export interface ControlRequest {
  readonly action: "pause" | "resume" | "cancel";
  readonly by: PersonRef;
  readonly reason?: string;
}

export interface ControlRefusal {
  readonly code: "run_ended" | "run_cancelled" | "not_started" | "already_paused" | "not_paused";
  readonly message: string;
}

/**
 * The event that a request makes, or why it makes none. Cancelling is final: once its event is in the log, `decide`
 * starts nothing, whatever else is asked. Asking for what is already so is refused, so that the log says who did it.
 */
export function controlRun(
  state: RunState,
  { action, by, reason }: ControlRequest,
  now: number,
): Result<NewRunEvent[], ControlRefusal> {
  if (state.status === "finished") return refuse("run_ended", "The run has ended.");
  if (state.cancelledBy !== undefined) {
    return refuse("run_cancelled", `${state.cancelledBy.name} has already cancelled this run.`);
  }
  const because = reason === undefined ? {} : { reason };
  switch (action) {
    case "cancel":
      return ok([{ type: "run_cancelled", at: now, by, ...because }]);
    case "pause":
      if (state.status === "paused") return refuse("already_paused", "The run is already paused.");
      if (state.status === "created") return refuse("not_started", "The run has no plan in force yet.");
      return ok([{ type: "run_paused", at: now, by, ...because }]);
    case "resume":
      if (state.status !== "paused") return refuse("not_paused", "The run is not paused.");
      return ok([{ type: "run_resumed", at: now, by }]);
  }
}

const refuse = (code: ControlRefusal["code"], message: string): Result<never, ControlRefusal> => err({ code, message });
