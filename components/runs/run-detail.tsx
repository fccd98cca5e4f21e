import type { RunState } from "#kernel/run/state";
import { RunPill } from "../graph/status";
import { displayOfState } from "./run-display";

/** Beside the title: plan version and revision, and how the run stands. */
export function RunDetail({ state }: { readonly state: RunState }) {
  const version = state.planVersionNumber === undefined ? "" : `v${state.planVersionNumber}`;
  const revision = state.revision > 1 ? `${version === "" ? "" : ", "}r${state.revision}` : "";
  return (
    <span className="flex flex-none items-center gap-2">
      {version + revision === "" ? null : (
        <span className="text-small text-fg-2 max-md:hidden">{version + revision}</span>
      )}
      <RunPill display={displayOfState(state)} />
    </span>
  );
}
