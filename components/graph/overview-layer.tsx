"use client";

import { useStore } from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";
import { drawOverview, type Overview } from "./draw-overview";
import { usePalette } from "./palette";

/** A 2D canvas under React Flow's own layers, drawn for every change of the view. */
export function OverviewLayer({ overview }: { readonly overview: Overview }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const palette = usePalette();

  useLayoutEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext("2d");
    if (!element || !pen || palette === undefined || width === 0) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const pixelWidth = Math.round(width * ratio);
    const pixelHeight = Math.round(height * ratio);
    if (element.width !== pixelWidth || element.height !== pixelHeight) {
      element.width = pixelWidth;
      element.height = pixelHeight;
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    drawOverview(pen, overview, { x, y, zoom, width, height }, palette);
  }, [overview, x, y, zoom, width, height, palette]);

  return <canvas ref={canvas} className="plan-overview" />;
}
