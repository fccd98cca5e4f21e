import type { JsonObject } from "../json";
import { err, ok, type Result } from "../result";
import type { NewRunEvent, PersonRef } from "./event";
import { applyEvent, cloneState } from "./reduce";
import { type RetryRefusal, type RetryRequest, retryTask } from "./retry-task";
import { checkRevision, type RevisionOptions, revisionEvent } from "./revision";
import { revisionApproval } from "./revision-gate";
import type { RevisionRefusal } from "./revision-refusal";
import type { RunState } from "./state";
import { unfinishedPlan } from "./unfinished";

export interface RetryWithArgumentsRequest extends RetryRequest {
  readonly arguments: JsonObject;
  /** Another capability than before; absent: the same. */
  readonly capability?: string;
}

/**
 * A failed task tried again with other arguments: it is reopened, and a revision gives it its new definition, judged
 * like any other. Where that goes beyond what was approved, the task gets a gate of its own, so that a refusal ends it
 * and the old call is never made again in its place.
 */
export function retryWithArguments(
  state: RunState,
  request: RetryWithArgumentsRequest,
  options: RevisionOptions & { readonly now: number },
): Result<NewRunEvent[], RetryRefusal | RevisionRefusal> {
  const { now } = options;
  const { taskId, by, reason } = request;
  const triggerSeq = state.tasks.get(taskId)?.endedSeq;
  const retried = retryTask(state, request, now);
  if (!retried.ok) return retried;
  const [reopening] = retried.value;
  if (reopening?.type !== "task_retried" || reopening.taskId !== taskId || triggerSeq === undefined) {
    return err({ code: "not_retryable", message: `“${taskId}” has not failed itself: retry what it waits for.` });
  }
  const reopened = cloneState(state);
  applyEvent(reopened, { ...reopening, seq: state.lastSeq + 1 });
  const check = (needsGate: boolean) =>
    checkRevision(
      reopened,
      {
        reason: "new_information",
        triggerSeq,
        author: personAuthor(by),
        document: revisedDocument(reopened, request, needsGate),
        ...(reason === undefined ? {} : { message: reason }),
      },
      options,
    );
  let checked = check(false);
  if (checked.ok && checked.value.widened.length > 0) checked = check(true);
  if (!checked.ok) return checked;
  return ok([reopening, revisionEvent(reopened, checked.value, now)]);
}

export const personAuthor = ({ id, name }: PersonRef) => ({ kind: "person", name, personId: id }) as const;

function revisedDocument(state: RunState, request: RetryWithArgumentsRequest, needsGate: boolean): unknown {
  const plan = unfinishedPlan(state);
  return {
    ...plan,
    tasks: plan?.tasks.map((task) =>
      task.id !== request.taskId
        ? task
        : {
            ...task,
            arguments: request.arguments,
            capability: request.capability ?? task.capability,
            ...(needsGate && task.approval === undefined ? { approval: revisionApproval(plan) } : {}),
          },
    ),
  };
}
