import type { RunId } from "#kernel/ids";
import type { JsonValue } from "#kernel/json";
import { err } from "#kernel/result";
import { checkReconciliation, type ReconcileAction, type ReconcileRefusal } from "#kernel/run/reconcile";
import { AppError, type AppErrorCode, notFound } from "../../errors";
import { actorOf, type NewAuditEntry } from "../../runtime/audit-log";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import { submissionIdOf } from "../submission-id";

export interface ReconcileInput {
  readonly runId: RunId;
  readonly taskId: string;
  readonly attempt: number;
  readonly action: ReconcileAction;
  readonly reason: string;
  readonly output?: JsonValue | undefined;
  /** Made up by the caller: the same request sent again is answered as the first time. */
  readonly requestId?: string | undefined;
}

const CODES: Readonly<Record<ReconcileRefusal["code"], AppErrorCode>> = {
  task_not_found: "not_found",
  outcome_settled: "outcome_settled",
  outcome_changed: "outcome_changed",
  run_ended: "run_finished",
  reason_required: "reason_required",
  output_invalid: "answer_invalid",
  look_up_unavailable: "look_up_unavailable",
  look_up_pending: "look_up_pending",
  not_eligible: "not_eligible",
  four_eyes: "four_eyes",
  already_decided: "already_decided",
};

const refusalOf = ({ code, message, by, at }: ReconcileRefusal): AppError =>
  new AppError(CODES[code], message, { ...(by === undefined ? {} : { by }), ...(at === undefined ? {} : { at }) });

/**
 * What a person says became of a call whose answer was lost, judged under the run's lock and entered in the audit in
 * the same transaction; so is a refusal, for itself.
 */
export async function reconcileOutcome(
  services: Services,
  principal: Principal,
  input: ReconcileInput,
): Promise<{ runId: RunId; seq: number }> {
  const { runId, taskId, attempt, action, reason, output } = input;
  const workspaceId = principal.workspace.id;
  const entry: NewAuditEntry = {
    workspaceId,
    actor: actorOf(principal),
    action: "outcome.reconciled",
    subject: { kind: "run", id: runId },
    detail: { taskId, attempt, action, reason: reason.slice(0, 500) },
  };
  const said = { taskId, attempt, action, reason, ...(output === undefined ? {} : { output }) };
  const submitted = await services.runs.submit<AppError>(
    workspaceId,
    runId,
    async (state, now, signers) => {
      const member = await signers.one(workspaceId, principal.person.id);
      if (member === undefined) return err(new AppError("not_eligible", "You are not in this workspace any more."));
      const signer = { ...member, isAgent: !principal.maySign };
      const checked = checkReconciliation(state, said, { signer, now, checkSchema: services.checkSchema });
      return checked.ok ? checked : err(refusalOf(checked.error));
    },
    submissionIdOf(principal.person, `${action} ${runId} ${taskId} ${attempt} ${reason}`, input.requestId),
    (_events, lastSeq) => [{ ...entry, detail: { ...entry.detail, seq: lastSeq } }],
  );
  if (submitted === undefined) throw notFound();
  if (!submitted.ok) {
    const refused: NewAuditEntry = { ...entry, action: "outcome.reconciled_refused" };
    await services.audit.record([{ ...refused, detail: { ...entry.detail, code: submitted.error.code } }]);
    throw submitted.error;
  }
  return { runId, seq: submitted.value };
}
