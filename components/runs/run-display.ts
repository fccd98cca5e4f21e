import type { RunOutcome } from "#kernel/run/event";
import type { RunState } from "#kernel/run/state";
import type { RunStatus } from "#kernel/run/status";
import type { RunDisplay } from "../graph/encoding";

/** What lists and headers call a run: its outcome once it has ended, waiting while it only waits for people. */
export function displayOfRun(run: {
  readonly status: RunStatus;
  readonly outcome?: RunOutcome | undefined;
  readonly openGates?: number;
}): RunDisplay {
  if (run.status === "finished") return run.outcome ?? "completed";
  if (run.status === "running" && (run.openGates ?? 0) > 0) return "waiting";
  return run.status;
}

/** Waiting only counts while nothing runs: a run with calls in flight is running, gates or not. */
export function displayOfState(state: RunState): RunDisplay {
  const open = [...state.gates.values()].filter((gate) => gate.status === "open").length;
  return displayOfRun({
    status: state.status,
    outcome: state.outcome,
    openGates: state.inFlight.size > 0 ? 0 : open,
  });
}
