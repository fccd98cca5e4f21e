import type { RunEvent } from "../run/event";
import { applyEvent, cloneState, createRunState } from "../run/reduce";
import type { RunState } from "../run/state";

/**
 * A run's events with keyframes of folded state, so that any `seq` is a copy and a few hundred events away.
 *
 * Two states are kept besides the keyframes: the `tip` (all events) and the cursor (the last `seek`). A short step
 * forward moves the cursor in place; anything else starts from a keyframe. The keyframes are private copies.
 */
export interface RunHistory {
  readonly events: readonly RunEvent[];
  /** The state after the last event. Changed in place by `append`. */
  readonly tip: RunState;
  /** Adds events that follow the last one; earlier or repeated ones are left out. Returns how many were added. */
  append(events: readonly RunEvent[]): number;
  /**
   * The state after event `seq`: fold of the prefix. 0 is before everything, a `seq` past the end is the tip.
   * The returned state is valid until the next `seek` or `append`; do not change it.
   */
  seek(seq: number): RunState;
}

/** Copying a state costs about as much as applying an event for every fourth of its tasks, hence a floor and a ratio. */
const INTERVAL_MIN = 128;
const intervalFor = (tasks: number): number => Math.max(INTERVAL_MIN, Math.ceil(tasks / 8));

export function createHistory(initial: readonly RunEvent[] = []): RunHistory {
  const events: RunEvent[] = [];
  const keyframes: RunState[] = [createRunState()];
  let keyframeSeq = 0;
  const tip = createRunState();
  let cursor: RunState | undefined;

  const append = (added: readonly RunEvent[]): number => {
    let count = 0;
    for (const event of added) {
      if (event.seq !== events.length + 1) continue;
      applyEvent(tip, event);
      events.push(event);
      count++;
      if (event.seq - keyframeSeq >= intervalFor(tip.tasks.size)) {
        keyframes.push(cloneState(tip));
        keyframeSeq = event.seq;
      }
    }
    return count;
  };

  const seek = (wanted: number): RunState => {
    const seq = Math.max(0, Math.min(wanted, events.length));
    if (seq === events.length) return tip;
    const keyframe = lastAtOrBefore(keyframes, seq);
    if (cursor === undefined || cursor.lastSeq > seq || cursor.lastSeq < keyframe.lastSeq) {
      cursor = cloneState(keyframe);
    }
    for (let at = cursor.lastSeq; at < seq; at++) applyEvent(cursor, events[at] as RunEvent);
    return cursor;
  };

  append(initial);
  return { events, tip, append, seek };
}

function lastAtOrBefore(keyframes: readonly RunState[], seq: number): RunState {
  let low = 0;
  let high = keyframes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((keyframes[middle] as RunState).lastSeq <= seq) low = middle;
    else high = middle - 1;
  }
  return keyframes[low] as RunState;
}

/** The `seq` of the last event at or before time `at`; 0 when the first one is later. Clock skew counts as seen. */
export function seqAt(events: readonly RunEvent[], at: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as RunEvent).at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
