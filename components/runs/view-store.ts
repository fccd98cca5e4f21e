import { createStore, type StoreApi } from "zustand/vanilla";
import type { RunEvent } from "#kernel/run/event";
import { type RunHistory, seqAt } from "#kernel/view/history";
import type { Fold } from "#kernel/view/time-axis";

export type DockTab = "timeline" | "events" | "table" | "time" | "budgets";
export type RailTab = "runs" | "events";
export type Overlay = "diff" | "ready" | "critical";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;

/**
 * Where somebody looks at a run: the moment, the selection, the panels. It never holds events or anything folded
 * from them; those are derived from the log at the moment.
 */
export interface RunViewState {
  /** The last event that has happened; undefined follows the tip. */
  readonly seq: number | undefined;
  /** While playing, and after a click between two events: the time in between, epoch milliseconds. */
  readonly at: number | undefined;
  readonly playing: boolean;
  readonly speed: number;
  readonly taskId: string | undefined;
  readonly eventSeq: number | undefined;
  readonly dockTab: DockTab;
  readonly railTab: RailTab;
  readonly overlays: ReadonlySet<Overlay>;
  readonly foldIdle: boolean;
  readonly actions: RunViewActions;
}

export interface RunViewActions {
  /** To just after event `seq`; at or past the last one of a run that goes on, the tip is followed. */
  seek(seq: number): void;
  /** To a time; the last event at or before it has happened. */
  seekTime(at: number): void;
  follow(): void;
  step(by: 1 | -1): void;
  /** To the next or last revision, failure. */
  stepRevision(by: 1 | -1): void;
  stepFailure(by: 1 | -1): void;
  togglePlay(): void;
  /** Moves the playing time on by `elapsedMs` of wall time; folded idle time passes in a moment. */
  tick(elapsedMs: number, folds: readonly Fold[]): void;
  changeSpeed(by: 1 | -1): void;
  setSpeed(speed: number): void;
  selectTask(taskId: string | undefined): void;
  selectEvent(seq: number): void;
  clearSelection(): void;
  setDockTab(tab: DockTab): void;
  setRailTab(tab: RailTab): void;
  toggleOverlay(overlay: Overlay): void;
  toggleFold(): void;
}

export type RunViewStore = StoreApi<RunViewState>;

export type InitialView = Partial<Pick<RunViewState, "seq" | "taskId" | "eventSeq" | "dockTab" | "railTab">>;

/** A folded gap passes in this much wall time, whatever the speed. */
const FOLD_PLAY_MS = 400;

const isRevision = (event: RunEvent): boolean => event.type === "plan_revised" || event.type === "replan_refused";
const isFailure = (event: RunEvent): boolean =>
  event.type === "task_failed" ||
  event.type === "outcome_unknown" ||
  (event.type === "task_observed" && event.observation.status !== "ok");

export function createRunViewStore(history: RunHistory, initial: InitialView): RunViewStore {
  return createStore<RunViewState>((set, get) => {
    const last = () => history.events.length;
    const finished = () => history.tip.status === "finished";
    const current = () => get().seq ?? last();
    const timeOf = (seq: number) => history.events[seq - 1]?.at ?? history.events[0]?.at ?? 0;
    const seek = (wanted: number) => {
      const seq = Math.max(0, Math.min(last(), wanted));
      set({ seq: seq === last() && !finished() ? undefined : seq, at: undefined });
    };
    const find = (by: 1 | -1, matches: (event: RunEvent) => boolean) => {
      for (let seq = current() + by; seq >= 1 && seq <= last(); seq += by) {
        const event = history.events[seq - 1];
        if (event !== undefined && matches(event)) {
          seek(seq);
          set({ eventSeq: seq, taskId: "taskId" in event ? event.taskId : get().taskId });
          return;
        }
      }
    };
    return {
      seq: initial.seq,
      at: undefined,
      playing: false,
      speed: 1,
      taskId: initial.taskId,
      eventSeq: initial.eventSeq,
      dockTab: initial.dockTab ?? "timeline",
      railTab: initial.railTab ?? "events",
      overlays: new Set<Overlay>(["diff", "critical"]),
      foldIdle: true,
      actions: {
        seek,
        seekTime(at) {
          const seq = seqAt(history.events, at);
          if (seq === last() && !finished() && at >= timeOf(seq)) set({ seq: undefined, at: undefined });
          else set({ seq, at });
        },
        follow: () => set({ seq: undefined, at: undefined, playing: false }),
        step: (by) => {
          set({ playing: false });
          seek(current() + by);
        },
        stepRevision: (by) => find(by, isRevision),
        stepFailure: (by) => find(by, isFailure),
        togglePlay() {
          if (get().playing) {
            set({ playing: false });
            return;
          }
          const atEnd = current() >= last() && finished();
          set(
            atEnd
              ? { playing: true, seq: 0, at: timeOf(1) }
              : { playing: true, seq: current(), at: get().at ?? timeOf(current()) },
          );
        },
        tick(elapsedMs, folds) {
          const { playing, speed, at } = get();
          if (!playing || at === undefined) return;
          const fold = get().foldIdle ? folds.find((each) => at >= each.from && at < each.to) : undefined;
          const rate = fold === undefined ? speed : Math.max(speed, (fold.to - fold.from) / FOLD_PLAY_MS);
          const next = at + elapsedMs * rate;
          const end = timeOf(last());
          if (next < end) set({ at: next, seq: seqAt(history.events, next) });
          else if (finished()) set({ playing: false, seq: last(), at: undefined });
          else set({ playing: false, seq: undefined, at: undefined });
        },
        changeSpeed(by) {
          const speeds: readonly number[] = SPEEDS;
          const index = speeds.indexOf(get().speed);
          set({ speed: speeds[Math.max(0, Math.min(speeds.length - 1, index + by))] ?? 1 });
        },
        setSpeed: (speed) => set({ speed }),
        selectTask: (taskId) => set({ taskId, eventSeq: undefined }),
        selectEvent(seq) {
          const event = history.events[seq - 1];
          if (event === undefined) return;
          set({ playing: false, eventSeq: seq, taskId: "taskId" in event ? event.taskId : undefined });
          seek(seq);
        },
        clearSelection: () => set({ taskId: undefined, eventSeq: undefined }),
        setDockTab: (dockTab) => set({ dockTab }),
        setRailTab: (railTab) => set({ railTab }),
        toggleOverlay(overlay) {
          const overlays = new Set(get().overlays);
          if (!overlays.delete(overlay)) overlays.add(overlay);
          set({ overlays });
        },
        toggleFold: () => set({ foldIdle: !get().foldIdle }),
      },
    };
  });
}
