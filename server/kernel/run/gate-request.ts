import { type GateId, gateIdOf } from "../ids";
import type { JsonObject, JsonValue } from "../json";
import type { Approval } from "../plan/plan";
import type { ArgumentOrigin } from "../plan/reference";
import { sha256 } from "../sha256";
import { type Command, record } from "./command";
import type { Asking } from "./decide-options";
import type { GatePurpose, RunEventOf } from "./event";
import { timesOf } from "./gate-times";
import { argumentsHash } from "./signature";
import type { RunState, TaskState } from "./state";

interface GateDraft {
  readonly purpose: GatePurpose;
  /** Absent: the gate stands before the plan, or is a completion check. */
  readonly task?: TaskState;
  readonly approval: Approval;
  readonly arguments: JsonValue;
  readonly origins?: ArgumentOrigin[];
  /** Shown to the signer: why this is asked. */
  readonly reason: string;
  readonly question?: { text: string; answerSchema?: JsonObject };
}

/**
 * Asks for a signature or an answer. The gate stores what would run: the resolved arguments and their hash, the
 * revision and the capability's fingerprint; what runs later is this request and nothing else.
 */
export function requestGate(state: RunState, { now, options }: Asking, draft: GateDraft): Command {
  const { purpose, task, approval } = draft;
  const subject = task?.id ?? `@${purpose}`;
  const count = 1 + (task?.gateCount ?? gatesWithoutTask(state));
  const gateId = gateIdOf(state.runId, subject, count);
  const capability = task && state.capabilities.get(task.task.capability);
  return record({
    type: "approval_requested",
    at: now,
    gateId,
    purpose,
    taskId: task?.id,
    revision: state.revision,
    capability: task && (capability === undefined ? task.task.capability : `${capability.name}@${capability.version}`),
    fingerprint: capability?.fingerprint,
    arguments: draft.arguments,
    argumentsHash: argumentsHash(draft.arguments),
    origins: draft.origins ?? [],
    nonce: options.nonce?.(gateId) ?? sha256(`nonce:${gateId}:${state.revision}`).slice(0, 32),
    decideBy: now + approval.decideWithinSeconds * 1000,
    ...timesOf(approval, now),
    executeWithinSeconds: approval.executeWithinSeconds,
    quorum: approval.quorum,
    role: approval.role,
    people: approval.people,
    excluded: excludedFrom(state, draft),
    reason: draft.reason,
    question: draft.question,
  });
}

function gatesWithoutTask(state: RunState): number {
  let count = 0;
  for (const gate of state.gates.values()) if (gate.request.taskId === undefined) count += 1;
  return count;
}

/** Four eyes: nobody signs what they asked for themselves. Answering a question is not signing. */
function excludedFrom(state: RunState, { purpose, task }: GateDraft): RunEventOf<"approval_requested">["excluded"] {
  if (!state.policy.fourEyes || purpose === "question" || purpose === "reconcile") return [];
  const excluded: RunEventOf<"approval_requested">["excluded"] = [];
  const exclude = (id: (typeof excluded)[number]["id"] | undefined, why: string): void => {
    if (id !== undefined && !excluded.some((each) => each.id === id)) excluded.push({ id, why });
  };
  exclude(state.startedBy?.id, "started this run");
  exclude(state.planAuthor?.id, "wrote this version of the plan");
  exclude(task?.editedArguments?.by.id, "edited these arguments");
  if (purpose === "revision") exclude(state.proposal?.event.author?.personId, "wrote this revision");
  return excluded;
}

/** Closes a gate that time, a newer request or the end of the run has overtaken. */
export const expireGate = (gateId: GateId, which: RunEventOf<"approval_expired">["which"], now: number): Command =>
  record({ type: "approval_expired", at: now, gateId, which });
