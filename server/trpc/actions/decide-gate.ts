import type { GateId } from "#kernel/ids";
import type { JsonValue } from "#kernel/json";
import { err } from "#kernel/result";
import { checkDecision, type DecisionRefusal, type DecisionRefusalCode, type Signer } from "#kernel/run/approval";
import { AppError, type AppErrorCode, notFound } from "../../errors";
import type { Principal } from "../../runtime/principal";
import type { GateRecord } from "../../runtime/run-records";
import type { Services } from "../../services";
import { submissionIdOf } from "../submission-id";

export interface GateDecision {
  readonly gateId: GateId;
  readonly nonce: string;
  readonly argumentsHash: string;
  readonly decision: "approve" | "reject" | "send_back";
  readonly reason?: string | undefined;
  readonly answer?: JsonValue | undefined;
  readonly editedArguments?: JsonValue | undefined;
  /** Made up by the signer: the same request sent again is answered as the first time. */
  readonly requestId?: string | undefined;
}

const CODES: Readonly<Record<DecisionRefusalCode, AppErrorCode>> = {
  gate_not_found: "not_found",
  gate_not_open: "gate_closed",
  run_ended: "run_finished",
  superseded: "gate_superseded",
  expired: "gate_expired",
  nonce_mismatch: "gate_changed",
  hash_mismatch: "gate_changed",
  not_eligible: "not_eligible",
  four_eyes: "four_eyes",
  already_decided: "already_decided",
  reason_required: "reason_required",
  answer_required: "answer_invalid",
  answer_invalid: "answer_invalid",
  arguments_required: "arguments_invalid",
  arguments_invalid: "arguments_invalid",
};

const refused = ({ code, message }: DecisionRefusal): AppError => new AppError(CODES[code], message);

/** Somebody as the gate's rules see them, with the roles they hold at this moment. */
export const signerOf = ({ person, roles, maySign }: Principal): Signer => ({ ...person, roles, isAgent: !maySign });

/** Records one person's decision on one gate, judged under the run's lock and on the database clock. */
export async function decideGate(
  services: Services,
  principal: Principal,
  decision: GateDecision,
): Promise<{ gateId: GateId; status: GateRecord["status"]; seq: number }> {
  const { gateId } = decision;
  const workspaceId = principal.workspace.id;
  const gate = await services.runs.gate(workspaceId, gateId);
  if (gate === undefined) throw notFound();
  const signer = signerOf(principal);
  const { checkSchema } = services;
  const submitted = await services.runs.submit(
    workspaceId,
    gate.runId,
    (state, now) => {
      const decided = checkDecision(state, withoutAbsent(decision), { signer, now, checkSchema });
      return decided.ok ? decided : err(refused(decided.error));
    },
    submissionIdOf(principal.person, `${decision.decision} ${gateId} ${decision.argumentsHash}`, decision.requestId),
  );
  if (submitted === undefined) throw notFound();
  if (!submitted.ok) throw submitted.error;
  const after = await services.runs.gate(workspaceId, gateId);
  return { gateId, status: after?.status ?? gate.status, seq: submitted.value };
}

const withoutAbsent = ({ reason, answer, editedArguments, requestId: _requestId, ...decision }: GateDecision) => ({
  ...decision,
  ...(reason === undefined ? {} : { reason }),
  ...(answer === undefined ? {} : { answer }),
  ...(editedArguments === undefined ? {} : { editedArguments }),
});
