import type { CapabilitySnapshot } from "../capability/capability";
import type { Observation } from "../capability/observation";
import { changesSomething } from "../capability/side-effect";
import { capabilityName, isQuestion } from "./gate";
import type { AttemptState, RunState, TaskState } from "./state";

/** Neither a question to a person nor a fan-out, whose instances make the calls. */
const isCall = (task: TaskState): boolean => !isQuestion(task) && task.instanceIds === undefined;

/** The attempt with this number, begun (and charged to the budgets) if it was not. A call is counted once. */
export function beginAttempt(state: RunState, task: TaskState, attempt: number): AttemptState {
  const known = task.attempts.findLast((each) => each.attempt === attempt);
  if (known !== undefined) return known;
  const begun: AttemptState = { attempt };
  task.attempts.push(begun);
  if (isCall(task)) chargeCall(state, task);
  return begun;
}

function chargeCall(state: RunState, task: TaskState): void {
  const use = state.budgetUse;
  use.toolCalls += 1;
  const name = capabilityName(task);
  use.toolCallsPerCapability.set(name, (use.toolCallsPerCapability.get(name) ?? 0) + 1);
  if (changesSomething(state.capabilities.get(task.task.capability))) use.sideEffects += 1;
}

/** Records what came back from an attempt and charges what it used. */
export function endAttempt(
  state: RunState,
  task: TaskState,
  end: { attempt: number; startedAt?: number; at: number; observation?: Observation },
): void {
  const attempt = beginAttempt(state, task, end.attempt);
  if (attempt.endedAt !== undefined) return;
  attempt.startedAt = end.startedAt ?? attempt.startedAt;
  attempt.endedAt = end.at;
  if (end.observation === undefined) return;
  attempt.observation = end.observation;
  if (!isCall(task)) return;
  const { tokens, costUsd } = usedBy(state.capabilities.get(task.task.capability), end.observation);
  state.budgetUse.tokens += tokens;
  state.budgetUse.costUsd += costUsd;
}

/** What a call that came back is charged: what it reports, and where it reports nothing what its capability declares. */
export const usedBy = (
  capability: CapabilitySnapshot | undefined,
  { usage }: Observation,
): { readonly tokens: number; readonly costUsd: number } => ({
  tokens: usage?.tokens ?? capability?.tokensMax ?? 0,
  costUsd: usage?.costUsd ?? capability?.costUsd ?? 0,
});

/** The number of the next call of a task. */
export const nextAttempt = (task: TaskState): number => (task.attempts.at(-1)?.attempt ?? 0) + 1;

/**
 * The key that a call carries: the same while an earlier call may have taken effect, so that the callee can tell a
 * repeat; a new one after a call that certainly did not, since some callees remember a failure by its key.
 */
export function idempotencyKey(state: RunState, task: TaskState): string {
  const certain = task.attempts.filter(({ observation }) => observation && observation.sideEffect !== "unknown");
  return `${state.runId}:${task.id}:${certain.length + 1}`;
}
