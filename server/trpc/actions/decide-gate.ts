import type { GateId } from "#kernel/ids";
import type { JsonValue } from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";
import type { NewRunEvent } from "#kernel/run/event";
import { AppError, notFound } from "../../errors";
import type { Principal } from "../../runtime/principal";
import type { GateRecord } from "../../runtime/run-records";
import type { Services } from "../../services";

export interface GateDecision {
  readonly gateId: GateId;
  readonly nonce: string;
  readonly argumentsHash: string;
  readonly decision: "approve" | "reject" | "send_back";
  readonly reason?: string | undefined;
  readonly answer?: JsonValue | undefined;
  readonly editedArguments?: JsonValue | undefined;
}

/** Records one person's decision on one gate, checked under the run's lock. */
export async function decideGate(
  services: Services,
  principal: Principal,
  decision: GateDecision,
): Promise<{ gateId: GateId; status: GateRecord["status"]; seq: number }> {
  const gate = await services.runs.gate(principal.workspace.id, decision.gateId);
  if (gate === undefined) throw notFound();
  const { id, name } = principal.person;
  const submitted = await services.runs.submit(
    principal.workspace.id,
    gate.runId,
    (state, now): Result<readonly NewRunEvent[], AppError> => {
      const current = state.gates.get(decision.gateId);
      if (current === undefined || current.status !== "open") return err(new AppError("gate_closed", "It is closed."));
      return ok([
        {
          type: "approval_decided",
          at: now,
          gateId: decision.gateId,
          decision: decision.decision,
          by: { id, name },
          argumentsHash: decision.argumentsHash,
        },
      ]);
    },
  );
  if (submitted === undefined) throw notFound();
  if (!submitted.ok) throw submitted.error;
  const after = await services.runs.gate(principal.workspace.id, decision.gateId);
  return { gateId: decision.gateId, status: after?.status ?? gate.status, seq: submitted.value };
}
