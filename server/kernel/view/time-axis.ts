import type { Timeline } from "./timeline";
import type { Interval } from "./waits";

/** A stretch of the axis in which nothing happened, drawn in a fixed width with its length in words. */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly width: number;
  readonly folded: boolean;
}

/** Maps time to pixels and back, piece by piece; monotone, so order on the screen is order in time. */
export interface TimeAxis {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly folds: readonly (Fold & { readonly x: number; readonly width: number })[];
  xOf(at: number): number;
  timeAt(x: number): number;
  readonly ticks: readonly { readonly at: number; readonly x: number }[];
}

/** Idle gaps shrink to this many pixels. */
const FOLD_PX = 56;
const TICK_PX_MIN = 72;
const MARGIN_MS_MIN = 200;
const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];

/**
 * Stretches without an event and without a call in progress, long enough that drawing them true to scale would press
 * the rest together: at least `share` of the whole and longer than `minimumMs`.
 *
 * @param options.until now, for a run that goes on: the wait since its last event counts too.
 */
export function idleGaps(
  timeline: Timeline,
  eventTimes: readonly number[],
  options: { readonly minimumMs?: number; readonly share?: number; readonly until?: number } = {},
): readonly Fold[] {
  const end = Math.max(timeline.to, options.until ?? timeline.to);
  const minimum = Math.max(options.minimumMs ?? 20_000, (end - timeline.from) * (options.share ?? 0.06));
  const busy: { from: number; to: number }[] = eventTimes.map((at) => ({ from: at, to: at }));
  for (const lane of timeline.lanes) {
    for (const segment of lane.segments) {
      if (segment.kind === "execute") busy.push({ from: segment.from, to: segment.to ?? end });
    }
  }
  busy.sort((left, right) => left.from - right.from);
  const gaps: Fold[] = [];
  let reached = timeline.from;
  for (const stretch of [...busy, { from: end, to: end }]) {
    if (stretch.from - reached >= minimum) gaps.push({ from: reached, to: stretch.from });
    reached = Math.max(reached, stretch.to);
  }
  const idle = gaps.reduce((total, gap) => total + gap.to - gap.from, 0);
  const active = end - timeline.from - idle;
  return gaps.map((gap) => {
    // A margin on both sides keeps the events at the rim apart from the fold, and is small beside what happened.
    const margin = Math.min((gap.to - gap.from) * 0.03, Math.max(MARGIN_MS_MIN, active * 0.04));
    return { from: gap.from + margin, to: gap.to - margin };
  });
}

/** The axis over `[from, to]` in `width` pixels, `folds` in order and apart. */
export function buildTimeAxis(range: Required<Interval>, width: number, folds: readonly Fold[] = []): TimeAxis {
  const to = Math.max(range.to, range.from + 1);
  const inside = folds.filter((fold) => fold.from >= range.from && fold.to <= to && fold.to > fold.from);
  const foldPx = inside.length * FOLD_PX < width * 0.6 ? FOLD_PX : (width * 0.6) / Math.max(1, inside.length);
  const folded = inside.reduce((total, fold) => total + fold.to - fold.from, 0);
  const scale = (width - inside.length * foldPx) / Math.max(1, to - range.from - folded);
  const pieces: Piece[] = [];
  let at = range.from;
  let x = 0;
  const add = (end: number, pieceWidth: number, isFold: boolean) => {
    if (end <= at) return;
    pieces.push({ from: at, to: end, x, width: pieceWidth, folded: isFold });
    at = end;
    x += pieceWidth;
  };
  for (const fold of inside) {
    add(fold.from, (fold.from - at) * scale, false);
    add(fold.to, foldPx, true);
  }
  add(to, (to - at) * scale, false);

  const xOf = (time: number): number => {
    const piece = pieces.findLast((candidate) => candidate.from <= time) ?? pieces[0];
    if (piece === undefined) return 0;
    const ratio = (time - piece.from) / (piece.to - piece.from);
    return piece.x + Math.max(0, Math.min(1, ratio)) * piece.width;
  };
  const timeAt = (position: number): number => {
    const piece = pieces.findLast((candidate) => candidate.x <= position) ?? pieces[0];
    if (piece === undefined) return range.from;
    const ratio = piece.width === 0 ? 0 : (position - piece.x) / piece.width;
    return piece.from + Math.max(0, Math.min(1, ratio)) * (piece.to - piece.from);
  };
  return {
    from: range.from,
    to,
    width,
    folds: pieces
      .filter((piece) => piece.folded)
      .map((piece) => ({ from: piece.from, to: piece.to, x: piece.x, width: piece.width })),
    xOf,
    timeAt,
    ticks: ticksOf(range.from, to, scale, xOf, pieces),
  };
}

function ticksOf(from: number, to: number, scale: number, xOf: (at: number) => number, pieces: readonly Piece[]) {
  const step =
    STEPS_MS.find((candidate) => candidate * scale >= TICK_PX_MIN) ?? 86_400_000 * Math.ceil(72 / (86_400_000 * scale));
  const ticks: { at: number; x: number }[] = [];
  let lastX = Number.NEGATIVE_INFINITY;
  for (let at = from; at <= to && ticks.length < 200; at += step) {
    const fold = pieces.find((piece) => piece.folded && piece.from < at && piece.to > at);
    if (fold !== undefined) {
      at = from + Math.floor((fold.to - from) / step) * step;
      continue;
    }
    const x = xOf(at);
    if (x - lastX < TICK_PX_MIN * 0.6) continue;
    ticks.push({ at, x });
    lastX = x;
  }
  return ticks;
}

/** How many events fall on each of `buckets` equal stretches of the axis. */
export function eventDensity(axis: TimeAxis, eventTimes: readonly number[], buckets: number): Uint32Array {
  const counts = new Uint32Array(buckets);
  for (const at of eventTimes) {
    const bucket = Math.min(buckets - 1, Math.floor((axis.xOf(at) / axis.width) * buckets));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}
