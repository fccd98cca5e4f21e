import { edgeEnds, traceEdge } from "./edge-path";
import { STATUS_ENCODING } from "./encoding";
import { CARD_HEIGHT, CARD_WIDTH } from "./layered-layout";
import type { Palette } from "./palette";
import { edgeKey, type PictureConflict, type PictureEdge, type PictureNode } from "./picture";

export interface Overview {
  readonly nodes: readonly PictureNode[];
  readonly byId: ReadonlyMap<string, PictureNode>;
  readonly edges: readonly PictureEdge[];
  readonly conflicts: readonly PictureConflict[];
  readonly selection: ReadonlySet<string>;
  readonly selectedEdges: ReadonlySet<string>;
}

export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  readonly width: number;
  readonly height: number;
}

/** Draws the plan as tinted blocks, for zooms where text could not be read anyway. One pass, only what is in view. */
export function drawOverview(pen: CanvasRenderingContext2D, overview: Overview, view: View, palette: Palette): void {
  const left = -view.x / view.zoom;
  const top = -view.y / view.zoom;
  const right = left + view.width / view.zoom;
  const bottom = top + view.height / view.zoom;
  pen.translate(view.x, view.y);
  pen.scale(view.zoom, view.zoom);
  drawEdges(pen, overview, view.zoom, palette);
  drawBlocks(pen, overview, { left, top, right, bottom }, view.zoom, palette);
}

interface Window {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type Look = "plain" | "critical" | "added" | "removed" | "selected";

/** The edges of one picture in plan coordinates: built once, drawn for every change of the view. */
const pathsOf = new WeakMap<Overview, Readonly<Record<Look, Path2D>>>();

function edgePaths(overview: Overview): Readonly<Record<Look, Path2D>> {
  const known = pathsOf.get(overview);
  if (known !== undefined) return known;
  const paths: Record<Look, Path2D> = {
    plain: new Path2D(),
    critical: new Path2D(),
    added: new Path2D(),
    removed: new Path2D(),
    selected: new Path2D(),
  };
  const { edges, byId, selectedEdges, selection } = overview;
  for (const edge of edges) {
    const from = byId.get(edge.from);
    const to = byId.get(edge.to);
    if (from === undefined || to === undefined) continue;
    const isSelected =
      selectedEdges.has(edgeKey(edge.from, edge.to)) || selection.has(edge.from) || selection.has(edge.to);
    const look: Look = isSelected ? "selected" : (edge.diff ?? (edge.critical ? "critical" : "plain"));
    traceEdge(paths[look], edgeEnds(from, to), edge.route);
  }
  pathsOf.set(overview, paths);
  return paths;
}

/** From here on edges turn into a grey field: they step back behind the blocks. */
const MANY_EDGES = 800;

function drawEdges(pen: CanvasRenderingContext2D, overview: Overview, zoom: number, palette: Palette): void {
  const paths = edgePaths(overview);
  const { edges, byId, conflicts } = overview;
  const thin = Math.max(1, 0.8 / zoom);
  const stroke = (look: Look, color: string, width: number) => {
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.stroke(paths[look]);
  };
  pen.globalAlpha = edges.length > MANY_EDGES ? 0.45 : 0.8;
  stroke("plain", palette.edge, thin);
  pen.globalAlpha = 1;
  stroke("critical", palette.critical, thin * 2.4);
  stroke("added", palette.added, thin * 1.5);
  stroke("removed", palette.removed, thin * 1.5);
  stroke("selected", palette.accent, thin * 1.8);
  pen.strokeStyle = palette.conflict;
  pen.lineWidth = thin * 2;
  for (const { a, b } of conflicts) {
    const from = byId.get(a);
    const to = byId.get(b);
    if (from === undefined || to === undefined) continue;
    pen.beginPath();
    pen.moveTo(from.x + CARD_WIDTH / 2, from.y + CARD_HEIGHT / 2);
    pen.lineTo(to.x + CARD_WIDTH / 2, to.y + CARD_HEIGHT / 2);
    pen.stroke();
  }
}

function drawBlocks(
  pen: CanvasRenderingContext2D,
  { nodes, selection }: Overview,
  window: Window,
  zoom: number,
  palette: Palette,
): void {
  const bar = Math.min(CARD_WIDTH / 3, Math.max(6, 2.5 / zoom));
  for (const node of nodes) {
    if (node.x + CARD_WIDTH < window.left || node.x > window.right) continue;
    if (node.y + CARD_HEIGHT < window.top || node.y > window.bottom) continue;
    const { stroke, tint } = palette.tone(node.diff === "removed" ? "removed" : STATUS_ENCODING[node.status].tone);
    pen.globalAlpha = node.dimmed ? 0.35 : 1;
    pen.fillStyle = palette.raised;
    pen.fillRect(node.x, node.y, CARD_WIDTH, CARD_HEIGHT);
    pen.fillStyle = tint;
    pen.fillRect(node.x, node.y, CARD_WIDTH, CARD_HEIGHT);
    pen.fillStyle = stroke;
    pen.fillRect(node.x, node.y, bar, CARD_HEIGHT);
    const isSelected = selection.has(node.id);
    pen.strokeStyle = isSelected ? palette.accent : node.critical ? palette.critical : palette.hairline;
    pen.lineWidth = isSelected
      ? Math.max(4, 2.5 / zoom)
      : node.critical
        ? Math.max(2, 1.4 / zoom)
        : Math.max(1, 0.6 / zoom);
    pen.strokeRect(node.x, node.y, CARD_WIDTH, CARD_HEIGHT);
  }
  if (zoom >= TITLE_ZOOM_MIN && nodes.length <= TITLES_MAX) drawTitles(pen, nodes, window, zoom, palette);
  pen.globalAlpha = 1;
}

/** From here on a short title fits a block in letters that can be read. */
const TITLE_ZOOM_MIN = 0.3;
const TITLES_MAX = 400;
const TITLE_PX = 9.5;

function drawTitles(
  pen: CanvasRenderingContext2D,
  nodes: readonly PictureNode[],
  window: Window,
  zoom: number,
  palette: Palette,
): void {
  const size = TITLE_PX / zoom;
  const left = 5 / zoom;
  const width = CARD_WIDTH - left - 2 / zoom;
  pen.font = `500 ${size}px ${palette.font}`;
  pen.fillStyle = palette.text;
  pen.textBaseline = "middle";
  for (const node of nodes) {
    if (node.x + CARD_WIDTH < window.left || node.x > window.right) continue;
    if (node.y + CARD_HEIGHT < window.top || node.y > window.bottom) continue;
    pen.globalAlpha = node.dimmed ? 0.35 : 1;
    const lines = wrapTitle(node.title, (text) => pen.measureText(text).width <= width);
    const top = node.y + CARD_HEIGHT / 2 - ((lines.length - 1) * size * 1.15) / 2;
    lines.forEach((line, index) => {
      pen.fillText(line, node.x + left, top + index * size * 1.15);
    });
  }
}

const LINES_MAX = 2;

/** Breaks a title at its spaces into at most two lines; what does not fit is cut with an ellipsis. */
export function wrapTitle(title: string, fits: (text: string) => boolean): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of title.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer) || line === "") {
      line = longer;
    } else if (lines.length + 1 < LINES_MAX) {
      lines.push(line);
      line = word;
    } else {
      line = `${line} …`;
      break;
    }
  }
  return [...lines, line].map((text) => shorten(text, fits));
}

function shorten(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  let cut = text.length - 1;
  while (cut > 1 && !fits(`${text.slice(0, cut)}…`)) cut--;
  return `${text.slice(0, cut)}…`;
}

/** The topmost task at a point in plan coordinates. */
export function nodeAt(nodes: readonly PictureNode[], x: number, y: number, slack = 0): PictureNode | undefined {
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index];
    if (node === undefined) continue;
    if (x < node.x - slack || x > node.x + CARD_WIDTH + slack) continue;
    if (y < node.y - slack || y > node.y + CARD_HEIGHT + slack) continue;
    return node;
  }
  return undefined;
}
