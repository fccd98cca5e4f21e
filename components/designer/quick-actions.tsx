"use client";

import { useMemo } from "react";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { useDesigner } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import type { NewTask } from "./plan-gestures";
import { QuickPick } from "./quick-pick";
import { refuseEdge } from "./refuse-edge";
import { useGestures } from "./use-gestures";

/** Which quick action is open, and what it starts from. */
export type QuickAction =
  | { readonly type: "add"; readonly from?: Omit<NewTask, "capability"> }
  | { readonly type: "connect"; readonly from: string };

export interface QuickActionsProps {
  readonly action: QuickAction | undefined;
  readonly onClose: () => void;
}

export function QuickActions({ action, onClose }: QuickActionsProps) {
  if (action === undefined) return null;
  return action.type === "add" ? (
    <AddTask {...(action.from === undefined ? {} : { from: action.from })} onClose={onClose} />
  ) : (
    <ConnectTask from={action.from} onClose={onClose} />
  );
}

function AddTask({ from, onClose }: { readonly from?: Omit<NewTask, "capability">; readonly onClose: () => void }) {
  const { capabilities } = useDesignerModel();
  const gestures = useGestures();
  const items = useMemo(
    () =>
      capabilities.map((capability) => ({
        id: capability.name,
        label: capability.title,
        detail: SIDE_EFFECT_ENCODING[capability.sideEffect].word,
        icon: SIDE_EFFECT_ENCODING[capability.sideEffect].icon,
      })),
    [capabilities],
  );
  return (
    <QuickPick
      open
      onOpenChange={onClose}
      title={from?.after === undefined ? "Add a task" : `Add a task after ${from.after}`}
      placeholder="What should it do?"
      empty="No capability with that name."
      items={items}
      onPick={(capability) => gestures.add({ ...from, capability })}
    />
  );
}

function ConnectTask({ from, onClose }: { readonly from: string; readonly onClose: () => void }) {
  const { plan, graph } = useDesignerModel();
  const gestures = useGestures();
  const items = useMemo(
    () =>
      plan.tasks
        .filter((task) => task.id !== from)
        .map((task) => {
          const refused = refuseEdge(graph, from, task.id);
          return { id: task.id, label: task.title ?? task.id, ...(refused === undefined ? {} : { refused }) };
        })
        .sort((a, b) => Number("refused" in a) - Number("refused" in b)),
    [plan, graph, from],
  );
  return (
    <QuickPick
      open
      onOpenChange={onClose}
      title={`${from} →`}
      placeholder="Type the task that should wait for it"
      empty="No task with that name."
      items={items}
      onPick={(to) => gestures.connect(from, to)}
    />
  );
}

/** The one selected task, for keys that act on it. */
export function useOnlySelected(): string | undefined {
  return useDesigner((state) => (state.selection.tasks.size === 1 ? [...state.selection.tasks][0] : undefined));
}
