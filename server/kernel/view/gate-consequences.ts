import { personIdSchema } from "../ids";
import { predecessorsOf } from "../plan/graph";
import { decide } from "../run/decide";
import type { PersonRef, RunEvent } from "../run/event";
import { applyEvent, cloneState } from "../run/reduce";
import type { GateState, RunState } from "../run/state";
import { isTerminal } from "../run/status";
import { behind, orderOf } from "./outlook";

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
  const lost = lostTasks(rejected.state);
  const waiting = gate.request.taskId === undefined ? open.map((task) => task.id) : behind(state, gate.request.taskId);
  const nearestFirst = new Set([...(gate.request.taskId === undefined ? [] : [gate.request.taskId]), ...waiting]);
  const openIds = new Set<string>(open.map((task) => task.id));
  const cancels = [...new Set([...nearestFirst, ...openIds])].filter((id) => openIds.has(id) && lost.has(id));
  const starts = approved.starts;
  const started = new Set(starts);
  return {
    signaturesLeft,
    starts,
    follows: waiting.filter((id) => !started.has(id)),
    cancels,
    goesOn: open.length - cancels.length,
  };
}

/**
 * Tasks that will never run in a state: those that have ended or are blocked, and, since a join waits for all its
 * parents before it says so, those that need one of them to succeed.
 */
function lostTasks(state: RunState): ReadonlySet<string> {
  const lost = new Set<string>();
  for (const task of state.tasks.values()) {
    if ((isTerminal(task.status) && task.status !== "succeeded") || task.status === "blocked") lost.add(task.id);
  }
  const { graph } = state;
  if (graph === undefined) return lost;
  for (const index of orderOf(graph)) {
    const task = state.tasks.get(graph.ids[index] as string);
    if (task === undefined || isTerminal(task.status) || task.task.join !== "all_succeeded") continue;
    const parents = [...predecessorsOf(graph, index)].map((parent) => graph.ids[parent] as string);
    if (parents.some((id) => lost.has(id) && state.tasks.get(id)?.task.onFailure !== "continue")) lost.add(task.id);
  }
  return lost;
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
