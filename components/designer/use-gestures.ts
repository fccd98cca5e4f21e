"use client";

import { useMemo } from "react";
import { taskSchema } from "#kernel/plan/plan";
import { useDesignerStore } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import {
  addTask,
  connect,
  copyTasks,
  forgetPlaces,
  moveTasks,
  type NewTask,
  type Place,
  pasteTasks,
  removeSelected,
  renameTask,
} from "./plan-gestures";
import { refuseEdge } from "./refuse-edge";

export interface Gestures {
  add(task: NewTask): void;
  connect(from: string, to: string): boolean;
  removeSelection(): void;
  duplicate(): void;
  copy(): string | undefined;
  paste(text: string): boolean;
  move(places: ReadonlyMap<string, Place>): void;
  rename(taskId: string, newId: string): boolean;
  selectAll(): void;
  reveal(taskId: string): void;
  tidyUp(): void;
}

/** Text that a copy of tasks carries on the clipboard, so that a paste of anything else is left alone. */
const CLIPBOARD_KIND = "planwright/tasks";

/** Gestures bound to the store and the current plan; the keys, the menus and the command menu all use these. */
export function useGestures(): Gestures {
  const store = useDesignerStore();
  const { edges, graph, canvas, plan } = useDesignerModel();
  return useMemo(() => {
    const { actions } = store.getState();
    const places = (): ReadonlyMap<string, Place> =>
      new Map(plan.tasks.flatMap((task) => (task.position === undefined ? [] : [[task.id, task.position]])));
    return {
      add: (task) => {
        const place =
          task.place ?? (plan.tasks.length === 0 || task.after !== undefined ? undefined : canvas.current?.room());
        const request = addTask(plan, { ...task, ...(place === undefined ? {} : { place }) });
        if (actions.edit(request)) queueMicrotask(() => canvas.current?.reveal(request.select?.[0] ?? ""));
      },
      connect: (from, to) => {
        const refusal = refuseEdge(graph, from, to);
        if (refusal === undefined) return actions.edit(connect(from, to));
        actions.notify({ text: refusal, tone: "failed" });
        return false;
      },
      removeSelection: () => {
        const { selection } = store.getState();
        const chosen = edges.filter((edge) => selection.edges.has(`${edge.from} ${edge.to}`));
        const request = removeSelected(plan, selection.tasks, chosen);
        if (request.edits.length > 0) actions.edit(request);
        const bound = selection.tasks.size === 0 ? chosen.find((edge) => edge.data) : undefined;
        if (bound === undefined) return;
        actions.select({ tasks: new Set([bound.to]), edges: new Set() });
        actions.notify({
          text: `${bound.to} uses the output of ${bound.from}: take the reference out of its arguments to remove that edge`,
          tone: "neutral",
        });
      },
      duplicate: () => {
        const copied = copyTasks(plan, store.getState().selection.tasks);
        if (copied.length > 0) actions.edit({ ...pasteTasks(plan, copied, places()), label: "Duplicate" });
      },
      copy: () => {
        const copied = copyTasks(plan, store.getState().selection.tasks);
        if (copied.length === 0) return undefined;
        return JSON.stringify({ format: CLIPBOARD_KIND, tasks: copied }, undefined, 2);
      },
      paste: (text) => {
        const tasks = readClipboard(text);
        return tasks === undefined ? false : actions.edit(pasteTasks(plan, tasks, new Map()));
      },
      move: (moved) => {
        actions.edit(moveTasks(moved));
      },
      rename: (taskId, newId) => (taskId === newId ? true : actions.edit(renameTask(taskId, newId))),
      selectAll: () => actions.select({ tasks: new Set(plan.tasks.map((task) => task.id)), edges: new Set() }),
      reveal: (taskId) => {
        actions.select({ tasks: new Set([taskId]), edges: new Set() });
        canvas.current?.reveal(taskId);
      },
      tidyUp: () => {
        const request = forgetPlaces(plan);
        if (request !== undefined) actions.edit(request);
        actions.tidyUp();
        requestAnimationFrame(() => canvas.current?.fit());
      },
    };
  }, [store, edges, graph, canvas, plan]);
}

function readClipboard(text: string) {
  if (!text.includes(CLIPBOARD_KIND)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || !("tasks" in parsed)) return undefined;
    const tasks = taskSchema.array().safeParse(parsed.tasks);
    return tasks.success ? tasks.data : undefined;
  } catch {
    return undefined;
  }
}
