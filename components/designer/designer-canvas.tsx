"use client";

import { memo, useMemo, useRef } from "react";
import type { CanvasEditing } from "../graph/plan-canvas";
import { PlanCanvas } from "../graph/plan-canvas";
import { useLayout } from "../graph/use-layout";
import { Button, IconButton } from "../ui/button";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { Skeleton } from "../ui/skeleton";
import { CAPABILITY_MIME } from "./capability-drag";
import { useDesigner, useDesignerActions } from "./designer-context";
import type { Overlays } from "./designer-store";
import { useDesignerModel } from "./designer-view-model";
import { EmptyCanvas } from "./empty-canvas";
import { type PlanPicture, pictureOf } from "./plan-picture";
import type { QuickAction } from "./quick-actions";
import { refuseEdge } from "./refuse-edge";
import { useGestures } from "./use-gestures";

export interface DesignerCanvasProps {
  readonly canEdit: boolean;
  /** Changes when another document is shown. */
  readonly fitKey: string;
  readonly wave: ReadonlySet<string> | undefined;
  readonly onQuickAction: (action: QuickAction) => void;
  readonly onOpen: () => void;
}

export const DesignerCanvas = memo(function DesignerCanvas({
  canEdit,
  fitKey,
  wave,
  onQuickAction,
  onOpen,
}: DesignerCanvasProps) {
  const { plan, graph, edges, registry, analysis, canvas } = useDesignerModel();
  const { select } = useDesignerActions();
  const gestures = useGestures();
  const overlays = useDesigner((state) => state.overlays);
  const selection = useDesigner((state) => state.selection);
  const tidy = useDesigner((state) => state.tidy);
  const layout = useLayout(graph.ids, edges, tidy);
  const previous = useRef<PlanPicture>(undefined);
  const picture = useMemo(() => {
    if (layout === undefined) return undefined;
    const current = analysis.result?.durations.seconds.length === plan.tasks.length ? analysis.result : undefined;
    const next = pictureOf(
      { plan, edges, layout, registry, analysis: current, overlays, ...(wave === undefined ? {} : { wave }) },
      previous.current,
    );
    previous.current = next;
    return next;
  }, [plan, edges, layout, registry, analysis.result, overlays, wave]);

  const editing = useMemo<CanvasEditing>(
    () => ({
      onConnect: gestures.connect,
      refuse: (from, to) => refuseEdge(graph, from, to),
      onConnectToNothing: (from, place) => onQuickAction({ type: "add", from: { after: from, place } }),
      onMove: gestures.move,
      onDoubleClickCanvas: (place) => onQuickAction({ type: "add", from: { place } }),
      onDrop: (capability, place) => gestures.add({ capability, place }),
      accepts: CAPABILITY_MIME,
    }),
    [gestures, graph, onQuickAction],
  );

  if (picture === undefined) return <CanvasSkeleton />;
  return (
    <PlanCanvas
      label="Plan graph"
      nodes={picture.nodes}
      edges={picture.edges}
      conflicts={picture.conflicts}
      selection={selection}
      onSelect={select}
      onOpen={onOpen}
      fitKey={fitKey}
      controller={canvas}
      {...(canEdit ? { editing } : {})}
      topLeft={<OverlayBar />}
      {...(canEdit ? { topRight: <EditBar onAdd={() => onQuickAction({ type: "add" })} /> } : {})}
      empty={<EmptyCanvas canEdit={canEdit} onAdd={() => onQuickAction({ type: "add" })} />}
    />
  );
});

const OVERLAY_BUTTONS: readonly { readonly id: keyof Overlays; readonly label: string; readonly key: string }[] = [
  { id: "readySets", label: "Ready sets", key: "1" },
  { id: "criticalPath", label: "Critical path", key: "2" },
  { id: "conflicts", label: "Conflicts", key: "3" },
];

function OverlayBar() {
  const overlays = useDesigner((state) => state.overlays);
  const { toggle } = useDesignerActions();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a toolbar of toggles is a group, not a form's fieldset
    <div className="float" role="group" aria-label="Shown on the canvas">
      {OVERLAY_BUTTONS.map(({ id, label, key }) => (
        <Button
          key={id}
          variant="bare"
          size="small"
          aria-pressed={overlays[id]}
          title={label}
          onClick={() => toggle(id)}
        >
          <span className="@max-2xl:sr-only">{label}</span> <Kbd>{key}</Kbd>
        </Button>
      ))}
    </div>
  );
}

function EditBar({ onAdd }: { readonly onAdd: () => void }) {
  const last = useDesigner((state) => state.history.past.at(-1)?.label);
  const next = useDesigner((state) => state.history.future[0]?.label);
  const { undo, redo } = useDesignerActions();
  const gestures = useGestures();
  return (
    <div className="float">
      <IconButton
        icon="undo"
        size="small"
        label={last === undefined ? "Nothing to undo" : `Undo: ${last}`}
        shortcut="⌘Z"
        disabled={last === undefined}
        onClick={undo}
      />
      <IconButton
        icon="redo"
        size="small"
        label={next === undefined ? "Nothing to redo" : `Redo: ${next}`}
        shortcut="⇧⌘Z"
        disabled={next === undefined}
        onClick={redo}
      />
      <i />
      <Button variant="bare" size="small" title="Tidy layout" onClick={gestures.tidyUp}>
        <Icon name="layout" />
        <span className="@max-2xl:sr-only">Layout</span> <Kbd>L</Kbd>
      </Button>
      <i />
      <Button variant="bare" size="small" title="Add a task" onClick={onAdd}>
        <Icon name="plus" />
        <span className="@max-xl:sr-only">Task</span> <Kbd>N</Kbd>
      </Button>
    </div>
  );
}

const CanvasSkeleton = () => (
  <div
    role="status"
    aria-label="Drawing the plan"
    className="grid h-full grid-cols-4 content-center gap-x-7 gap-y-7 bg-canvas p-16"
  >
    {Array.from({ length: 12 }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: places are alike and never move
      <Skeleton key={index} className={`h-[72px] w-[138px] ${index % 3 === 1 ? "opacity-0" : ""}`} />
    ))}
  </div>
);
