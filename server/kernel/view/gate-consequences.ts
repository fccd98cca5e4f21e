import { personIdSchema } from "../ids";
import { decide } from "../run/decide";
import type { PersonRef, RunEvent } from "../run/event";
import { applyEvent, cloneState } from "../run/reduce";
import type { GateState, RunState } from "../run/state";
import { isTerminal } from "../run/status";
import { behind } from "./outlook";

/** What a signature sets off, found by asking the real decision function on a copy of the state. */
export interface GateConsequences {
  /** Approve: signatures still missing after this one; above 0 nothing starts yet. */
  readonly signaturesLeft: number;
  /** Approve: tasks that start at once. */
  readonly starts: readonly string[];
  /** Approve: tasks that wait behind the gate and may follow, nearest first. */
  readonly follows: readonly string[];
  /** Reject: tasks that will never run. */
  readonly cancels: readonly string[];
  /** Reject: tasks of the plan that go on. */
  readonly goesOn: number;
}

/** Somebody whose signature counts; the true signer may be excluded, which is said elsewhere. */
const SIGNER: PersonRef = { id: personIdSchema.parse("-"), name: "" };
/** Rounds of recording and deciding; a cascade ends long before. */
const ROUNDS_MAX = 10_000;

export function consequencesOf(state: RunState, gate: GateState, now: number): GateConsequences {
  const approvals = gate.decisions.filter((decision) => decision.decision === "approve").length;
  const signaturesLeft = Math.max(0, gate.request.quorum - approvals - 1);
  const approved = play(state, gate, "approve", now);
  const rejected = play(state, gate, "reject", now);
  const open = [...state.tasks.values()].filter(
    (task) => !isTerminal(task.status) && task.removedInRevision === undefined,
  );
  const cancels = open
    .map((task) => task.id)
    .filter((id) => {
      const status = rejected.state.tasks.get(id)?.status;
      return status !== undefined && (isTerminal(status) || status === "blocked");
    });
  const starts = approved.starts;
  const started = new Set(starts);
  const waiting = gate.request.taskId === undefined ? open.map((task) => task.id) : behind(state, gate.request.taskId);
  return {
    signaturesLeft,
    starts,
    follows: waiting.filter((id) => !started.has(id)),
    cancels,
    goesOn: open.length - cancels.length,
  };
}

function play(
  state: RunState,
  gate: GateState,
  decision: "approve" | "reject",
  now: number,
): { readonly state: RunState; readonly starts: readonly string[] } {
  const copy = cloneState(state);
  const already = new Set(
    decide(copy, now).flatMap((command) => (command.type === "dispatch" ? [command.taskId] : [])),
  );
  let seq = copy.lastSeq;
  const record = (event: Omit<RunEvent, "seq">) => applyEvent(copy, { ...event, seq: ++seq } as RunEvent);
  record({
    type: "approval_decided",
    gateId: gate.request.gateId,
    decision,
    by: SIGNER,
    argumentsHash: gate.request.argumentsHash,
    at: now,
  } as Omit<RunEvent, "seq">);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const commands = decide(copy, now);
    const records = commands.filter((command) => command.type === "record");
    if (records.length === 0) {
      const starts = commands.flatMap((command) => (command.type === "dispatch" ? [command.taskId] : []));
      return { state: copy, starts: starts.filter((id) => !already.has(id)) };
    }
    for (const command of records) record(command.event);
  }
  return { state: copy, starts: [] };
}
