import type { RunEventOf } from "./event";
import { attemptOf, isSameOutcome } from "./repetition";
import type { AttemptState, RunState, Stall } from "./state";

/**
 * How much a run has learnt: it grows with every result of a call, every decision of a person and every answer to a
 * lost call, and not with a result that only says again what an equal call had said. A repeat is judged by whether it
 * has grown since the call that it repeats.
 */
export function gainEvidence(state: RunState, attempt?: AttemptState): void {
  state.evidence += 1;
  if (attempt !== undefined) attempt.evidence = state.evidence;
}

/** A result repeated an earlier one: what it did not tell anew is taken back, and a stall is kept for the end. */
export function noteRepetition(state: RunState, event: RunEventOf<"repetition_detected">): void {
  const { signature, times, verdict, taskId, of, attempt } = event;
  const stalls = (state.repetitions.get(signature)?.stalls ?? 0) + (verdict === "stall" ? 1 : 0);
  const repetition = { times, verdict, seq: event.seq, taskId, stalls };
  state.repetitions.set(signature, repetition);
  const own = attempt === undefined ? undefined : attemptOf(state, { taskId, attempt });
  const earlier = of && attemptOf(state, of);
  const same =
    own?.observation !== undefined &&
    earlier?.observation !== undefined &&
    isSameOutcome(earlier.observation, own.observation);
  if (own !== undefined && same) {
    state.evidence -= 1;
    own.evidence = state.evidence;
  }
  if (verdict === "stall") state.stall = { ...repetition, signature, evidence: state.evidence };
}

/** The repeat that holds a run up: nothing has become known since. */
export const stallOf = (state: RunState): Stall | undefined =>
  state.stall !== undefined && state.evidence <= state.stall.evidence ? state.stall : undefined;
