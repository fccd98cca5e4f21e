import { assertNever } from "../result";
import { holdsOf } from "../run/holds";
import type { RunState, TaskState } from "../run/state";
import type { Hold } from "../run/status";
import { formatDuration } from "./format";

/** A task that does not move although its turn has come, and why. Times are epoch milliseconds. */
export interface Waiting {
  readonly taskId: string;
  readonly title: string;
  /** `hold`: ready, but held. The other two wait for a person or a revision. */
  readonly kind: "hold" | "blocked" | "unknown_outcome";
  readonly hold?: Hold;
  /** Since when it waits. */
  readonly since?: number;
  /** When it is free at the latest, where that is known. */
  readonly until?: number;
  /** One sentence: on what it waits. */
  readonly text: string;
}

/** Tasks that wait at `now`: those for a person first, then by when they are free. */
export function waitingTasks(state: RunState, now: number): readonly Waiting[] {
  const found: Waiting[] = [];
  const holds = holdsOf(state, now);
  for (const [taskId, hold] of holds) {
    const task = state.tasks.get(taskId);
    if (task !== undefined && !state.stuck.has(taskId)) found.push(heldTask(state, task, hold));
  }
  for (const taskId of state.stuck) {
    const task = state.tasks.get(taskId);
    if (task !== undefined) found.push(stuckTask(task, holds.get(taskId)));
  }
  return found.sort(compareWaiting);
}

const PERSON_FIRST: Readonly<Record<Waiting["kind"], number>> = { unknown_outcome: 0, blocked: 1, hold: 2 };

function compareWaiting(left: Waiting, right: Waiting): number {
  const rank = (waiting: Waiting) => (waiting.hold?.type === "approval" ? 0 : PERSON_FIRST[waiting.kind]);
  const until = (waiting: Waiting) => waiting.until ?? Number.MAX_SAFE_INTEGER;
  return rank(left) - rank(right) || until(left) - until(right) || (left.since ?? 0) - (right.since ?? 0);
}

function heldTask(state: RunState, task: TaskState, hold: Hold): Waiting {
  const until = untilOf(state, hold);
  return {
    taskId: task.id,
    title: task.task.title ?? task.id,
    kind: "hold",
    hold,
    ...(task.readyAt === undefined ? {} : { since: task.attempts.at(-1)?.endedAt ?? task.readyAt }),
    ...(until === undefined ? {} : { until }),
    text: describeHold(state, task, hold),
  };
}

/** `hold`: the gate that asks a person about it, where one is open. */
function stuckTask(task: TaskState, hold: Hold | undefined): Waiting {
  const since = task.attempts.at(-1)?.endedAt;
  const unknown = task.status === "unknown_outcome";
  return {
    taskId: task.id,
    title: task.task.title ?? task.id,
    kind: unknown ? "unknown_outcome" : "blocked",
    ...(hold === undefined ? {} : { hold }),
    ...(since === undefined ? {} : { since }),
    text: unknown
      ? "The call may have taken effect. It is looked up where that can be done; else a person says whether it did."
      : `${task.cause?.message ?? "A prerequisite did not end well."} A person or a replan decides.`,
  };
}

function untilOf(state: RunState, hold: Hold): number | undefined {
  switch (hold.type) {
    case "approval":
      return state.gates.get(hold.gateId)?.request.decideBy;
    case "backoff":
      return hold.until;
    case "rate_limit":
      return hold.until;
    default:
      return undefined;
  }
}

/** What a held task waits on, in one sentence. */
export function describeHold(state: RunState, task: TaskState, hold: Hold): string {
  switch (hold.type) {
    case "approval":
      return describeGate(state, hold.gateId);
    case "authorization":
      return hold.message;
    case "rate_limit": {
      const limit = state.capabilities.get(task.task.capability)?.rateLimit;
      return limit === undefined
        ? `${task.task.capability} may not be called more often.`
        : `${task.task.capability}: ${limit.calls} of ${limit.calls} calls used in ${formatDuration(limit.perSeconds * 1_000)}.`;
    }
    case "concurrency":
      return hold.capability === undefined
        ? `${hold.limit} of ${hold.limit} calls are running.`
        : `${hold.capability}: ${hold.limit} at once over all runs, and all are taken.`;
    case "resource_lock":
      return hold.byRunId === undefined
        ? `${hold.byTaskId} holds ${hold.resource}.`
        : `A call of another run writes ${hold.resource}.`;
    case "pool": {
      const capacity = state.plan?.pools?.[hold.pool];
      return capacity === undefined ? `Pool ${hold.pool} is in use.` : `Pool ${hold.pool}: all ${capacity} in use.`;
    }
    case "backoff":
      return describeBackoff(task);
    case "budget":
      return `The budget ${hold.budget} does not allow another call.`;
    case "paused":
      return "The run is paused.";
    case "capability_unavailable":
      return hold.message;
    default:
      return assertNever(hold);
  }
}

function describeGate(state: RunState, gateId: string): string {
  const request = state.gates.get(gateId)?.request;
  if (request === undefined) return "A gate is about to open.";
  if (request.question !== undefined) return request.question.text;
  const signers =
    request.quorum === 1 ? `One ${request.role} signs` : `${request.quorum} people sign as ${request.role}`;
  return `${signers}: ${request.reason}`;
}

function describeBackoff(task: TaskState): string {
  const last = task.attempts.at(-1);
  const next = (last?.attempt ?? 0) + 1;
  const limit = task.task.retry?.maxAttempts;
  const why = last?.observation?.errorCategory ?? last?.observation?.errorCode;
  const tries = limit === undefined ? `Try ${next}` : `Try ${next} of ${limit}`;
  return why === undefined ? `${tries}.` : `${tries} after ${why.replaceAll("_", " ")}.`;
}
