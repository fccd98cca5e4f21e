"use client";

import { type Edge, EdgeLabelRenderer, type EdgeProps, useInternalNode } from "@xyflow/react";
import { memo } from "react";
import { Icon } from "../ui/icon";
import { edgeEnds, edgePath } from "./edge-path";
import { CARD_HEIGHT, CARD_WIDTH } from "./layered-layout";
import type { PictureConflict, PictureEdge } from "./picture";

export type FlowEdge = Edge<{ readonly edge: PictureEdge; readonly near: boolean }, "plan">;
export type FlowConflict = Edge<{ readonly conflict: PictureConflict }, "conflict">;

type EdgeLook = "data" | "control" | "critical" | "added" | "removed" | "selected" | "near";

function lookOf(edge: PictureEdge, selected: boolean | undefined, near: boolean): EdgeLook {
  if (selected) return "selected";
  if (edge.diff !== undefined) return edge.diff;
  if (edge.critical) return "critical";
  return near ? "near" : edge.kind;
}

export const FlowPlanEdge = memo(function FlowPlanEdge({ source, target, selected, data }: EdgeProps<FlowEdge>) {
  const from = useInternalNode(source);
  const to = useInternalNode(target);
  if (from === undefined || to === undefined || data === undefined) return null;
  const { edge, near } = data;
  const ends = edgeEnds(from.internals.positionAbsolute, to.internals.positionAbsolute);
  const look = lookOf(edge, selected, near);
  const path = edgePath(ends, edge.route);
  return (
    <>
      <path d={path} className="plan-edge-hit" />
      <path
        d={path}
        className="plan-edge"
        data-look={look}
        data-kind={edge.kind}
        data-origin={edge.origin}
        markerEnd={`url(#plan-head-${look === "near" ? `near-${edge.kind}` : look})`}
      />
    </>
  );
});

/** A conflict orders nothing, so it has no head: a red double line with the resource's name in its middle. */
export const FlowConflictEdge = memo(function FlowConflictEdge({ source, target, data }: EdgeProps<FlowConflict>) {
  const a = useInternalNode(source)?.internals.positionAbsolute;
  const b = useInternalNode(target)?.internals.positionAbsolute;
  if (a === undefined || b === undefined || data === undefined) return null;
  const [x1, y1, x2, y2] = nearestSides(a, b);
  const { resource } = data.conflict;
  return (
    <>
      <path d={`M${x1} ${y1}L${x2} ${y2}`} className="plan-conflict-outer" />
      <path d={`M${x1} ${y1}L${x2} ${y2}`} className="plan-conflict-inner" />
      <EdgeLabelRenderer>
        <span
          className="plan-conflict-label tag tone-conflict"
          data-kind="tone"
          title={`Both touch ${resource}, one writes, and no path orders them`}
          style={{ transform: `translate(-50%, -50%) translate(${(x1 + x2) / 2}px, ${(y1 + y2) / 2}px)` }}
        >
          <Icon name="bolt" small />
          <span className="cut">{resource}</span>
        </span>
      </EdgeLabelRenderer>
    </>
  );
});

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** Between cards above each other the line is upright; else it joins the facing sides. */
export function nearestSides(a: Corner, b: Corner): readonly [number, number, number, number] {
  if (Math.abs(a.x - b.x) < CARD_WIDTH) {
    const [upper, lower] = a.y <= b.y ? [a, b] : [b, a];
    const x = (Math.max(a.x, b.x) + Math.min(a.x, b.x) + CARD_WIDTH) / 2;
    return [x, upper.y + CARD_HEIGHT, x, lower.y];
  }
  const [left, right] = a.x <= b.x ? [a, b] : [b, a];
  return [left.x + CARD_WIDTH, left.y + CARD_HEIGHT / 2, right.x, right.y + CARD_HEIGHT / 2];
}

const HEADS: readonly {
  readonly id: string;
  readonly color: string;
  readonly open?: boolean;
  readonly size: number;
}[] = [
  { id: "data", color: "var(--edge)", size: 7 },
  { id: "control", color: "var(--edge)", open: true, size: 7 },
  { id: "near-data", color: "var(--text-2)", size: 7 },
  { id: "near-control", color: "var(--text-2)", open: true, size: 7 },
  { id: "critical", color: "var(--edge-cp)", size: 9 },
  { id: "added", color: "var(--diff-added-bd)", size: 8 },
  { id: "removed", color: "var(--diff-removed-bd)", size: 8 },
  { id: "selected", color: "var(--accent-bd)", size: 8 },
];

/** Arrow heads, once a page. */
export const EdgeHeads = () => (
  <svg aria-hidden="true" className="absolute h-0 w-0">
    <defs>
      {HEADS.map(({ id, color, open, size }) => (
        <marker
          key={id}
          id={`plan-head-${id}`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth={size}
          markerHeight={size}
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path
            d={open ? "M0 .8 7.5 4 0 7.2" : "M0 .8 7.5 4 0 7.2z"}
            style={open ? { stroke: color, strokeWidth: 1.4, fill: "none" } : { fill: color }}
          />
        </marker>
      ))}
    </defs>
  </svg>
);
