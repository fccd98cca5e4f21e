import type { Pool } from "pg";
import { gateIdSchema, personIdSchema, runIdSchema } from "#kernel/ids";
import { successorsOf } from "#kernel/plan/graph";
import type { PersonRef } from "#kernel/run/event";
import { purposeOf } from "#kernel/run/gate";
import { revokers } from "#kernel/run/revocation";
import type { GateState, RunState } from "#kernel/run/state";
import { isTerminal } from "#kernel/run/status";
import type { GateFilter } from "../runtime/run-desk";
import type { GateRecord } from "../runtime/run-records";
import type { RunStates } from "./run-states";

interface GateRow {
  readonly id: string;
  readonly run_id: string;
}

/** Open gates by name, or closed ones newest first. The tables find them; what they say is the log's. */
export async function listGates(
  stores: { readonly pool: Pool; readonly states: RunStates },
  workspaceId: string,
  filter: GateFilter,
): Promise<readonly GateRecord[]> {
  const result = await stores.pool.query<GateRow>(
    `SELECT gates.id, runs.id AS run_id FROM gates JOIN runs ON runs.key = gates.run_key
     WHERE gates.workspace_id = $1 AND ${
       filter.open
         ? "gates.status = 'open' AND gates.id = ANY($2) ORDER BY array_position($2::text[], gates.id)"
         : "gates.status <> 'open' ORDER BY gates.closed_at DESC, gates.id LIMIT $2"
     }`,
    [workspaceId, filter.open ? filter.ids : filter.limit],
  );
  const states = await statesOf(stores.states, [...new Set(result.rows.map((row) => row.run_id))]);
  return result.rows.flatMap((row) => {
    const state = states.get(row.run_id);
    const gate = state?.gates.get(row.id);
    // It may have been decided since it was found.
    if (state === undefined || gate === undefined || (gate.status === "open") !== filter.open) return [];
    return [toRecord(state, gate)];
  });
}

/** Runs read at once; more would take every connection of the process. */
const READS_MAX = 4;

/** Each run's state once, however many gates it has. */
async function statesOf(states: RunStates, runIds: readonly string[]): Promise<ReadonlyMap<string, RunState>> {
  const found = new Map<string, RunState>();
  const left = [...runIds];
  const readOn = async (): Promise<void> => {
    for (let runId = left.pop(); runId !== undefined; runId = left.pop()) {
      const state = await states.latest(runId);
      if (state !== undefined) found.set(runId, state);
    }
  };
  await Promise.all(Array.from({ length: READS_MAX }, readOn));
  return found;
}

export async function findGate(
  stores: { readonly pool: Pool; readonly states: RunStates },
  workspaceId: string,
  gateId: string,
): Promise<GateRecord | undefined> {
  const result = await stores.pool.query<GateRow>(
    `SELECT gates.id, runs.id AS run_id FROM gates JOIN runs ON runs.key = gates.run_key
     WHERE gates.id = $1 AND gates.workspace_id = $2`,
    [gateId, workspaceId],
  );
  const row = result.rows[0];
  return row === undefined ? undefined : readGate(stores.states, row);
}

async function readGate(states: RunStates, row: GateRow): Promise<GateRecord | undefined> {
  const state = await states.latest(row.run_id);
  const gate = state?.gates.get(row.id);
  return state === undefined || gate === undefined ? undefined : toRecord(state, gate);
}

const UNKNOWN: PersonRef = { id: personIdSchema.parse("unknown"), name: "unknown" };

function toRecord(state: RunState, gate: GateState): GateRecord {
  const { request } = gate;
  const task = request.taskId === undefined ? undefined : state.tasks.get(request.taskId);
  const capability = request.capability === undefined ? undefined : state.capabilities.get(request.capability);
  return {
    id: gateIdSchema.parse(request.gateId),
    runId: runIdSchema.parse(state.runId),
    runName: state.name,
    ...(request.taskId === undefined ? {} : { taskId: request.taskId }),
    title: task?.task.title ?? request.taskId ?? titleOf(state, request),
    ...(request.capability === undefined ? {} : { capability: request.capability }),
    ...(capability === undefined ? {} : { sideEffect: capability.sideEffect }),
    status: gate.status,
    openedAt: request.at,
    decideBy: request.decideBy,
    ...(gate.executeBy === undefined ? {} : { executeBy: gate.executeBy }),
    ...(gate.closedAt === undefined ? {} : { closedAt: gate.closedAt }),
    role: request.role,
    ...(request.people === undefined || request.people.length === 0 ? {} : { people: request.people }),
    excluded: request.excluded,
    quorum: request.quorum,
    ...(request.escalateAt === undefined ? {} : { escalateAt: request.escalateAt, escalateTo: request.escalateTo }),
    decisions: gate.decisions.map(({ by, onBehalfOf }) => ({
      by,
      ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
    })),
    revokers: [...revokers(state, gate)],
    ...(request.question === undefined ? {} : { question: request.question.text }),
    requestedBy: state.startedBy ?? UNKNOWN,
    behind: tasksBehind(state, request.taskId),
  };
}

const titleOf = (state: RunState, request: GateState["request"]): string =>
  purposeOf(request) === "revision" ? `Revision of “${state.name}”` : `Start of “${state.name}”`;

/** Tasks of the current plan that have not ended and cannot start before `taskId` has; all, for the plan's own gate. */
function tasksBehind(state: RunState, taskId: string | undefined): number {
  const open = (id: string): boolean => {
    const task = state.tasks.get(id);
    return task !== undefined && !isTerminal(task.status);
  };
  const tasks = state.plan?.tasks ?? [];
  if (taskId === undefined) return tasks.filter((task) => open(task.id)).length;
  const graph = state.graph;
  const start = state.graph?.indexOf.get(taskId);
  if (graph === undefined || start === undefined) return 0;
  const seen = new Set([start]);
  const frontier = [start];
  for (let node = frontier.pop(); node !== undefined; node = frontier.pop()) {
    for (const successor of successorsOf(graph, node)) {
      if (seen.has(successor)) continue;
      seen.add(successor);
      frontier.push(successor);
    }
  }
  seen.delete(start);
  return [...seen].filter((node) => open(graph.ids[node] ?? "")).length;
}
