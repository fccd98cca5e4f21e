import { predecessorsOf } from "#kernel/plan/graph";
import { resolveTaskArguments } from "#kernel/run/action";
import type { RunEvent } from "#kernel/run/event";
import { fold } from "#kernel/run/reduce";
import type { AttemptState, GateState, RevisionState, RunState, TaskState } from "#kernel/run/state";
import { attemptSpanId, partSpanId, runSpanId } from "./trace-ids";

export type SpanAttributes = Record<string, string | number | boolean>;

/** A span as data. Times are epoch milliseconds on the database clock. */
export interface RunSpan {
  readonly spanId: string;
  /** Absent: the root. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** Spans this one could not begin before. */
  readonly links: readonly string[];
  /** Present: it failed, and why in a word. */
  readonly error?: string;
}

export interface SpanOptions {
  /** Arguments and outputs too. They may hold anything, so only where somebody asked for them. */
  readonly captureContent: boolean;
}

/**
 * A finished run as spans of the OpenTelemetry conventions for generative AI: the run is `invoke_agent`, each plan in
 * force `plan`, each call of a capability `execute_tool`, each gate a span from its opening to its close. Calls are
 * children of the run, with links to the last calls of the tasks they depend on. Nothing is told of arguments, outputs,
 * messages or people unless content is asked for.
 */
export function spansOfRun(events: readonly RunEvent[], options: SpanOptions): readonly RunSpan[] {
  const state = fold(events);
  const { runId } = state;
  const parentSpanId = runSpanId(runId);
  return [
    runSpan(state),
    ...state.revisions.map((revision) => planSpan(state, revision, parentSpanId)),
    ...[...state.gates.values()].map((gate) => gateSpan(state, gate, parentSpanId)),
    ...[...state.tasks.values()].flatMap((task) =>
      task.attempts.map((attempt) => callSpan(state, task, attempt, { ...options, parentSpanId })),
    ),
  ];
}

function runSpan(state: RunState): RunSpan {
  const { runId, name, outcome = "unfinished" } = state;
  return {
    spanId: runSpanId(runId),
    name: `invoke_agent ${name}`,
    startMs: state.createdAt ?? 0,
    endMs: state.finishedAt ?? state.lastAt,
    links: [],
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "planwright",
      "gen_ai.agent.name": name,
      ...(state.planVersionId === undefined ? {} : { "gen_ai.agent.id": state.planVersionId }),
      "gen_ai.conversation.id": runId,
      ...(state.budgetUse.tokens > 0 ? { "gen_ai.usage.total_tokens": state.budgetUse.tokens } : {}),
      "planwright.run.id": runId,
      "planwright.run.outcome": outcome,
      "planwright.run.revisions": state.revision,
      "planwright.run.tool_calls": state.budgetUse.toolCalls,
      "planwright.run.retries": state.budgetUse.retries,
    },
    ...(outcome === "completed" ? {} : { error: outcome }),
  };
}

function planSpan(state: RunState, revision: RevisionState, parentSpanId: string): RunSpan {
  return {
    spanId: partSpanId(state.runId, "plan", String(revision.revision)),
    parentSpanId,
    name: `plan ${state.name}`,
    startMs: revision.at,
    endMs: revision.at,
    links: [],
    attributes: {
      "gen_ai.operation.name": "plan",
      "gen_ai.agent.name": state.name,
      "gen_ai.conversation.id": state.runId,
      "planwright.plan.revision": revision.revision,
      "planwright.plan.tasks": revision.plan.tasks.length,
      ...(revision.reason === undefined ? {} : { "planwright.plan.reason": revision.reason }),
    },
  };
}

function gateSpan(state: RunState, { request, status, closedAt }: GateState, parentSpanId: string): RunSpan {
  return {
    spanId: partSpanId(state.runId, "gate", request.gateId),
    parentSpanId,
    name: "await_approval",
    startMs: request.at,
    endMs: closedAt ?? state.finishedAt ?? request.at,
    links: [],
    attributes: {
      "planwright.gate.id": request.gateId,
      "planwright.gate.status": status,
      "planwright.gate.quorum": request.quorum,
      ...(request.taskId === undefined ? {} : { "planwright.task.id": request.taskId }),
    },
  };
}

function callSpan(
  state: RunState,
  task: TaskState,
  attempt: AttemptState,
  { parentSpanId, captureContent }: SpanOptions & { parentSpanId: string },
): RunSpan {
  const { runId } = state;
  const { observation } = attempt;
  const capability = state.capabilities.get(task.task.capability);
  const name = capability?.name ?? task.task.capability;
  const startMs = attempt.startedAt ?? attempt.dispatchedAt ?? task.readyAt ?? state.createdAt ?? 0;
  const failed = observation !== undefined && observation.status !== "ok";
  return {
    spanId: attemptSpanId(runId, task.id, attempt.attempt),
    parentSpanId,
    name: `execute_tool ${name}`,
    startMs,
    endMs: Math.max(startMs, attempt.endedAt ?? task.endedAt ?? state.finishedAt ?? startMs),
    links: callsBefore(state, task),
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": `${runId}:${task.id}:${attempt.attempt}`,
      "gen_ai.conversation.id": runId,
      ...(capability === undefined ? {} : { "planwright.capability.version": capability.version }),
      "planwright.task.id": task.id,
      "planwright.task.status": task.status,
      "planwright.task.attempt": attempt.attempt,
      ...(observation === undefined
        ? {}
        : { "planwright.observation.status": observation.status, "planwright.side_effect": observation.sideEffect }),
      ...(observation?.usage?.tokens === undefined ? {} : { "gen_ai.usage.total_tokens": observation.usage.tokens }),
      ...(captureContent ? contentOf(state, task, attempt) : {}),
    },
    ...(failed ? { error: observation.errorCategory ?? observation.status } : {}),
  };
}

/** What was asked for is what the plan's references stood for, and what a person put in its place; not the template. */
function contentOf(state: RunState, task: TaskState, { observation }: AttemptState): SpanAttributes {
  const resolution = resolveTaskArguments(state, task);
  const callArguments = resolution.type === "resolved" ? resolution.value : task.task.arguments;
  const asked = { "gen_ai.tool.call.arguments": JSON.stringify(callArguments) };
  if (observation?.output === undefined) return asked;
  return { ...asked, "gen_ai.tool.call.result": JSON.stringify(observation.output) };
}

/** The last call of each task that this one depends on; of a fan-out, of each of its instances. */
function callsBefore(state: RunState, task: TaskState): readonly string[] {
  const { graph, nodes, runId } = state;
  const node = graph?.indexOf.get(task.instance?.groupId ?? task.id);
  if (graph === undefined || node === undefined) return [];
  return [...predecessorsOf(graph, node)].flatMap((predecessor) => {
    const before = nodes[predecessor];
    const calls = before?.instanceIds?.map((id) => state.tasks.get(id)) ?? [before];
    return calls.flatMap((call) => {
      const last = call?.attempts.at(-1);
      return call === undefined || last === undefined ? [] : [attemptSpanId(runId, call.id, last.attempt)];
    });
  });
}
