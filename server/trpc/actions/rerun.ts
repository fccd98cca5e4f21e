import type { RunId, TaskId } from "#kernel/ids";
import { planRerun } from "#kernel/run/rerun";
import type { RunState } from "#kernel/run/state";
import { AppError, notFound } from "../../errors";
import type { PlanVersion } from "../../runtime/plan-records";
import { holdsRole, type Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import { beginRun } from "./begin-run";

export interface RerunInput {
  readonly runId: RunId;
  readonly fromTaskIds: readonly TaskId[];
  /** Said by the person: steps that may have changed something already will do so again. */
  readonly repeatEffects: boolean;
  readonly requestId?: string | undefined;
}

export interface RerunPreview {
  readonly again: TaskId[];
  readonly carried: { taskId: TaskId; sideEffect: string }[];
  readonly mayRepeat: TaskId[];
  readonly planVersion: number;
}

/** What a rerun would do again and what it would not; nothing is started. */
export async function previewRerun(
  services: Services,
  principal: Principal,
  input: Pick<RerunInput, "runId" | "fromTaskIds">,
): Promise<RerunPreview> {
  const { rerun, version } = await prepare(services, principal, input);
  return {
    again: [...rerun.again],
    carried: rerun.carried.map(({ taskId, observation }) => ({ taskId, sideEffect: observation.sideEffect })),
    mayRepeat: [...rerun.mayRepeat],
    planVersion: version.number,
  };
}

/** Starts a new run of the same plan version that takes over the results which still stand. */
export async function rerun(services: Services, principal: Principal, input: RerunInput): Promise<{ runId: RunId }> {
  const { rerun, version, state, planId } = await prepare(services, principal, input);
  if (rerun.mayRepeat.length > 0 && !input.repeatEffects) {
    const names = rerun.mayRepeat.map((id) => `“${id}”`).join(", ");
    throw new AppError("effects_repeated", `${names} may have changed something already and would do so again.`, {
      taskIds: rerun.mayRepeat,
    });
  }
  return beginRun(services, principal, {
    planId,
    version,
    // That an admin let one run go without four eyes is no licence for whoever runs it again.
    policy: { ...state.policy, fourEyes: state.policy.fourEyes || !holdsRole(principal, ["admin"]) },
    rerun: { of: { runId: input.runId, fromTaskIds: [...input.fromTaskIds] }, carried: rerun.carried },
    requestId: input.requestId,
  });
}

async function prepare(
  services: Services,
  principal: Principal,
  { runId, fromTaskIds }: Pick<RerunInput, "runId" | "fromTaskIds">,
) {
  const workspaceId = principal.workspace.id;
  const [summary, state] = await Promise.all([
    services.runs.get(workspaceId, runId),
    services.runs.state(workspaceId, runId),
  ]);
  if (summary === undefined || state === undefined) throw notFound();
  const version = await versionOf(services, principal, state, summary.planId);
  if (summary.planId === null || version === undefined) {
    throw new AppError("not_retryable", "The plan that this run was started with is not stored here.");
  }
  const planned = planRerun(state, version.plan, fromTaskIds);
  if (!planned.ok) {
    const code = planned.error.code === "task_not_found" ? "invalid_input" : "not_retryable";
    throw new AppError(code, planned.error.message);
  }
  return { rerun: planned.value, version, state, planId: summary.planId };
}

async function versionOf(
  { plans }: Services,
  { person: { id, name }, workspace }: Principal,
  state: RunState,
  planId: string | null,
): Promise<PlanVersion | undefined> {
  const { planVersionNumber } = state;
  if (planId === null || planVersionNumber === undefined) return undefined;
  return plans.version({ workspaceId: workspace.id, person: { id, name } }, planId, planVersionNumber);
}
