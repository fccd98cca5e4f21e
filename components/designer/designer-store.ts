import { createStore, type StoreApi } from "zustand/vanilla";
import type { PlanEdit } from "#kernel/plan/diagnostic";
import type { Plan } from "#kernel/plan/plan";
import type { CanvasSelection } from "../graph/picture";
import { closeGesture, type History, perform, redo, startHistory, undo } from "./history";

/**
 * The designer's own state: the plan being drawn with its past and future, and what is selected.
 *
 * It must never hold what the server knows (versions, capabilities), what follows from the plan (graph, problems,
 * places) or the place in the screen (tab, version: they are in the URL).
 */
export interface DesignerState {
  readonly history: History;
  readonly selection: CanvasSelection;
  readonly overlays: Overlays;
  /** Grows when a tidy drawing from scratch is asked for. */
  readonly tidy: number;
  /** Something was refused or needs saying; gone with the next edit. */
  readonly notice: Notice | undefined;
  readonly actions: DesignerActions;
}

export interface Overlays {
  readonly readySets: boolean;
  readonly criticalPath: boolean;
  readonly conflicts: boolean;
}

export interface Notice {
  readonly text: string;
  readonly tone: "failed" | "neutral";
}

export interface EditRequest {
  readonly label: string;
  readonly edits: readonly PlanEdit[];
  /** Edits under one key until `endGesture` are one entry of the history. */
  readonly gesture?: string;
  /** Tasks selected after it. */
  readonly select?: readonly string[];
}

export interface DesignerActions {
  /** True when it was done; else the notice says why not. */
  edit(request: EditRequest): boolean;
  endGesture(): void;
  undo(): void;
  redo(): void;
  select(selection: CanvasSelection): void;
  toggle(overlay: keyof Overlays): void;
  tidyUp(): void;
  notify(notice: Notice | undefined): void;
  /** Another document takes this one's place: a version, the other side of a conflict. Can be undone. */
  replacePlan(plan: Plan, label: string): void;
}

export type DesignerStore = StoreApi<DesignerState>;

export const NOTHING_SELECTED: CanvasSelection = { tasks: new Set(), edges: new Set() };

export interface DesignerStart {
  readonly plan: Plan;
  readonly selection?: readonly string[];
}

export function createDesignerStore({ plan, selection = [] }: DesignerStart): DesignerStore {
  return createStore<DesignerState>()((set, get) => {
    const travel = (step: (history: History) => History) =>
      set((state) => {
        const history = step(state.history);
        return { history, selection: surviving(state.selection, history.plan), notice: undefined };
      });
    return {
      history: startHistory(plan),
      selection: selectTasks(selection.filter((id) => plan.tasks.some((task) => task.id === id))),
      overlays: { readySets: false, criticalPath: true, conflicts: true },
      tidy: 0,
      notice: undefined,
      actions: {
        edit: ({ select, ...gesture }) => {
          const result = perform(get().history, gesture);
          if (!result.ok) {
            set({ notice: { text: result.error, tone: "failed" } });
            return false;
          }
          const history = result.value;
          set((state) => ({
            history,
            notice: undefined,
            selection: select === undefined ? surviving(state.selection, history.plan) : selectTasks(select),
          }));
          return true;
        },
        endGesture: () => set((state) => ({ history: closeGesture(state.history) })),
        undo: () => travel(undo),
        redo: () => travel(redo),
        select: (next) => set({ selection: next }),
        toggle: (overlay) => set(({ overlays }) => ({ overlays: { ...overlays, [overlay]: !overlays[overlay] } })),
        tidyUp: () => set((state) => ({ tidy: state.tidy + 1 })),
        notify: (notice) => set({ notice }),
        replacePlan: (next, label) => {
          get().actions.edit({ label, edits: [{ type: "set_plan", plan: next }] });
        },
      },
    };
  });
}

const selectTasks = (ids: readonly string[]): CanvasSelection => ({ tasks: new Set(ids), edges: new Set() });

/** Undo may take away what was selected. */
function surviving(selection: CanvasSelection, plan: Plan): CanvasSelection {
  const ids = new Set<string>(plan.tasks.map((task) => task.id));
  const tasks = [...selection.tasks].filter((id) => ids.has(id));
  return tasks.length === selection.tasks.size ? selection : { tasks: new Set(tasks), edges: new Set() };
}
