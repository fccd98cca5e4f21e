"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import type { LayoutInput, LayoutResult } from "./layered-layout";
import { layoutInWorker, layoutNow, SYNCHRONOUS_TASKS_MAX } from "./layout-client";
import { edgeKey } from "./picture";

export interface Layout {
  /** Top-left corners by task id. */
  readonly positions: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  /** By `edgeKey(from, to)`; only edges that cross a column have one. */
  readonly routes: ReadonlyMap<string, readonly (readonly [number, number])[]>;
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
}

const EMPTY: Layout = { positions: new Map(), routes: new Map() };

/**
 * Places of a plan's tasks. Recomputed only when ids or edges change; what survived stays where it was, unless
 * `tidy` changes: that asks for a drawing from scratch.
 *
 * @returns undefined until the first layout of a large plan is there.
 */
export function useLayout(ids: readonly string[], edges: readonly LayoutEdge[], tidy: number): Layout | undefined {
  const key = useMemo(() => structureKey(ids, edges), [ids, edges]);
  const [drawn, setDrawn] = useState<{ readonly key: string; readonly tidy: number; readonly layout: Layout }>();
  const latest = useRef<{ readonly tidy: number; readonly layout: Layout } | undefined>(undefined);
  const isSmall = ids.length <= SYNCHRONOUS_TASKS_MAX;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for ids and edges
  const small = useMemo(() => {
    if (!isSmall) return undefined;
    const layout = toLayout(ids, edges, layoutNow(toInput(ids, edges, previousOf(latest.current, tidy))));
    latest.current = { tidy, layout };
    return layout;
  }, [key, tidy, isSmall]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for ids and edges
  useEffect(() => {
    if (isSmall) return;
    let isCurrent = true;
    const input = toInput(ids, edges, previousOf(latest.current, tidy));
    const show = (result: LayoutResult) => {
      if (!isCurrent) return;
      const layout = toLayout(ids, edges, result);
      latest.current = { tidy, layout };
      setDrawn({ key, tidy, layout });
    };
    layoutInWorker(input).then(show, () => show(layoutNow(input)));
    return () => {
      isCurrent = false;
    };
  }, [key, tidy, isSmall]);

  if (ids.length === 0) return EMPTY;
  return isSmall ? small : drawn?.layout;
}

const previousOf = (
  latest: { readonly tidy: number; readonly layout: Layout } | undefined,
  tidy: number,
): Layout | undefined => (latest?.tidy === tidy ? latest.layout : undefined);

const structureKey = (ids: readonly string[], edges: readonly LayoutEdge[]): string =>
  `${ids.join(" ")}|${edges.map((edge) => edgeKey(edge.from, edge.to)).join("|")}`;

/** Interns ids; edges to tasks that are not there are left out. */
export function toInput(ids: readonly string[], edges: readonly LayoutEdge[], previous?: Layout): LayoutInput {
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const known = knownEdges(indexOf, edges);
  const input = {
    count: ids.length,
    from: Int32Array.from(known, (edge) => edge.from),
    to: Int32Array.from(known, (edge) => edge.to),
  };
  if (previous === undefined || previous.positions.size === 0) return input;
  return {
    ...input,
    previousX: Float64Array.from(ids, (id) => previous.positions.get(id)?.x ?? Number.NaN),
    previousY: Float64Array.from(ids, (id) => previous.positions.get(id)?.y ?? Number.NaN),
  };
}

function knownEdges(indexOf: ReadonlyMap<string, number>, edges: readonly LayoutEdge[]) {
  const known: { from: number; to: number; key: string }[] = [];
  for (const edge of edges) {
    const from = indexOf.get(edge.from);
    const to = indexOf.get(edge.to);
    if (from !== undefined && to !== undefined) known.push({ from, to, key: edgeKey(edge.from, edge.to) });
  }
  return known;
}

function toLayout(ids: readonly string[], edges: readonly LayoutEdge[], result: LayoutResult): Layout {
  const positions = new Map(ids.map((id, index) => [id, { x: result.x[index] ?? 0, y: result.y[index] ?? 0 }]));
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const routes = new Map<string, readonly (readonly [number, number])[]>();
  knownEdges(indexOf, edges).forEach((edge, index) => {
    const points: [number, number][] = [];
    for (let point = result.routeOffsets[index] ?? 0; point < (result.routeOffsets[index + 1] ?? 0); point++) {
      points.push([result.routes[2 * point] ?? 0, result.routes[2 * point + 1] ?? 0]);
    }
    if (points.length > 0) routes.set(edge.key, points);
  });
  return { positions, routes };
}
