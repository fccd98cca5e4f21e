import type { RunHistory } from "#kernel/view/history";
import type { DockTab, InitialView, RunViewState } from "./view-store";

const DOCK_TABS: ReadonlySet<string> = new Set<DockTab>(["timeline", "events", "table", "time"]);
const isDockTab = (text: string): text is DockTab => DOCK_TABS.has(text);

/** Where the address says to look: `?t=SEQ&selection=TASK&tab=TAB`. What makes no sense for this run is left out. */
export function parsePlace(query: Pick<URLSearchParams, "get">, history: RunHistory): InitialView {
  const t = query.get("t");
  const seq = t !== null && /^\d{1,9}$/.test(t) ? Math.min(Number(t), history.events.length) : undefined;
  const selection = query.get("selection");
  const tab = query.get("tab");
  return {
    ...(seq === undefined ? {} : { seq }),
    ...(selection !== null && history.tip.tasks.has(selection) ? { taskId: selection } : {}),
    ...(tab !== null && isDockTab(tab) ? { dockTab: tab } : {}),
  };
}

/** The address's query for a place; empty for the start view, so that a plain link stays plain. */
export function placeQuery(place: Pick<RunViewState, "seq" | "taskId" | "dockTab">): string {
  const query = new URLSearchParams();
  if (place.seq !== undefined) query.set("t", String(place.seq));
  if (place.taskId !== undefined) query.set("selection", place.taskId);
  if (place.dockTab !== "timeline") query.set("tab", place.dockTab);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
