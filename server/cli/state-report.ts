import { type JsonValue, setOwn } from "#kernel/json";
import { holdsOf } from "#kernel/run/holds";
import type { GateState, RunState, TaskState } from "#kernel/run/state";

/** The folded state as `replay --json` prints it: maps by name, times in epoch milliseconds, no derived structure. */
export function reportState(state: RunState): JsonValue {
  const tasks: Record<string, JsonValue> = {};
  for (const task of state.tasks.values()) setOwn(tasks, task.id, reportTask(task));
  const gates: Record<string, JsonValue> = {};
  for (const gate of state.gates.values()) setOwn(gates, gate.request.gateId, reportGate(gate));
  const holds: Record<string, JsonValue> = {};
  for (const [id, hold] of holdsOf(state, state.lastAt)) setOwn(holds, id, JSON.parse(JSON.stringify(hold)));
  const { toolCallsPerCapability, ...budgetUse } = state.budgetUse;
  return withoutAbsent({
    runId: state.runId,
    name: state.name,
    seq: state.lastSeq,
    at: state.lastAt,
    status: state.status,
    outcome: state.outcome,
    outcomeReason: state.outcomeReason,
    outcomeSeq: state.outcomeSeq,
    startedBy: state.startedBy?.name,
    planVersionNumber: state.planVersionNumber,
    createdAt: state.createdAt,
    finishedAt: state.finishedAt,
    revision: state.revision,
    counts: countStatuses(state),
    ready: [...state.ready],
    inFlight: [...state.inFlight],
    holds,
    tasks,
    gates,
    budgetUse: { ...budgetUse, toolCallsPerCapability: Object.fromEntries(toolCallsPerCapability) },
  });
}

/** How many tasks stand in each status. */
export function countStatuses(state: RunState): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of state.tasks.values()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function reportTask(task: TaskState): JsonValue {
  return withoutAbsent({
    status: task.status,
    attempts: task.attempts.length,
    readyAt: task.readyAt,
    startedAt: task.attempts[0]?.startedAt ?? task.attempts[0]?.dispatchedAt,
    endedAt: task.endedAt,
    endedSeq: task.endedSeq,
    output: task.output,
    outputRef: task.outputRef,
    cause: task.cause === undefined ? undefined : withoutAbsent({ ...task.cause }),
    gateId: task.gateId,
    addedInRevision: task.addedInRevision,
    removedInRevision: task.removedInRevision,
  });
}

function reportGate({ request, status, decisions, closedAt, executeBy }: GateState): JsonValue {
  return withoutAbsent({
    status,
    taskId: request.taskId,
    openedAt: request.at,
    decideBy: request.decideBy,
    quorum: request.quorum,
    role: request.role,
    arguments: request.arguments,
    argumentsHash: request.argumentsHash,
    closedAt,
    executeBy,
    decisions: decisions.map((decision) =>
      withoutAbsent({ decision: decision.decision, by: decision.by.name, at: decision.at, reason: decision.reason }),
    ),
  });
}

function withoutAbsent(members: Readonly<Record<string, JsonValue | undefined>>): JsonValue {
  const present: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(members)) if (value !== undefined) setOwn(present, key, value);
  return present;
}
