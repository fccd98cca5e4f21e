import { err, ok, type Result } from "../result";
import type { DecisionRefusal } from "./approval";
import type { Signer } from "./authority";
import type { NewRunEvent, PersonRef } from "./event";
import { purposeOf } from "./gate";
import type { GateState, RunState } from "./state";
import { isTerminal } from "./status";

/** Somebody who wants their approval back. */
export interface Revocation {
  readonly gateId: string;
  readonly reason?: string;
}

const refusal = (code: DecisionRefusal["code"], message: string, more: Partial<DecisionRefusal> = {}) =>
  err({ code, message, ...more });

/**
 * Whether this person may take their approval back now; if so, the event that records it.
 *
 * It may be taken back by whoever gave it, or by the one it was given for, until the call is dispatched: that event
 * and this one stand in one log, so one of them is first. The round is then void, and the same request is asked anew
 * with a new nonce: no signature carries over, and an earlier decision cannot be sent again.
 */
export function checkRevocation(
  state: RunState,
  { gateId, reason }: Revocation,
  { signer, now }: { signer: Signer; now: number },
): Result<NewRunEvent[], DecisionRefusal> {
  const gate = state.gates.get(gateId);
  if (gate === undefined) return refusal("gate_not_found", "There is no such request in this run.");
  if (signer.isAgent === true) return refusal("not_eligible", "An agent cannot take back what a person signed.");
  if (!approvalBy(gate, signer.id)) return refusal("not_signed", "You have not approved this.");
  const { status } = gate;
  const by = gate.revoked?.by;
  if (status === "revoked") {
    return refusal("gate_not_open", `${by?.name ?? "Somebody"} has already taken an approval back.`, {
      ...(by === undefined ? {} : { by }),
      ...(gate.closedAt === undefined ? {} : { at: gate.closedAt }),
    });
  }
  if (status !== "open" && status !== "approved" && status !== "used") {
    return refusal("gate_not_open", "This request is closed; its approvals count for nothing.");
  }
  if (state.status === "finished" || state.cancelledBy !== undefined) {
    return refusal("run_ended", "The run has ended.");
  }
  if (status === "open" && now >= gate.request.decideBy) return refusal("expired", "The time to decide is over.");
  if (!canBeRevoked(state, gate)) return refusal("already_started", "It is too late: what you approved has started.");
  const { id, name } = signer;
  return ok([
    {
      type: "approval_revoked",
      at: now,
      gateId: gate.request.gateId,
      by: { id, name },
      ...(reason === undefined || reason.trim() === "" ? {} : { reason: reason.trim() }),
    },
  ]);
}

const approvalBy = (gate: GateState, id: string): boolean =>
  gate.decisions.some(
    ({ decision, by, onBehalfOf }) => decision === "approve" && (by.id === id || onBehalfOf?.id === id),
  );

/**
 * True while nothing has come of the approvals of a gate yet: a call that waits for room, or between two attempts, can
 * still be held back; an answered question and a released task have been acted on.
 */
export function canBeRevoked(state: RunState, gate: GateState): boolean {
  if (gate.status === "open") return true;
  if (gate.status !== "approved" && gate.status !== "used") return false;
  const { taskId, gateId } = gate.request;
  switch (purposeOf(gate.request)) {
    case "action": {
      const task = taskId === undefined ? undefined : state.tasks.get(taskId);
      return task?.gateId === gateId && task.status === "ready";
    }
    case "plan":
      return ![...state.tasks.values()].some((task) => task.attempts.length > 0 || isTerminal(task.status));
    default:
      return false;
  }
}

/** Those who could take an approval back now: the signers and the ones they signed for. */
export const revokers = (state: RunState, gate: GateState): readonly PersonRef[] =>
  canBeRevoked(state, gate)
    ? gate.decisions.flatMap(({ decision, by, onBehalfOf }) =>
        decision === "approve" ? [by, ...(onBehalfOf === undefined ? [] : [onBehalfOf])] : [],
      )
    : [];
