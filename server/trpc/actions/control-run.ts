import type { RunId } from "#kernel/ids";
import { err } from "#kernel/result";
import { type ControlRefusal, controlRun as controlOf } from "#kernel/run/control";
import { AppError, type AppErrorCode, notFound } from "../../errors";
import { actorOf } from "../../runtime/audit-log";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import { submissionIdOf } from "../submission-id";

export interface ControlInput {
  readonly runId: RunId;
  readonly action: "pause" | "resume" | "cancel";
  readonly reason?: string | undefined;
  /** Made up by who asks: the same request sent again is answered as the first time. */
  readonly requestId?: string | undefined;
}

const CODES: Readonly<Record<ControlRefusal["code"], AppErrorCode>> = {
  run_ended: "run_finished",
  run_cancelled: "run_cancelled",
  not_started: "run_not_started",
  already_paused: "run_paused",
  not_paused: "run_not_paused",
};

const CONTROLLED = { pause: "run.paused", resume: "run.resumed", cancel: "run.cancelled" } as const;

/**
 * Pauses, resumes or cancels a run. Once this answers, the decision is durable and its owner has been woken; after a
 * cancellation nothing starts any more.
 */
export async function controlRun(
  services: Services,
  principal: Principal,
  { runId, action, reason, requestId }: ControlInput,
): Promise<{ runId: RunId; seq: number }> {
  const { id, name } = principal.person;
  const person = { id, name };
  const workspaceId = principal.workspace.id;
  const request = { action, by: person, ...(reason === undefined ? {} : { reason }) };
  const submitted = await services.runs.submit(
    workspaceId,
    runId,
    (state, now) => {
      const decided = controlOf(state, request, now);
      return decided.ok ? decided : err(new AppError(CODES[decided.error.code], decided.error.message));
    },
    submissionIdOf(person, action, requestId),
    () => [
      {
        workspaceId,
        actor: actorOf(principal),
        action: CONTROLLED[action],
        subject: { kind: "run", id: runId },
        ...(reason === undefined ? {} : { detail: { reason } }),
      },
    ],
  );
  if (submitted === undefined) throw notFound();
  if (!submitted.ok) throw submitted.error;
  // Cancelling is final once it is answered, so the answer waits for whoever drives the run.
  if (action === "cancel") await services.runs.awaitOwner(workspaceId, runId);
  return { runId, seq: submitted.value };
}
