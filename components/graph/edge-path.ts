import { CARD_HEIGHT, CARD_WIDTH } from "./layered-layout";

/** Space between the head of an edge and the card it points at. */
const HEAD_GAP = 2;

export interface EdgeEnds {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

/** Ends of an edge between two cards given by their top-left corners: right middle to left middle. */
export const edgeEnds = (
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): EdgeEnds => ({
  fromX: from.x + CARD_WIDTH,
  fromY: from.y + CARD_HEIGHT / 2,
  toX: to.x - HEAD_GAP,
  toY: to.y + CARD_HEIGHT / 2,
});

/** What a path is drawn on: an SVG path or a 2D canvas. */
interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
}

/**
 * Draws an edge: a curve in each gap between columns, a straight line across each column it passes, so that it goes
 * around cards and never behind one.
 */
export function traceEdge(pen: Pen, ends: EdgeEnds, route: readonly (readonly [number, number])[] | undefined): void {
  pen.moveTo(ends.fromX, ends.fromY);
  let x = ends.fromX;
  let y = ends.fromY;
  for (const [left, height] of route ?? []) {
    curve(pen, x, y, left, height);
    pen.lineTo(left + CARD_WIDTH, height);
    x = left + CARD_WIDTH;
    y = height;
  }
  curve(pen, x, y, ends.toX, ends.toY);
}

function curve(pen: Pen, x: number, y: number, toX: number, toY: number): void {
  if (y === toY && toX > x) {
    pen.lineTo(toX, toY);
    return;
  }
  const reach = toX > x ? Math.max(12, (toX - x) * 0.6) : 56;
  pen.bezierCurveTo(x + reach, y, toX - reach, toY, toX, toY);
}

/** The same path as SVG path data. */
export function edgePath(ends: EdgeEnds, route?: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  traceEdge(
    {
      moveTo: (x, y) => parts.push(`M${x} ${y}`),
      lineTo: (x, y) => parts.push(`L${x} ${y}`),
      bezierCurveTo: (x1, y1, x2, y2, x, y) => parts.push(`C${x1} ${y1} ${x2} ${y2} ${x} ${y}`),
    },
    ends,
    route,
  );
  return parts.join("");
}
