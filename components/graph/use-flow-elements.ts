"use client";

import { Position } from "@xyflow/react";
import { useMemo, useRef } from "react";
import type { FlowConflict, FlowEdge } from "./flow-edge";
import type { FlowNode } from "./flow-node";
import { CARD_HEIGHT, CARD_WIDTH } from "./layered-layout";
import {
  type CanvasSelection,
  edgeKey,
  type PictureConflict,
  type PictureEdge,
  type PictureNode,
  type Place,
} from "./picture";

const HANDLES = [
  { type: "target" as const, position: Position.Left, x: 0, y: CARD_HEIGHT / 2, width: 1, height: 1 },
  { type: "source" as const, position: Position.Right, x: CARD_WIDTH - 1, y: CARD_HEIGHT / 2, width: 1, height: 1 },
];
const MEASURED = { width: CARD_WIDTH, height: CARD_HEIGHT };

interface NodeOptions {
  readonly nodes: readonly PictureNode[];
  readonly selection: CanvasSelection;
  /** Places while a drag goes on; the plan learns them when it ends. */
  readonly dragged: ReadonlyMap<string, Place> | undefined;
}

interface CachedNode {
  readonly node: PictureNode;
  readonly selected: boolean;
  readonly place: Place;
  readonly flow: FlowNode;
}

/** React Flow's nodes. One whose picture, place and selection are unchanged keeps its object, so its card stays. */
export function useFlowNodes({ nodes, selection, dragged }: NodeOptions): FlowNode[] {
  const cache = useRef<Map<string, CachedNode>>(new Map());
  return useMemo(() => {
    const next = new Map<string, CachedNode>();
    const flowNodes = nodes.map((node) => {
      const selected = selection.tasks.has(node.id);
      const place = dragged?.get(node.id) ?? node;
      const known = cache.current.get(node.id);
      const isSame =
        known !== undefined &&
        known.node === node &&
        known.selected === selected &&
        known.place.x === place.x &&
        known.place.y === place.y;
      const entry = isSame ? known : { node, selected, place, flow: toFlowNode(node, selected, place) };
      next.set(node.id, entry);
      return entry.flow;
    });
    cache.current = next;
    return flowNodes;
  }, [nodes, selection, dragged]);
}

const toFlowNode = (node: PictureNode, selected: boolean, place: Place): FlowNode => ({
  id: node.id,
  type: "task",
  position: { x: place.x, y: place.y },
  data: { node },
  selected,
  width: CARD_WIDTH,
  height: CARD_HEIGHT,
  measured: MEASURED,
  handles: HANDLES,
  draggable: node.diff !== "removed",
  connectable: node.diff !== "removed",
});

interface EdgeOptions extends Omit<NodeOptions, "nodes"> {
  readonly edges: readonly PictureEdge[];
  readonly conflicts: readonly PictureConflict[];
  readonly byId: ReadonlyMap<string, PictureNode>;
}

interface CachedEdge {
  readonly edge: PictureEdge;
  readonly selected: boolean;
  readonly near: boolean;
  readonly moving: boolean;
  readonly flow: FlowEdge;
}

export function useFlowEdges({ edges, conflicts, selection, dragged, byId }: EdgeOptions): (FlowEdge | FlowConflict)[] {
  const cache = useRef<Map<string, CachedEdge>>(new Map());
  const conflictEdges = useMemo(
    () => conflicts.filter(({ a, b }) => byId.has(a) && byId.has(b)).map(toFlowConflict),
    [conflicts, byId],
  );
  const planEdges = useMemo(() => {
    const next = new Map<string, CachedEdge>();
    const flowEdges: FlowEdge[] = [];
    for (const edge of edges) {
      if (!byId.has(edge.from) || !byId.has(edge.to)) continue;
      const key = edgeKey(edge.from, edge.to);
      const selected = selection.edges.has(key);
      const near = selection.tasks.has(edge.from) || selection.tasks.has(edge.to);
      const moving = dragged !== undefined && (dragged.has(edge.from) || dragged.has(edge.to));
      const known = cache.current.get(key);
      const isSame =
        known !== undefined &&
        known.edge === edge &&
        known.selected === selected &&
        known.near === near &&
        known.moving === moving;
      const entry = isSame
        ? known
        : { edge, selected, near, moving, flow: toFlowEdge({ edge, key, selected, near, moving }) };
      next.set(key, entry);
      flowEdges.push(entry.flow);
    }
    cache.current = next;
    return flowEdges;
  }, [edges, selection, dragged, byId]);
  return useMemo(() => [...conflictEdges, ...planEdges], [conflictEdges, planEdges]);
}

interface EdgeParts {
  readonly edge: PictureEdge;
  readonly key: string;
  readonly selected: boolean;
  readonly near: boolean;
  readonly moving: boolean;
}

function toFlowEdge({ edge, key, selected, near, moving }: EdgeParts): FlowEdge {
  const { route, ...plain } = edge;
  return {
    id: key,
    type: "plan",
    source: edge.from,
    target: edge.to,
    selected,
    zIndex: selected ? 2 : edge.critical ? 1 : 0,
    data: { edge: moving || route === undefined ? plain : edge, near },
  };
}

const toFlowConflict = ({ a, b, resource }: PictureConflict): FlowConflict => ({
  id: `conflict ${a} ${b} ${resource}`,
  type: "conflict",
  source: a,
  target: b,
  selectable: false,
  data: { conflict: { a, b, resource } },
});
