"use client";

import { type ReactNode, useMemo, useRef } from "react";
import type { RunState } from "#kernel/run/state";
import type { Frame } from "#kernel/view/frame";
import { type CanvasSelection, edgeKey, type PictureNode } from "../graph/picture";
import { PlanCanvas } from "../graph/plan-canvas";
import { useLayout } from "../graph/use-layout";
import { EmptyState } from "../ui/empty-state";
import { Skeleton } from "../ui/skeleton";
import { unionGraph } from "./plan-edges";
import { pictureOf } from "./run-picture";
import type { Overlay } from "./view-store";

export interface GraphPanelProps {
  readonly frame: Frame;
  /** The state after the last event: it knows every task that will ever be there, hence every place. */
  readonly tip: RunState;
  readonly overlays: ReadonlySet<Overlay>;
  readonly selected: string | undefined;
  readonly onSelect: (taskId: string | undefined) => void;
  readonly topLeft?: ReactNode;
  readonly topRight?: ReactNode;
  readonly bottomRight?: ReactNode;
  readonly insetTop?: number;
}

/** The plan at the moment. Tasks never move while time does: places come from all revisions together. */
export function GraphPanel({ frame, tip, overlays, selected, onSelect, ...bars }: GraphPanelProps) {
  const taskCount = tip.tasks.size;
  const { revision } = tip;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tip is changed in place; these two say when its graph did
  const union = useMemo(() => unionGraph(tip), [tip, taskCount, revision]);
  const layout = useLayout(union.ids, union.edges, 0);
  const picture = useMemo(() => pictureOf(frame, overlays), [frame, overlays]);
  const kept = useRef(new Map<string, PictureNode>());
  const nodes = useMemo(() => {
    if (layout === undefined) return [];
    const next = new Map<string, PictureNode>();
    for (const node of picture.nodes) {
      const place = layout.positions.get(node.id);
      if (place === undefined) continue;
      const drawn: PictureNode = { ...node, ...place };
      const before = kept.current.get(node.id);
      // The same object tells the canvas that this card has nothing new to draw.
      next.set(node.id, before !== undefined && samePicture(before, drawn) ? before : drawn);
    }
    kept.current = next;
    return [...next.values()];
  }, [picture, layout]);
  const edges = useMemo(
    () =>
      picture.edges.map((edge) => {
        const route = layout?.routes.get(edgeKey(edge.from, edge.to));
        return route === undefined ? edge : { ...edge, route };
      }),
    [picture, layout],
  );
  const selection = useMemo<CanvasSelection>(
    () => ({ tasks: new Set(selected === undefined ? [] : [selected]), edges: new Set() }),
    [selected],
  );
  if (layout === undefined && union.ids.length > 0) {
    return <Skeleton className="absolute inset-6" />;
  }
  return (
    <PlanCanvas
      label="Plan at this moment"
      nodes={nodes}
      edges={edges}
      selection={selection}
      onSelect={(next) => onSelect([...next.tasks].at(-1))}
      onOpen={onSelect}
      fitKey={`${frame.state.runId} ${union.ids.length}`}
      empty={
        <EmptyState title="No plan yet at this moment">
          The graph appears with the event that accepts the plan.
        </EmptyState>
      }
      {...bars}
    />
  );
}

function samePicture(left: PictureNode, right: PictureNode): boolean {
  const keys = Object.keys(right) as (keyof PictureNode)[];
  return keys.length === Object.keys(left).length && keys.every((key) => left[key] === right[key]);
}
