import { BUILT_IN_REGISTRY } from "../capability/built-in/registry";
import type { CapabilitySnapshot, Idempotency, SideEffect } from "../capability/capability";
import { expandResources } from "../capability/resource";
import { requiredScopes, resolveScopes } from "../capability/scope";
import type { JsonObject, JsonValue } from "../json";
import type { PersonRef } from "../run/event";
import { purposeOf } from "../run/gate";
import { signatures } from "../run/reduce-gate";
import { revokers } from "../run/revocation";
import type { GateState, GateStatus, RunState } from "../run/state";
import { capabilityOf } from "./duration";
import { type ArgumentRow, argumentRows } from "./gate-arguments";
import { consequencesOf, type GateConsequences } from "./gate-consequences";
import { type Neighbourhood, neighbourhoodOf } from "./neighbourhood";
import { outlookOf } from "./outlook";
import { type RevisionCard, revisionCardOf } from "./revision-card";

/** What one person decided, and for whom where it was not for themselves. */
export interface EarlierDecision {
  readonly at: number;
  readonly by: PersonRef;
  readonly onBehalfOf?: PersonRef;
  readonly decision: "approve" | "reject" | "send_back";
  readonly reason?: string;
}

/** An earlier request for the same: how it was decided, and what became of it. */
export interface EarlierRound {
  readonly gateId: string;
  readonly openedAt: number;
  readonly closedAt?: number;
  readonly status: GateStatus;
  readonly decisions: readonly EarlierDecision[];
  readonly revoked?: Revoked;
}

/** Who took an approval back. */
export interface Revoked {
  readonly by: PersonRef;
  readonly at: number;
  readonly reason?: string;
}

/** Everything an approver needs on one page: what runs, why it is asked, what follows. Times are epoch milliseconds. */
export interface GateCard {
  readonly gateId: string;
  readonly runId: string;
  readonly runName: string;
  readonly planVersionNumber?: number;
  readonly revision: number;
  readonly taskId?: string;
  readonly title: string;
  readonly status: GateStatus;
  /** The gate that was opened instead of this one, where there is one. */
  readonly supersededBy?: string;
  readonly askedBy?: PersonRef;
  readonly openedAt: number;
  readonly closedAt?: number;
  readonly decideBy: number;
  readonly executeBy?: number;
  /** Who took an approval back, where that closed it. */
  readonly revoked?: Revoked;
  /** Those who could take an approval back now, since nothing has come of it yet. */
  readonly revokers: readonly PersonRef[];
  /** Who may sign as well, from when on, and whether that moment has come. */
  readonly escalation?: {
    readonly at: number;
    readonly role?: string;
    readonly people: readonly string[];
    readonly active: boolean;
  };
  readonly executeWithinSeconds: number;
  readonly reason: string;
  readonly capability?: {
    readonly reference: string;
    readonly title: string;
    readonly description: string;
    readonly sideEffect: SideEffect;
    readonly idempotency: Idempotency;
    readonly writes: readonly string[];
    /** What whoever started the run has to be granted when it is called, for these arguments. */
    readonly scopes: readonly string[];
    readonly inputSchema: JsonObject;
  };
  /** A revision of the plan that goes beyond what was approved: its changed part, as it was asked about. */
  readonly proposal?: RevisionCard;
  readonly arguments: readonly ArgumentRow[];
  readonly argumentsValue: JsonValue;
  readonly argumentsHash: string;
  readonly nonce: string;
  /** Whether the arguments are compared with an earlier request for the same task. */
  readonly compared: boolean;
  /** The last earlier request that was approved, where the arguments are compared with that one. */
  readonly comparedWithApproval?: { readonly gateId: string; readonly at: number };
  readonly question?: { readonly text: string; readonly answerSchema?: JsonValue };
  /** It asks what became of a lost call: there are more ways to answer than a gate has, on the run's own screen. */
  readonly reconciles?: true;
  readonly costSoFarUsd: number;
  readonly costLimitUsd?: number;
  readonly costNextUsd?: number;
  /** The run's deadline, and how long the decision may take before the run misses it. */
  readonly deadlineAt?: number;
  readonly slackMs?: number;
  /** When the run would end if this were approved now. */
  readonly finishAt: number;
  /** Absent once the gate has closed. */
  readonly consequences?: GateConsequences;
  readonly around: Neighbourhood;
  readonly role: string;
  readonly quorum: number;
  readonly people: readonly string[];
  readonly signed: readonly EarlierDecision[];
  readonly excluded: readonly { readonly id: string; readonly why: string }[];
  /** Newest first. */
  readonly rounds: readonly EarlierRound[];
}

/** The card of one gate at `now`; undefined when the run has no such gate. */
export function gateCard(state: RunState, gateId: string, now: number): GateCard | undefined {
  const gate = state.gates.get(gateId);
  if (gate === undefined) return undefined;
  const { request } = gate;
  const task = request.taskId === undefined ? undefined : state.tasks.get(request.taskId);
  const capability = task === undefined ? undefined : capabilityOf(state, task.task);
  const siblings = [...state.gates.values()].filter((other) => other.request.taskId === request.taskId);
  const earlier = siblings.filter((other) => other.request.seq < request.seq);
  const approved = earlier.findLast((other) => signatures(other) >= other.request.quorum && wasApproved(other));
  const before = approved ?? earlier.at(-1);
  const later = siblings.find((other) => other.request.seq > request.seq);
  const outlook = outlookOf(state, now);
  const deadline = state.plan?.budgets?.deadlineSeconds;
  const deadlineAt =
    deadline === undefined || state.createdAt === undefined ? undefined : state.createdAt + deadline * 1_000;
  const open = gate.status === "open";
  const proposal = purposeOf(request) === "revision" ? revisionCardOf(request.arguments) : undefined;
  const costLimitUsd = state.plan?.budgets?.costUsd;
  return {
    gateId,
    runId: state.runId,
    runName: state.name,
    ...(state.planVersionNumber === undefined ? {} : { planVersionNumber: state.planVersionNumber }),
    revision: request.revision,
    ...(request.taskId === undefined ? {} : { taskId: request.taskId }),
    title: request.question?.text ?? task?.task.title ?? request.taskId ?? titleWithoutTask(state, proposal),
    ...(proposal === undefined ? {} : { proposal }),
    status: gate.status,
    ...(open || later === undefined ? {} : { supersededBy: later.request.gateId }),
    ...(state.startedBy === undefined ? {} : { askedBy: state.startedBy }),
    openedAt: request.at,
    ...(gate.closedAt === undefined ? {} : { closedAt: gate.closedAt }),
    decideBy: request.decideBy,
    ...(gate.executeBy === undefined ? {} : { executeBy: gate.executeBy }),
    ...(gate.revoked === undefined ? {} : { revoked: describeRevocation(gate.revoked) }),
    revokers: revokers(state, gate),
    ...(request.escalateAt === undefined ? {} : { escalation: describeEscalation(request, request.escalateAt, now) }),
    executeWithinSeconds: request.executeWithinSeconds,
    reason: request.reason,
    ...(capability === undefined ? {} : { capability: describeCapability(capability, request) }),
    arguments: argumentRows(request.arguments, request.origins, before?.request.arguments),
    argumentsValue: request.arguments,
    argumentsHash: request.argumentsHash,
    nonce: request.nonce,
    compared: before !== undefined,
    ...(approved === undefined
      ? {}
      : { comparedWithApproval: { gateId: approved.request.gateId, at: approved.decisions.at(-1)?.at ?? 0 } }),
    ...(request.question === undefined ? {} : { question: withoutUndefined(request.question) }),
    ...(purposeOf(request) === "reconcile" ? { reconciles: true as const } : {}),
    costSoFarUsd: state.budgetUse.costUsd,
    ...(costLimitUsd === undefined ? {} : { costLimitUsd }),
    ...(capability?.costUsd === undefined ? {} : { costNextUsd: capability.costUsd }),
    ...(deadlineAt === undefined ? {} : { deadlineAt, slackMs: deadlineAt - outlook.finishAt }),
    finishAt: outlook.finishAt,
    ...(open ? { consequences: consequencesOf(state, gate, now) } : {}),
    around: request.taskId === undefined ? { tasks: [], edges: [], more: 0 } : neighbourhoodOf(state, request.taskId),
    role: request.role,
    quorum: request.quorum,
    people: request.people ?? [],
    signed: gate.decisions.map(describeDecision),
    excluded: request.excluded,
    rounds: earlier.map(describeRound).reverse(),
  };
}

const titleWithoutTask = (state: RunState, proposal: RevisionCard | undefined): string =>
  proposal === undefined ? `Start ${state.name}` : `Revision ${proposal.revision} of ${state.name}`;

const describeCapability = (capability: CapabilitySnapshot, request: GateState["request"]) => ({
  reference: request.capability ?? `${capability.name}@${capability.version}`,
  title: capability.title,
  description: capability.description,
  sideEffect: capability.sideEffect,
  idempotency: capability.idempotency,
  writes: expandResources(capability.writes, request.arguments),
  scopes: scopesOf(capability, request.arguments),
  inputSchema: capability.inputSchema,
});

/** As the call will ask for them; the templates where these arguments leave one untold, and the call will be refused. */
function scopesOf(capability: CapabilitySnapshot, callArguments: JsonValue): readonly string[] {
  const templates = requiredScopes(capability, BUILT_IN_REGISTRY);
  const resolved = resolveScopes(templates, callArguments);
  return resolved.ok ? resolved.value : templates;
}

/** True where a round was approved, whatever became of the approval. */
const wasApproved = (gate: GateState): boolean =>
  gate.decisions.length > 0 && gate.decisions.every((decision) => decision.decision === "approve");

const describeRound = (gate: GateState): EarlierRound => ({
  gateId: gate.request.gateId,
  openedAt: gate.request.at,
  ...(gate.closedAt === undefined ? {} : { closedAt: gate.closedAt }),
  status: gate.status,
  decisions: gate.decisions.map(describeDecision),
  ...(gate.revoked === undefined ? {} : { revoked: describeRevocation(gate.revoked) }),
});

const describeEscalation = ({ escalateTo }: GateState["request"], at: number, now: number) => ({
  at,
  ...(escalateTo?.role === undefined ? {} : { role: escalateTo.role }),
  people: escalateTo?.people ?? [],
  active: now >= at,
});

const describeRevocation = ({ by, at, reason }: NonNullable<GateState["revoked"]>) => ({
  by,
  at,
  ...(reason === undefined ? {} : { reason }),
});

const describeDecision = (decision: GateState["decisions"][number]): EarlierDecision => ({
  at: decision.at,
  by: decision.by,
  decision: decision.decision,
  ...(decision.onBehalfOf === undefined ? {} : { onBehalfOf: decision.onBehalfOf }),
  ...(decision.reason === undefined ? {} : { reason: decision.reason }),
});

const withoutUndefined = (question: { text: string; answerSchema?: JsonValue | undefined }) =>
  question.answerSchema === undefined
    ? { text: question.text }
    : { text: question.text, answerSchema: question.answerSchema };

/** What a list needs of a gate to put it in order. */
export interface InboxEntry {
  readonly id: string;
  readonly decideBy: number;
  /** How many tasks wait behind it. */
  readonly behind: number;
}

/** By deadline, then by how much waits on it, then by id so that equal ones keep their place. */
export const compareInboxEntries = (left: InboxEntry, right: InboxEntry): number =>
  left.decideBy - right.decideBy ||
  right.behind - left.behind ||
  (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
