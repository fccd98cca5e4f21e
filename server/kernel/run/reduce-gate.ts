import type { RunEventOf } from "./event";
import { purposeOf } from "./gate";
import type { GateState, GateStatus, RunState, TaskState } from "./state";
import { becomeReady, type Moment, setStatus } from "./transition";

/**
 * open ─ quorum ─▶ approved ─ the call starts ─▶ used
 * open ─▶ rejected | sent_back | expired | superseded;  approved ─▶ expired | superseded
 * used ─▶ expired, where a retry came after its execute-by time
 * open | approved | used, no call under way ─ a signer takes it back ─▶ revoked, and the same request is asked anew
 */
export function openGate(state: RunState, event: RunEventOf<"approval_requested">): void {
  const gate: GateState = { request: event, status: "open", decisions: [] };
  state.gates.set(event.gateId, gate);
  state.liveGates.add(event.gateId);
  const purpose = purposeOf(event);
  if (purpose === "plan") state.planGateId = event.gateId;
  if (purpose === "revision" && state.proposal) state.proposal = { ...state.proposal, gateId: event.gateId };
  const task = taskOf(state, gate);
  if (task === undefined) return;
  task.gateId = event.gateId;
  task.gateCount += 1;
  state.settling.delete(task.id);
  if (purpose === "action" || purpose === "question") setStatus(state, task, "awaiting_approval");
}

/** Quorum counts distinct people; one rejection, or one sending back, closes the gate. */
export function decideGate(state: RunState, event: RunEventOf<"approval_decided">): void {
  const gate = state.gates.get(event.gateId);
  if (gate?.status !== "open") return;
  gate.decisions.push(event);
  switch (event.decision) {
    case "approve": {
      if (signatures(gate) >= gate.request.quorum) approve(state, gate, event);
      return;
    }
    case "reject":
      close(state, gate, "rejected", event.at);
      reject(state, gate, event);
      return;
    case "send_back":
      close(state, gate, "sent_back", event.at);
      sendBack(state, gate, event);
      return;
  }
}

/** Distinct people who signed, each with an authority of their own: nobody signs twice, for themselves or for others. */
export function signatures(gate: GateState): number {
  const people = new Set(gate.decisions.map((decision) => decision.by.id));
  const authorities = new Set(gate.decisions.map((decision) => (decision.onBehalfOf ?? decision.by).id));
  return Math.min(people.size, authorities.size);
}

/** The round is void: what was signed in it counts no more, and `decide` opens a new gate for the same request. */
export function revokeGate(state: RunState, event: RunEventOf<"approval_revoked">): void {
  const gate = state.gates.get(event.gateId);
  if (gate?.status !== "open" && gate?.status !== "approved" && gate?.status !== "used") return;
  close(state, gate, "revoked", event.at);
  gate.revoked = event;
  const task = taskOf(state, gate);
  if (task?.gateId !== event.gateId) return;
  if (task.status === "awaiting_approval" || task.status === "ready") askAgain(state, task, event);
  else if (task.status === "blocked" || task.status === "unknown_outcome") state.settling.add(task.id);
}

/** That people were told; it decides nothing. */
export function markGate(state: RunState, event: RunEventOf<"approval_reminded" | "approval_escalated">): void {
  const gate = state.gates.get(event.gateId);
  if (gate === undefined) return;
  if (event.type === "approval_reminded") gate.remindedAt = event.at;
  else gate.escalatedAt = event.at;
}

export function expireGate(state: RunState, event: RunEventOf<"approval_expired">): void {
  const gate = state.gates.get(event.gateId);
  if (gate?.status !== "open" && gate?.status !== "approved" && gate?.status !== "used") return;
  close(state, gate, event.which === "superseded" ? "superseded" : "expired", event.at);
  if (event.which === "decide_by") {
    const message = `Nobody decided in time on the approval ${subject(gate)}.`;
    refuse(state, gate, { seq: event.seq, at: event.at, code: "approval_expired", message });
    return;
  }
  const task = taskOf(state, gate);
  if (event.which === "execute_by" && task?.gateId === event.gateId && task.status === "ready")
    askAgain(state, task, event);
}

function close(state: RunState, gate: GateState, status: GateStatus, at: number): void {
  gate.status = status;
  gate.closedAt = at;
  if (status !== "approved") state.liveGates.delete(gate.request.gateId);
}

function approve(state: RunState, gate: GateState, event: RunEventOf<"approval_decided">): void {
  close(state, gate, "approved", event.at);
  const purpose = purposeOf(gate.request);
  if (purpose === "action") gate.executeBy = event.at + gate.request.executeWithinSeconds * 1000;
  else state.liveGates.delete(gate.request.gateId);
  const task = taskOf(state, gate);
  if (task?.gateId !== gate.request.gateId) return;
  switch (purpose) {
    case "action":
      if (task.status === "awaiting_approval") becomeReady(state, task, event);
      return;
    case "release":
      task.released = true;
      if (task.status === "blocked") becomeReady(state, task, event);
      return;
    default:
      state.settling.add(task.id);
  }
}

function reject(state: RunState, gate: GateState, event: RunEventOf<"approval_decided">): void {
  const why = event.reason === undefined ? "" : `: ${event.reason}`;
  const message = `${event.by.name} rejected the request ${subject(gate)}${why}`;
  refuse(state, gate, { seq: event.seq, at: event.at, code: "approval_rejected", message });
}

/** Fails closed: what stood behind the gate does not happen. `decide` writes down what follows. */
function refuse(state: RunState, gate: GateState, ending: Moment & { code: string; message: string }): void {
  const purpose = purposeOf(gate.request);
  const task = taskOf(state, gate);
  if (purpose === "action" || purpose === "question" || purpose === "plan") {
    const { seq, code, message } = ending;
    state.firstRejection ??= { seq, code, message, taskId: task?.id };
  }
  if (task?.gateId !== gate.request.gateId) return;
  task.cause = { code: ending.code, message: ending.message, seq: ending.seq };
  state.settling.add(task.id);
}

function sendBack(state: RunState, gate: GateState, event: RunEventOf<"approval_decided">): void {
  const task = taskOf(state, gate);
  if (task?.gateId !== gate.request.gateId) return;
  if (event.editedArguments !== undefined) task.editedArguments = { value: event.editedArguments, by: event.by };
  askAgain(state, task, event);
}

/** Back to ready without a gate, so that `decide` opens a new one. */
function askAgain(state: RunState, task: TaskState, moment: Moment): void {
  setStatus(state, task, "pending");
  becomeReady(state, task, moment);
}

const taskOf = (state: RunState, gate: GateState): TaskState | undefined =>
  gate.request.taskId === undefined ? undefined : state.tasks.get(gate.request.taskId);

const subject = (gate: GateState): string =>
  gate.request.taskId === undefined ? "of the plan" : `of “${gate.request.taskId}”`;
