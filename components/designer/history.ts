import type { PlanEdit } from "#kernel/plan/diagnostic";
import { applyEdits } from "#kernel/plan/edit";
import type { Plan } from "#kernel/plan/plan";
import { err, ok, type Result } from "#kernel/result";

/** One gesture of a person: what it did and what takes it back, in the order to apply. */
export interface HistoryEntry {
  /** In words, for the undo button: "Connect a to b". */
  readonly label: string;
  readonly redo: readonly PlanEdit[];
  readonly undo: readonly PlanEdit[];
  /** Further edits under the same key are the same gesture: typing in one field. */
  readonly gesture?: string;
}

/** A plan with its past and future. Undo as often as there were gestures gives the first plan back, exactly. */
export interface History {
  readonly plan: Plan;
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
}

const PAST_MAX = 500;

export const startHistory = (plan: Plan): History => ({ plan, past: [], future: [] });

export interface Gesture {
  readonly label: string;
  readonly edits: readonly PlanEdit[];
  readonly gesture?: string;
}

/** Applies a gesture whole or not at all; the error is the first edit's refusal, in words. */
export function perform(history: History, { label, edits, gesture }: Gesture): Result<History, string> {
  const applied = applyAll(history.plan, edits);
  if (!applied.ok) return applied;
  const { plan, inverse } = applied.value;
  if (plan === history.plan) return ok(history);
  const last = history.past.at(-1);
  const continues = gesture !== undefined && last?.gesture === gesture;
  const entry = continues
    ? continued(last, edits, inverse)
    : { label, redo: edits, undo: inverse, ...(gesture === undefined ? {} : { gesture }) };
  const past = continues ? history.past.slice(0, -1) : history.past;
  return ok({ plan, past: [...past.slice(1 - PAST_MAX), entry], future: [] });
}

/** Typing replaces one task again and again: its first state and its last are all that undo and redo need. */
function continued(last: HistoryEntry, edits: readonly PlanEdit[], inverse: readonly PlanEdit[]): HistoryEntry {
  if (isSameReplacement(last.redo, edits)) return { ...last, redo: edits };
  return { ...last, redo: [...last.redo, ...edits], undo: [...inverse, ...last.undo] };
}

/** The last gesture is over: what follows is a new entry, even in the same field. */
export function closeGesture(history: History): History {
  const last = history.past.at(-1);
  if (last?.gesture === undefined) return history;
  const { gesture: _closed, ...entry } = last;
  return { ...history, past: [...history.past.slice(0, -1), entry] };
}

export function undo(history: History): History {
  const entry = history.past.at(-1);
  if (entry === undefined) return history;
  const applied = applyAll(history.plan, entry.undo);
  if (!applied.ok) throw new Error(`An edit could not be taken back: ${applied.error}`);
  return { plan: applied.value.plan, past: history.past.slice(0, -1), future: [entry, ...history.future] };
}

export function redo(history: History): History {
  const [entry, ...future] = history.future;
  if (entry === undefined) return history;
  const applied = applyAll(history.plan, entry.redo);
  if (!applied.ok) throw new Error(`An edit could not be repeated: ${applied.error}`);
  return { plan: applied.value.plan, past: [...history.past, entry], future };
}

function applyAll(
  plan: Plan,
  edits: readonly PlanEdit[],
): Result<{ plan: Plan; inverse: readonly PlanEdit[] }, string> {
  const result = applyEdits(plan, edits);
  return result.ok ? result : err(result.error.message);
}

function isSameReplacement(before: readonly PlanEdit[], after: readonly PlanEdit[]): boolean {
  const [a, b] = [before[0], after[0]];
  return (
    before.length === 1 &&
    after.length === 1 &&
    a?.type === "replace_task" &&
    b?.type === "replace_task" &&
    a.taskId === b.taskId
  );
}
