import type { RunId } from "#kernel/ids";
import type { JsonObject } from "#kernel/json";
import { err, type Result } from "#kernel/result";
import type { NewRunEvent, PersonRef } from "#kernel/run/event";
import { retryWithArguments } from "#kernel/run/retry-arguments";
import { type RetryRefusal, retryTask as retryOf } from "#kernel/run/retry-task";
import type { RevisionRefusal } from "#kernel/run/revision-refusal";
import { AppError, type AppErrorCode, notFound } from "../../errors";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import { submissionIdOf } from "../submission-id";
import { revisedEntry, revisionRefused } from "./revise-run";

export interface RetryInput {
  readonly runId: RunId;
  readonly taskId: string;
  readonly reason?: string | undefined;
  readonly repeatEffects: boolean;
  /** A retry with other arguments is a revision of the task. */
  readonly arguments?: JsonObject | undefined;
  readonly capability?: string | undefined;
  readonly requestId?: string | undefined;
}

const CODES: Readonly<Record<RetryRefusal["code"], AppErrorCode>> = {
  run_ended: "run_finished",
  task_not_found: "not_found",
  not_retryable: "not_retryable",
  answered: "not_retryable",
  effects_repeated: "effects_repeated",
};

/** Has a failed task tried again in a live run, as a new attempt, in the name of a person. */
export async function retryTask(
  services: Services,
  principal: Principal,
  input: RetryInput,
): Promise<{ runId: RunId; seq: number }> {
  const { runId, taskId, repeatEffects, reason } = input;
  const workspaceId = principal.workspace.id;
  const { id, name } = principal.person;
  const by: PersonRef = { id, name };
  const registry = await services.capabilities.registryOf(workspaceId);
  const request = { taskId, by, repeatEffects, ...(reason === undefined || reason === "" ? {} : { reason }) };
  const submitted = await services.runs.submit<AppError>(
    workspaceId,
    runId,
    (state, now) =>
      refusing(
        input.arguments === undefined
          ? retryOf(state, request, now)
          : retryWithArguments(
              state,
              {
                ...request,
                arguments: input.arguments,
                ...(input.capability === undefined ? {} : { capability: input.capability }),
              },
              { registry, checkSchema: services.checkSchema, now },
            ),
      ),
    submissionIdOf(principal.person, `retry ${runId} ${taskId}`, input.requestId),
    (events, seq) => events.map((event) => revisedEntry(principal, runId, event, seq)),
  );
  if (submitted === undefined) throw notFound();
  if (!submitted.ok) throw submitted.error;
  return { runId, seq: submitted.value };
}

function refusing(
  result: Result<NewRunEvent[], RetryRefusal | RevisionRefusal>,
): Result<readonly NewRunEvent[], AppError> {
  if (result.ok) return result;
  const refusal = result.error;
  if ("problems" in refusal) return err(revisionRefused(refusal));
  const details = refusal.taskIds === undefined ? {} : { taskIds: refusal.taskIds };
  return err(new AppError(CODES[refusal.code], refusal.message, details));
}
