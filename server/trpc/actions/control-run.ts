import type { RunId } from "#kernel/ids";
import { assertNever, err, ok, type Result } from "#kernel/result";
import type { NewRunEvent, PersonRef } from "#kernel/run/event";
import { AppError, notFound } from "../../errors";
import type { PlanScope } from "../../runtime/plan-store";
import type { Services } from "../../services";

export interface ControlRequest {
  readonly runId: RunId;
  readonly action: "pause" | "resume" | "cancel";
  readonly reason?: string | undefined;
}

/** The event that records what a person asked of a run. */
function controlEvent(request: ControlRequest, by: PersonRef, at: number): NewRunEvent {
  const reason = request.reason === undefined ? {} : { reason: request.reason };
  switch (request.action) {
    case "pause":
      return { type: "run_paused", at, by, ...reason };
    case "resume":
      return { type: "run_resumed", at, by };
    case "cancel":
      return { type: "run_cancelled", at, by, ...reason };
    default:
      return assertNever(request.action);
  }
}

/** Pauses, resumes or cancels a run. Once this answers, the decision is durable and its owner has been woken. */
export async function controlRun(
  services: Services,
  scope: PlanScope,
  request: ControlRequest,
): Promise<{ runId: RunId; seq: number }> {
  const submitted = await services.runs.submit(
    scope.workspaceId,
    request.runId,
    (state, now): Result<readonly NewRunEvent[], AppError> => {
      if (state.status === "finished") return err(new AppError("run_finished", "This run has ended."));
      return ok([controlEvent(request, scope.person, now)]);
    },
  );
  if (submitted === undefined) throw notFound();
  if (!submitted.ok) throw submitted.error;
  return { runId: request.runId, seq: submitted.value };
}
