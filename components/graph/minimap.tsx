"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { type PointerEvent, useLayoutEffect, useMemo, useRef } from "react";
import { STATUS_ENCODING } from "./encoding";
import { CARD_HEIGHT, CARD_WIDTH } from "./layered-layout";
import { usePalette } from "./palette";
import type { PictureNode } from "./picture";

const WIDTH = 168;
const HEIGHT = 104;
const MARGIN = 6;

/** The whole plan, small, with the window on it; drag to move the window. Drawn on one 2D canvas, however large. */
export function Minimap({ nodes }: { readonly nodes: readonly PictureNode[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const palette = usePalette();
  const { setCenter } = useReactFlow();
  const frame = useMemo(() => frameOf(nodes), [nodes]);

  useLayoutEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext("2d");
    if (!element || !pen || palette === undefined) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    element.width = WIDTH * ratio;
    element.height = HEIGHT * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    for (const node of nodes) {
      pen.fillStyle = palette.tone(STATUS_ENCODING[node.status].tone).stroke;
      pen.globalAlpha = node.dimmed ? 0.3 : 0.75;
      pen.fillRect(
        frame.x + node.x * frame.scale,
        frame.y + node.y * frame.scale,
        Math.max(1.5, CARD_WIDTH * frame.scale),
        Math.max(1, CARD_HEIGHT * frame.scale),
      );
    }
  }, [nodes, frame, palette]);

  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons !== 1) return;
    const box = event.currentTarget.getBoundingClientRect();
    const planX = (event.clientX - box.left - frame.x) / frame.scale;
    const planY = (event.clientY - box.top - frame.y) / frame.scale;
    void setCenter(planX, planY, { zoom });
  };

  return (
    <div className="relative overflow-hidden rounded-box" style={{ width: WIDTH, height: HEIGHT }}>
      <canvas
        ref={canvas}
        className="block cursor-pointer"
        style={{ width: WIDTH, height: HEIGHT }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          move(event);
        }}
        onPointerMove={move}
      />
      <div
        className="pointer-events-none absolute top-0 left-0 rounded-tag border-[1.5px] border-accent-bd"
        style={{
          transform: `translate(${frame.x + (-x / zoom) * frame.scale}px, ${frame.y + (-y / zoom) * frame.scale}px)`,
          width: Math.max(4, (width / zoom) * frame.scale),
          height: Math.max(4, (height / zoom) * frame.scale),
        }}
      />
    </div>
  );
}

function frameOf(nodes: readonly PictureNode[]) {
  const bounds = boundsOf(nodes);
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(1, bounds.width),
    (HEIGHT - 2 * MARGIN) / Math.max(1, bounds.height),
  );
  return {
    scale,
    x: (WIDTH - bounds.width * scale) / 2 - bounds.x * scale,
    y: (HEIGHT - bounds.height * scale) / 2 - bounds.y * scale,
  };
}

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function boundsOf(nodes: readonly { readonly x: number; readonly y: number }[]): Bounds {
  if (nodes.length === 0) return { x: 0, y: 0, width: CARD_WIDTH, height: CARD_HEIGHT };
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const node of nodes) {
    left = Math.min(left, node.x);
    top = Math.min(top, node.y);
    right = Math.max(right, node.x + CARD_WIDTH);
    bottom = Math.max(bottom, node.y + CARD_HEIGHT);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
