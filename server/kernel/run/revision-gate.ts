import { canonicalJson, type JsonValue } from "../json";
import { type Approval, approvalSchema, type Plan } from "../plan/plan";
import { plannedResourcesOf } from "../plan/resources";
import { sha256 } from "../sha256";
import { type Command, record } from "./command";
import type { Asking } from "./decide-options";
import { requestGate } from "./gate-request";
import { planRevised, replanRefused } from "./revision-event";
import type { GateState, RevisionProposal, RunState } from "./state";
import { isTerminal } from "./status";
import { endRun } from "./stop";
import { unfinishedTasks } from "./unfinished";

/**
 * What a revision that waits for an approval owes next: its gate, then, once it was signed, the revision itself; once
 * it was refused, the end of the proposal. What the revision leaves as it was goes on meanwhile.
 *
 * @param over why there is nothing left to wait for.
 */
export function settleProposal(
  state: RunState,
  asking: Asking,
  proposal: RevisionProposal,
  over: { readonly code: string; readonly message: string } | undefined,
): Command[] {
  if (over !== undefined) return [refused(proposal, over, asking.now)];
  const gate = proposal.gateId === undefined ? undefined : state.gates.get(proposal.gateId);
  switch (gate?.status) {
    case undefined:
    case "revoked":
      return [askForRevision(state, asking, proposal)];
    case "approved":
      return [inForce(state, proposal, gate, asking.now)];
    case "rejected":
    case "expired":
      return reject(state, proposal, gate, asking.now);
    default:
      return [];
  }
}

/** Who signs: whom the plan names for revisions, else whom it names for itself, else an approver. */
export const revisionApproval = (plan: Plan | undefined): Approval =>
  plan?.replanning?.approval ?? plan?.approval ?? approvalSchema.parse({});

function askForRevision(state: RunState, asking: Asking, proposal: RevisionProposal): Command {
  return requestGate(state, asking, {
    purpose: "revision",
    approval: revisionApproval(state.plan),
    arguments: revisionArguments(state, proposal),
    reason: "This change of the plan goes beyond what was approved.",
  });
}

/** The stored request: every step that changes, with what it calls, what it touches, and why it is asked about. */
function revisionArguments(state: RunState, { event }: RevisionProposal): JsonValue {
  const { plan, diff, widened = [], capabilities } = event;
  const why = new Map<string | undefined, string[]>(widened.map(({ taskId, reasons }) => [taskId, reasons]));
  const fields = new Map<string, JsonValue>(
    diff.changed.map((each) => [each.taskId, each.fields as unknown as JsonValue]),
  );
  const added = new Set<string>(diff.added);
  const tasks = plan.tasks
    .filter(({ id }) => added.has(id) || fields.has(id))
    .map((task): JsonValue => {
      const pinned = state.capabilities.get(task.capability);
      const capability = pinned ?? capabilities.find((each) => refersTo(task.capability, each));
      const { reads, writes } = plannedResourcesOf(task, capability);
      return {
        task: task.id,
        ...(task.title === undefined ? {} : { title: task.title }),
        change: added.has(task.id) ? "added" : "changed",
        capability: capability === undefined ? task.capability : `${capability.name}@${capability.version}`,
        sideEffect: capability?.sideEffect ?? "none",
        arguments: task.arguments,
        reads,
        writes,
        fields: fields.get(task.id) ?? [],
        needsApproval: why.get(task.id) ?? [],
      };
    });
  return {
    revision: event.revision,
    reason: event.reason,
    triggerSeq: event.triggerSeq,
    by: event.author?.name ?? event.proposedBy,
    tasks,
    removed: diff.removed,
    plan: diff.planFields as unknown as JsonValue,
    planNeedsApproval: why.get(undefined) ?? [],
    planHash: sha256(canonicalJson(plan as unknown as JsonValue)),
  };
}

const refersTo = (reference: string, { name, version }: { name: string; version: number }): boolean =>
  reference === name || reference === `${name}@${version}`;

/** Signed: what has ended meanwhile is history, and what has come meanwhile stays. */
function inForce(state: RunState, proposal: RevisionProposal, gate: GateState, now: number): Command {
  const { event } = proposal;
  const { reason, triggerSeq, capabilities, cancelRunning, message } = event;
  const plan = rebased(state, proposal);
  if (plan.tasks.length === 0) {
    return refused(proposal, { code: "overtaken", message: "The run has ended what the revision was about." }, now);
  }
  const author = authorOf(proposal);
  const { gateId } = gate.request;
  const stopping = (cancelRunning ?? []).filter((id) => state.inFlight.has(id));
  const draft = { plan, reason, triggerSeq, author, capabilities, cancelRunning: stopping, gateId };
  return record(planRevised(state, { ...draft, ...(message === undefined ? {} : { message }) }, now));
}

function rebased(state: RunState, { event: { plan, diff } }: RevisionProposal): Plan {
  const known = new Set<string>([...diff.kept, ...diff.removed, ...diff.changed.map(({ taskId }) => taskId)]);
  const planned = new Set<string>(plan.tasks.map(({ id }) => id));
  const left = plan.tasks.filter(({ id }) => {
    const task = state.tasks.get(id);
    return task === undefined || !isTerminal(task.status);
  });
  const come = unfinishedTasks(state).filter(({ id }) => !known.has(id) && !planned.has(id));
  return { ...plan, tasks: [...left, ...come.map(({ task }) => task)] };
}

function reject(state: RunState, proposal: RevisionProposal, gate: GateState, now: number): Command[] {
  const last = gate.decisions.at(-1);
  const why = last?.reason === undefined ? "" : `: ${last.reason}`;
  const message =
    gate.status === "expired"
      ? "Nobody approved the revision in time."
      : `${last?.by.name ?? "Somebody"} rejected the revision${why}`;
  const code = gate.status === "expired" ? "approval_expired" : "approval_rejected";
  const refusal = refused(proposal, { code, message }, now);
  if (state.plan?.replanning?.onReject !== "stop") return [refusal];
  const seq = last?.seq ?? state.lastSeq;
  return [refusal, ...endRun(state, now, { type: "task_cancelled", cause: { code, message, seq } }, "rejected", seq)];
}

const authorOf = ({ event }: RevisionProposal) =>
  event.author ?? ({ kind: "planner", name: event.proposedBy } as const);

function refused(proposal: RevisionProposal, why: { readonly code: string; readonly message: string }, now: number) {
  const { reason, triggerSeq } = proposal.event;
  return record(replanRefused({ reason, triggerSeq, author: authorOf(proposal), ...why }, now));
}
