import type { GateId } from "#kernel/ids";
import type { JsonObject, JsonValue } from "#kernel/json";
import { err, type Result } from "#kernel/result";
import { checkDecision, type DecisionRefusal } from "#kernel/run/approval";
import type { Signer } from "#kernel/run/authority";
import type { NewRunEvent } from "#kernel/run/event";
import { checkRevocation } from "#kernel/run/revocation";
import type { RunState } from "#kernel/run/state";
import { AppError, notFound } from "../../errors";
import { actorOf, type NewAuditEntry } from "../../runtime/audit-log";
import type { Principal } from "../../runtime/principal";
import type { GateRecord } from "../../runtime/run-records";
import type { Services } from "../../services";
import { submissionIdOf } from "../submission-id";
import { gateRefusal } from "./gate-refusal";

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

export interface GateAnswer {
  readonly gateId: GateId;
  readonly status: GateRecord["status"];
  readonly seq: number;
}

/** Records one person's decision on one gate, judged under the run's lock and on the database clock. */
export const decideGate = (services: Services, principal: Principal, decision: GateDecision): Promise<GateAnswer> =>
  submit(services, principal, {
    gateId: decision.gateId,
    action: "gate.decided",
    detail: { decision: decision.decision, argumentsHash: decision.argumentsHash },
    submissionId: submissionIdOf(
      principal.person,
      `${decision.decision} ${decision.gateId} ${decision.argumentsHash}`,
      decision.requestId,
    ),
    check: (state, signer, now) =>
      checkDecision(state, withoutAbsent(decision), { signer, now, checkSchema: services.checkSchema }),
  });

/** Takes one person's approval back, under the same lock as the dispatch of what it let run. */
export const revokeApproval = (
  services: Services,
  principal: Principal,
  { gateId, reason }: { readonly gateId: GateId; readonly reason?: string | undefined },
): Promise<GateAnswer> =>
  submit(services, principal, {
    gateId,
    action: "gate.approval_revoked",
    detail: {},
    submissionId: undefined,
    check: (state, signer, now) =>
      checkRevocation(state, { gateId, ...(reason === undefined ? {} : { reason }) }, { signer, now }),
  });

interface GateSubmission {
  readonly gateId: GateId;
  readonly action: "gate.decided" | "gate.approval_revoked";
  readonly detail: JsonObject;
  readonly submissionId: string | undefined;
  readonly check: (state: RunState, signer: Signer, now: number) => Result<NewRunEvent[], DecisionRefusal>;
}

async function submit(services: Services, principal: Principal, submission: GateSubmission): Promise<GateAnswer> {
  const { gateId, action, detail, check } = submission;
  const workspaceId = principal.workspace.id;
  const entry = (more: JsonObject): NewAuditEntry => ({
    workspaceId,
    actor: actorOf(principal),
    action,
    subject: { kind: "gate", id: gateId },
    detail: { ...detail, ...more },
  });
  /** A decision that was refused is as much worth knowing as one that was made: it may have been sent again. */
  const refuse = async (refusal: AppError): Promise<never> => {
    await services.audit.record([{ ...entry({ code: refusal.code }), action: `${action}_refused` }]);
    throw refusal;
  };
  const gate = await services.runs.gate(workspaceId, gateId);
  if (gate === undefined) return refuse(notFound());
  const submitted = await services.runs.submit<AppError>(
    workspaceId,
    gate.runId,
    async (state, now, signers) => {
      // Whoever left the workspace since the request came in has no right left here.
      const member = await signers.one(workspaceId, principal.person.id);
      if (member === undefined) return err(new AppError("not_eligible", "You are not in this workspace any more."));
      const checked = check(state, { ...member, isAgent: !principal.maySign }, now);
      return checked.ok ? checked : err(gateRefusal(checked.error));
    },
    submission.submissionId,
    (events, lastSeq) => [entry({ runId: gate.runId, seq: lastSeq, ...standInOf(events) })],
  );
  if (submitted === undefined) return refuse(notFound());
  if (!submitted.ok) return refuse(submitted.error);
  const after = await services.runs.gate(workspaceId, gateId);
  return { gateId, status: after?.status ?? gate.status, seq: submitted.value };
}

/** For whom it was signed, where that was somebody else. */
function standInOf(events: readonly NewRunEvent[]): JsonObject {
  const [event] = events;
  if (event?.type !== "approval_decided" || event.onBehalfOf === undefined) return {};
  return { onBehalfOf: event.onBehalfOf.id };
}

const withoutAbsent = ({ reason, answer, editedArguments, requestId: _requestId, ...decision }: GateDecision) => ({
  ...decision,
  ...(reason === undefined ? {} : { reason }),
  ...(answer === undefined ? {} : { answer }),
  ...(editedArguments === undefined ? {} : { editedArguments }),
});
