import { assertNever } from "../result";
import type { RunEvent } from "./event";
import { gainEvidence, noteRepetition } from "./evidence";
import { decideGate, expireGate, markGate, openGate, revokeGate } from "./reduce-gate";
import { acceptPlan, addTask, proposePlan, refuseReplan, requestReplan, revisePlan } from "./reduce-plan";
import { reopenTasks } from "./reduce-retry";
import {
  blockTask,
  cancelTask,
  dispatchTask,
  expandTask,
  failTask,
  lookedUp,
  observeTask,
  reconcileTask,
  requestLookUp,
  retryTask,
  skipTask,
  startTask,
  stopTask,
  succeedTask,
  unknownTask,
} from "./reduce-task";
import type { RunState } from "./state";

/** The state before any event. */
export const createRunState = (): RunState => ({
  runId: "",
  name: "",
  lastSeq: 0,
  lastAt: 0,
  status: "created",
  policy: { budgetBeforeCompletion: false, fourEyes: true },
  revision: 0,
  revisions: [],
  nodes: [],
  capabilities: new Map(),
  tasks: new Map(),
  ready: new Set(),
  retrying: new Set(),
  queue: [],
  settling: new Set(),
  inFlight: new Set(),
  stuck: new Set(),
  openTasks: 0,
  gates: new Map(),
  liveGates: new Set(),
  unanswered: new Set(),
  budgetUse: {
    toolCalls: 0,
    toolCallsPerCapability: new Map(),
    retries: 0,
    sideEffects: 0,
    planRevisions: 0,
    iterations: 0,
    tokens: 0,
    costUsd: 0,
  },
  evidence: 0,
  repetitions: new Map(),
  completion: [],
});

/**
 * The one reducer: the state after `event`, changed in place and returned. The same in the server, the worker, the
 * browser, the command line and the tests.
 *
 * It trusts the order it is given (order is by `seq`) and judges nothing: whether an event may be appended is for
 * `decide` and the checks in approval.ts and control.ts. An event about a task the run does not know changes nothing
 * but `lastSeq`, and a task that has ended never changes again.
 */
export function applyEvent(state: RunState, event: RunEvent): RunState {
  state.lastSeq = event.seq;
  state.lastAt = event.at;
  reduce(state, event);
  return state;
}

function reduce(state: RunState, event: RunEvent): void {
  switch (event.type) {
    case "run_created":
      state.runId = event.runId;
      state.name = event.name;
      state.startedBy = event.startedBy;
      state.apiKeyId = event.apiKeyId;
      state.planAuthor = event.planAuthor;
      state.planVersionId = event.planVersionId;
      state.planVersionNumber = event.planVersionNumber;
      state.importedFrom = event.importedFrom;
      state.redactedAt = event.redactedAt;
      state.rerunOf = event.rerunOf;
      state.policy = event.policy;
      state.createdAt = event.at;
      return;
    case "plan_proposed":
      // A turn that waits for an approval counts when it was decided.
      if (event.plan === undefined) state.budgetUse.iterations += 1;
      proposePlan(state, event);
      return;
    case "reflection_recorded":
      // Every turn of a planner counts, whatever came of it.
      state.budgetUse.iterations += 1;
      return;
    case "repetition_detected":
      noteRepetition(state, event);
      return;
    case "plan_accepted":
      acceptPlan(state, event);
      return;
    case "plan_rejected":
      state.planRejection = event;
      return;
    case "task_added":
      addTask(state, event);
      return;
    case "plan_revised":
      revisePlan(state, event);
      return;
    case "replan_requested":
      requestReplan(state, event);
      return;
    case "replan_refused":
      state.budgetUse.iterations += 1;
      refuseReplan(state, event);
      return;
    case "task_retried":
      reopenTasks(state, event);
      return;
    case "approval_requested":
      openGate(state, event);
      return;
    case "approval_decided":
      gainEvidence(state);
      decideGate(state, event);
      return;
    case "approval_revoked":
      revokeGate(state, event);
      return;
    case "approval_reminded":
    case "approval_escalated":
      markGate(state, event);
      return;
    case "approval_expired":
      expireGate(state, event);
      return;
    case "task_expanded":
      expandTask(state, event);
      return;
    case "task_dispatched":
      dispatchTask(state, event);
      return;
    case "task_started":
      startTask(state, event);
      return;
    case "task_observed":
      observeTask(state, event);
      return;
    case "task_retry_scheduled":
      retryTask(state, event);
      return;
    case "task_succeeded":
      succeedTask(state, event);
      return;
    case "task_failed":
      failTask(state, event);
      return;
    case "task_cancelled":
      cancelTask(state, event);
      return;
    case "task_skipped":
      skipTask(state, event);
      return;
    case "task_blocked":
      blockTask(state, event);
      return;
    case "task_stopped":
      stopTask(state, event);
      return;
    case "outcome_unknown":
      unknownTask(state, event);
      return;
    case "outcome_reconciled":
      gainEvidence(state);
      reconcileTask(state, event);
      return;
    case "outcome_looked_up":
      lookedUp(state, event);
      return;
    case "look_up_requested":
      requestLookUp(state, event);
      return;
    case "budget_charged":
      chargeBudget(state, event.budget, event.amount);
      return;
    case "completion_checked":
      state.completion.push(event);
      return;
    case "run_paused":
      if (state.status === "running") state.status = "paused";
      return;
    case "run_resumed":
      if (state.status === "paused") state.status = "running";
      return;
    case "run_cancelled":
      state.cancelledBy = event.by;
      state.cancelledSeq = event.seq;
      return;
    case "run_finished":
      state.status = "finished";
      state.outcome = event.outcome;
      state.outcomeReason = event.reason;
      state.outcomeSeq = event.causeSeq;
      state.finishedAt = event.at;
      return;
    default:
      assertNever(event);
  }
}

const PER_CAPABILITY = "toolCallsPerCapability.";

function chargeBudget(state: RunState, budget: string, amount: number): void {
  const use = state.budgetUse;
  switch (budget) {
    case "toolCalls":
    case "retries":
    case "sideEffects":
    case "planRevisions":
    case "iterations":
    case "tokens":
    case "costUsd":
      use[budget] += amount;
      return;
  }
  if (!budget.startsWith(PER_CAPABILITY)) return;
  const name = budget.slice(PER_CAPABILITY.length);
  use.toolCallsPerCapability.set(name, (use.toolCallsPerCapability.get(name) ?? 0) + amount);
}

/**
 * The state after `events`, which follow `from` where it is given. `from` is not changed:
 * fold(log) = fold(suffix, fold(prefix)).
 */
export function fold(events: Iterable<RunEvent>, from?: RunState): RunState {
  const state = from === undefined ? createRunState() : cloneState(from);
  for (const event of events) applyEvent(state, event);
  return state;
}

/** An independent copy (a keyframe). Plans, graphs, requests and outputs are shared: nothing changes them. */
export function cloneState(state: RunState): RunState {
  const tasks = new Map<string, RunState["nodes"][number]>();
  for (const [id, task] of state.tasks) {
    tasks.set(id, {
      ...task,
      attempts: task.attempts.map((attempt) => ({ ...attempt })),
      instanceIds: task.instanceIds && [...task.instanceIds],
    });
  }
  const copied = (task: RunState["nodes"][number]) => tasks.get(task.id) ?? task;
  const gates: RunState["gates"] = new Map();
  for (const [id, gate] of state.gates) gates.set(id, { ...gate, decisions: [...gate.decisions] });
  return {
    ...state,
    revisions: [...state.revisions],
    nodes: state.nodes.map(copied),
    capabilities: new Map(state.capabilities),
    tasks,
    ready: new Set(state.ready),
    retrying: new Set(state.retrying),
    queue: state.queue.map(copied),
    settling: new Set(state.settling),
    inFlight: new Set(state.inFlight),
    stuck: new Set(state.stuck),
    gates,
    liveGates: new Set(state.liveGates),
    unanswered: new Set(state.unanswered),
    budgetUse: {
      ...state.budgetUse,
      toolCallsPerCapability: new Map(state.budgetUse.toolCallsPerCapability),
    },
    repetitions: new Map(state.repetitions),
    completion: [...state.completion],
  };
}
