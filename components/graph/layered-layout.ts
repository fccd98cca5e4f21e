/**
 * Layered drawing of a plan, left to right: a task's column is its wave (longest path from the roots), so the
 * picture agrees with the ready sets. Sugiyama's scheme: columns, order within a column by barycentre sweeps, then
 * heights by isotonic regression (pool adjacent violators) towards the median of the neighbours.
 *
 * Pure and over typed arrays: it runs in a worker, in tests and, for small plans, before the first paint.
 */

export const CARD_WIDTH = 138;
export const CARD_HEIGHT = 72;

export interface LayoutInput {
  /** Number of tasks; they are 0..count-1. */
  readonly count: number;
  /** Edge k goes from `from[k]` to `to[k]`. Cycles and self edges are tolerated: a plan may be half drawn. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /**
   * Top-left corners of an earlier layout, NaN for a task that had none. Given, tasks keep their order and stay near
   * their place, and only what is new looks for room.
   */
  readonly previousX?: Float64Array;
  readonly previousY?: Float64Array;
}

export interface LayoutResult {
  /** Top-left corner of each card. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Column of each task. */
  readonly layer: Int32Array;
  /**
   * Way around cards for edges that cross columns: for edge k the points `route[2i], route[2i+1]` for i in
   * routeOffsets[k] .. routeOffsets[k+1]: left end of a column and the height at which to cross it.
   */
  readonly routeOffsets: Int32Array;
  readonly routes: Float64Array;
  readonly width: number;
  readonly height: number;
}

const COLUMN_GAP = 28;
const COLUMN_GAP_MAX = 96;
const SWEEPS = 16;
const HEIGHT_SWEEPS = 8;
/** Above this many bends an edge is drawn straight: a dense plan would drown in its own detours. */
const BENDS_MAX = 200_000;
const GAP_CARDS = 28;
const GAP_CARD_BEND = 16;
const GAP_BENDS = 8;

export function layeredLayout(input: LayoutInput): LayoutResult {
  const components = componentsOf(input);
  if (components.length <= 1) return layoutComponent(input);
  return packComponents(input, components);
}

/** Draws tasks of which each is joined to each other by edges, whatever their direction. */
function layoutComponent(input: LayoutInput): LayoutResult {
  const graph = readGraph(input);
  const layer = assignLayers(graph);
  const bent = insertBends(graph, layer);
  const columns = orderColumns(bent, input);
  const centre = placeHeights(bent, columns, input);
  const columnX = placeColumns(bent, columns);
  return readResult({ graph, layer, bent, centre, columnX, input });
}

interface Graph {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly successorOffsets: Int32Array;
  readonly successors: Int32Array;
}

function readGraph({ count, from, to }: LayoutInput): Graph {
  const successorOffsets = new Int32Array(count + 1);
  for (let edge = 0; edge < from.length; edge++) add(successorOffsets, at(from, edge) + 1, 1);
  for (let task = 0; task < count; task++) add(successorOffsets, task + 1, at(successorOffsets, task));
  const cursor = successorOffsets.slice(0, count);
  const successors = new Int32Array(from.length);
  for (let edge = 0; edge < from.length; edge++) {
    const source = at(from, edge);
    successors[at(cursor, source)] = at(to, edge);
    add(cursor, source, 1);
  }
  return { count, from, to, successorOffsets, successors };
}

/** Longest path from the roots. A cycle is cut at the first task it leaves over, in plan order. */
function assignLayers({ count, to, successorOffsets, successors }: Graph): Int32Array {
  const layer = new Int32Array(count);
  const waiting = new Int32Array(count);
  for (let edge = 0; edge < to.length; edge++) add(waiting, at(to, edge), 1);
  const queue = new Int32Array(count);
  const settled = new Uint8Array(count);
  let tail = 0;
  let scan = 0;
  for (let task = 0; task < count; task++) {
    if (waiting[task] === 0) {
      queue[tail++] = task;
      settled[task] = 1;
    }
  }
  for (let head = 0; head < count; head++) {
    if (head === tail) {
      while (settled[scan] === 1) scan++;
      settled[scan] = 1;
      queue[tail++] = scan;
    }
    const task = at(queue, head);
    for (let slot = at(successorOffsets, task); slot < at(successorOffsets, task + 1); slot++) {
      const next = at(successors, slot);
      if (settled[next] === 1) continue;
      if (at(layer, next) < at(layer, task) + 1) layer[next] = at(layer, task) + 1;
      add(waiting, next, -1);
      if (waiting[next] === 0) {
        settled[next] = 1;
        queue[tail++] = next;
      }
    }
  }
  return layer;
}

/** The graph with a bend in every column an edge crosses. Edges of one source share their bends, like a bus. */
interface Bent {
  readonly tasks: number;
  readonly count: number;
  readonly layer: Int32Array;
  readonly layers: number;
  readonly before: Rows;
  readonly after: Rows;
  /** The last bend of edge k's way, or -1; `parent` leads back to its source. */
  readonly lastBend: Int32Array;
  readonly parent: Int32Array;
}

interface Rows {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
}

function insertBends(graph: Graph, layerOfTask: Int32Array): Bent {
  const { count, from, to } = graph;
  let layers = 0;
  for (let task = 0; task < count; task++) layers = Math.max(layers, at(layerOfTask, task) + 1);
  /** Furthest column each source reaches, so that its shared bends are known at once. */
  const reach = new Int32Array(count);
  for (let edge = 0; edge < from.length; edge++) {
    const source = at(from, edge);
    reach[source] = Math.max(at(reach, source), at(layerOfTask, at(to, edge)));
  }
  const firstBend = new Int32Array(count).fill(-1);
  let bends = 0;
  for (let task = 0; task < count; task++) {
    const needed = at(reach, task) - at(layerOfTask, task) - 1;
    if (needed > 0 && bends + needed <= BENDS_MAX) {
      firstBend[task] = count + bends;
      bends += needed;
    }
  }
  const layer = new Int32Array(count + bends);
  layer.set(layerOfTask);
  const parent = new Int32Array(count + bends).fill(-1);
  const pairs: number[] = [];
  for (let task = 0; task < count; task++) {
    const first = at(firstBend, task);
    if (first === -1) continue;
    const needed = at(reach, task) - at(layerOfTask, task) - 1;
    for (let step = 0; step < needed; step++) {
      const bend = first + step;
      layer[bend] = at(layerOfTask, task) + 1 + step;
      parent[bend] = step === 0 ? task : bend - 1;
      pairs.push(at(parent, bend), bend);
    }
  }
  const lastBend = new Int32Array(from.length).fill(-1);
  for (let edge = 0; edge < from.length; edge++) {
    const source = at(from, edge);
    const target = at(to, edge);
    const span = at(layerOfTask, target) - at(layerOfTask, source);
    if (span < 1) continue;
    if (span === 1) pairs.push(source, target);
    else if (at(firstBend, source) !== -1) {
      const bend = at(firstBend, source) + span - 2;
      lastBend[edge] = bend;
      pairs.push(bend, target);
    }
  }
  return {
    tasks: count,
    count: count + bends,
    layer,
    layers,
    before: rowsOf(count + bends, pairs, 1),
    after: rowsOf(count + bends, pairs, 0),
    lastBend,
    parent,
  };
}

function rowsOf(count: number, pairs: readonly number[], keyAt: 0 | 1): Rows {
  const offsets = new Int32Array(count + 1);
  for (let slot = keyAt; slot < pairs.length; slot += 2) add(offsets, (pairs[slot] ?? 0) + 1, 1);
  for (let index = 0; index < count; index++) add(offsets, index + 1, at(offsets, index));
  const cursor = offsets.slice(0, count);
  const targets = new Int32Array(pairs.length / 2);
  for (let slot = 0; slot < pairs.length; slot += 2) {
    const key = pairs[slot + keyAt] ?? 0;
    targets[at(cursor, key)] = pairs[slot + 1 - keyAt] ?? 0;
    add(cursor, key, 1);
  }
  return { offsets, targets };
}

/** Orders each column so that edges cross little; the best of all sweeps wins. */
function orderColumns(bent: Bent, input: LayoutInput): number[][] {
  const place = new Float64Array(bent.count);
  const columns = initialColumns(bent, input, place);
  if (hasPrevious(input)) return columns;
  const measured = bent.after.targets.length <= 6_000;
  let best = columns.map((column) => [...column]);
  let bestCrossings = measured ? countCrossings(bent, columns) : Number.POSITIVE_INFINITY;
  for (let sweep = 0; sweep < SWEEPS && bestCrossings > 0; sweep++) {
    sweepOnce(bent, columns, place, sweep % 2 === 0);
    if (!measured) continue;
    const crossings = countCrossings(bent, columns);
    if (crossings < bestCrossings) {
      bestCrossings = crossings;
      best = columns.map((column) => [...column]);
    }
  }
  return measured ? best : columns;
}

const hasPrevious = (input: LayoutInput): boolean => input.previousY?.some((y) => !Number.isNaN(y)) ?? false;

/** With an earlier layout: by its heights. Without: depth first from the roots, so that branches stay together. */
function initialColumns(bent: Bent, input: LayoutInput, place: Float64Array): number[][] {
  const columns: number[][] = Array.from({ length: bent.layers }, () => []);
  if (hasPrevious(input) && input.previousY !== undefined) {
    const key = inheritedHeights(bent, input.previousY);
    for (let node = 0; node < bent.count; node++) columns[at(bent.layer, node)]?.push(node);
    for (const column of columns) column.sort((a, b) => at(key, a) - at(key, b) || a - b);
  } else {
    const seen = new Uint8Array(bent.count);
    const stack: number[] = [];
    for (let root = 0; root < bent.count; root++) {
      if (seen[root] === 1 || at(bent.layer, root) !== 0) continue;
      stack.push(root);
      while (stack.length > 0) {
        const node = stack.pop();
        if (node === undefined || seen[node] === 1) continue;
        seen[node] = 1;
        columns[at(bent.layer, node)]?.push(node);
        for (let slot = at(bent.after.offsets, node + 1) - 1; slot >= at(bent.after.offsets, node); slot--) {
          stack.push(at(bent.after.targets, slot));
        }
      }
    }
    for (let node = 0; node < bent.count; node++) if (seen[node] === 0) columns[at(bent.layer, node)]?.push(node);
  }
  for (const column of columns) renumber(column, place);
  return columns;
}

/** The earlier height where there is one, else the mean of the neighbours' before and after, else the bottom. */
function inheritedHeights(bent: Bent, previousY: Float64Array): Float64Array {
  const key = new Float64Array(bent.count).fill(Number.NaN);
  for (let task = 0; task < bent.tasks; task++) key[task] = at(previousY, task) + CARD_HEIGHT / 2;
  const order = Array.from({ length: bent.count }, (_, node) => node).sort(
    (a, b) => at(bent.layer, a) - at(bent.layer, b),
  );
  for (const rows of [bent.before, bent.after]) {
    for (const node of rows === bent.before ? order : order.reverse()) {
      if (Number.isNaN(at(key, node))) key[node] = meanOf(rows, node, key);
    }
  }
  let bottom = 0;
  for (let node = 0; node < bent.count; node++)
    if (!Number.isNaN(at(key, node))) bottom = Math.max(bottom, at(key, node));
  for (let node = 0; node < bent.count; node++) if (Number.isNaN(at(key, node))) key[node] = bottom + 100;
  return key;
}

function meanOf(rows: Rows, node: number, value: Float64Array): number {
  let sum = 0;
  let known = 0;
  for (let slot = at(rows.offsets, node); slot < at(rows.offsets, node + 1); slot++) {
    const next = at(value, at(rows.targets, slot));
    if (Number.isNaN(next)) continue;
    sum += next;
    known++;
  }
  return known === 0 ? Number.NaN : sum / known;
}

function sweepOnce(bent: Bent, columns: number[][], place: Float64Array, forwards: boolean): void {
  const rows = forwards ? bent.before : bent.after;
  const key = new Float64Array(bent.count);
  for (let step = 0; step < bent.layers; step++) {
    const column = columns[forwards ? step : bent.layers - 1 - step] ?? [];
    for (const node of column) {
      const mean = meanOf(rows, node, place);
      key[node] = Number.isNaN(mean) ? at(place, node) : mean;
    }
    column.sort((a, b) => at(key, a) - at(key, b) || at(place, a) - at(place, b));
    renumber(column, place);
  }
}

/** Places run from 0 to 1, so that columns of different lengths compare. */
function renumber(column: readonly number[], place: Float64Array): void {
  for (let index = 0; index < column.length; index++) place[column[index] ?? 0] = (index + 0.5) / column.length;
}

/** Crossings between neighbouring columns, by counting inversions with a Fenwick tree: O(edges log edges). */
function countCrossings(bent: Bent, columns: readonly number[][]): number {
  let crossings = 0;
  for (let index = 0; index + 1 < columns.length; index++) {
    const next = columns[index + 1] ?? [];
    const rank = new Map(next.map((node, position) => [node, position + 1]));
    const tree = new Int32Array(next.length + 1);
    let seen = 0;
    for (const node of columns[index] ?? []) {
      const targets: number[] = [];
      for (let slot = at(bent.after.offsets, node); slot < at(bent.after.offsets, node + 1); slot++) {
        targets.push(rank.get(at(bent.after.targets, slot)) ?? 0);
      }
      for (const target of targets) {
        let smaller = 0;
        for (let cell = target; cell > 0; cell -= cell & -cell) smaller += at(tree, cell);
        crossings += seen - smaller;
      }
      for (const target of targets) {
        for (let cell = target; cell > 0 && cell < tree.length; cell += cell & -cell) add(tree, cell, 1);
      }
      seen += targets.length;
    }
  }
  return crossings;
}

/** Heights of centres: each column as near as it can be to what its neighbours want, without overlap. */
function placeHeights(bent: Bent, columns: readonly number[][], input: LayoutInput): Float64Array {
  const centre = new Float64Array(bent.count);
  for (const column of columns) {
    let y = 0;
    for (let index = 0; index < column.length; index++) {
      if (index > 0) y += separation(bent, column[index - 1] ?? 0, column[index] ?? 0);
      centre[column[index] ?? 0] = y;
    }
    const shift = y / 2;
    for (const node of column) centre[node] = at(centre, node) - shift;
  }
  if (hasPrevious(input) && input.previousY !== undefined) {
    const kept = input.previousY;
    const wanted = inheritedHeights(bent, kept);
    for (const column of columns)
      settle(bent, column, centre, (node) => [at(wanted, node), isKept(node, kept) ? 1_000 : 1]);
    return centre;
  }
  for (let sweep = 0; sweep < HEIGHT_SWEEPS; sweep++) {
    const forwards = sweep % 2 === 0;
    for (let step = 0; step < columns.length; step++) {
      const column = columns[forwards ? step : columns.length - 1 - step] ?? [];
      settle(bent, column, centre, (node) => wantedHeight(bent, node, centre, forwards ? [bent.before] : [bent.after]));
    }
  }
  // A last look both ways balances what the final one-sided sweep pulled over.
  for (let sweep = 0; sweep < 2; sweep++) {
    for (const column of columns) {
      settle(bent, column, centre, (node) => wantedHeight(bent, node, centre, [bent.before, bent.after]));
    }
  }
  return centre;
}

const isKept = (node: number, previousY: Float64Array): boolean =>
  node < previousY.length && !Number.isNaN(at(previousY, node));

/** Median of the neighbours' heights, and how much it matters: a bend pulls hard, so that long edges run straight. */
function wantedHeight(bent: Bent, node: number, centre: Float64Array, sides: readonly Rows[]): [number, number] {
  const heights: number[] = [];
  for (const rows of sides) {
    for (let slot = at(rows.offsets, node); slot < at(rows.offsets, node + 1); slot++) {
      heights.push(at(centre, at(rows.targets, slot)));
    }
  }
  if (heights.length === 0) return [at(centre, node), 0.1];
  heights.sort((a, b) => a - b);
  const middle = heights.length >> 1;
  const median =
    heights.length % 2 === 1 ? (heights[middle] ?? 0) : ((heights[middle - 1] ?? 0) + (heights[middle] ?? 0)) / 2;
  return [median, node >= bent.tasks ? 4 : 1];
}

const separation = (bent: Bent, above: number, below: number): number => {
  const cards = (above < bent.tasks ? 1 : 0) + (below < bent.tasks ? 1 : 0);
  if (cards === 2) return CARD_HEIGHT + GAP_CARDS;
  if (cards === 1) return CARD_HEIGHT / 2 + GAP_CARD_BEND;
  return GAP_BENDS;
};

/** Weighted isotonic regression (pool adjacent violators) of one column, order and separation kept. */
function settle(
  bent: Bent,
  column: readonly number[],
  centre: Float64Array,
  wanted: (node: number) => readonly [number, number],
): void {
  const offset = new Float64Array(column.length);
  const blocks: { sum: number; weight: number; size: number }[] = [];
  for (let index = 0; index < column.length; index++) {
    const node = column[index] ?? 0;
    if (index > 0) offset[index] = at(offset, index - 1) + separation(bent, column[index - 1] ?? 0, node);
    const [height, weight] = wanted(node);
    let block = { sum: (height - at(offset, index)) * weight, weight, size: 1 };
    for (
      let last = blocks.at(-1);
      last !== undefined && last.sum / last.weight > block.sum / block.weight;
      last = blocks.at(-1)
    ) {
      blocks.pop();
      block = { sum: last.sum + block.sum, weight: last.weight + block.weight, size: last.size + block.size };
    }
    blocks.push(block);
  }
  let index = 0;
  for (const block of blocks) {
    for (let member = 0; member < block.size; member++, index++) {
      centre[column[index] ?? 0] = block.sum / block.weight + at(offset, index);
    }
  }
}

/** Left ends of the columns; the gap before a column grows with the edges that turn in it. */
function placeColumns(bent: Bent, columns: readonly number[][]): Float64Array {
  const columnX = new Float64Array(columns.length);
  for (let index = 1; index < columns.length; index++) {
    let edges = 0;
    for (const node of columns[index] ?? []) edges += at(bent.before.offsets, node + 1) - at(bent.before.offsets, node);
    const gap = Math.min(COLUMN_GAP_MAX, COLUMN_GAP + Math.max(0, edges - 6) * 2);
    columnX[index] = at(columnX, index - 1) + CARD_WIDTH + gap;
  }
  return columnX;
}

interface Drawn {
  readonly graph: Graph;
  readonly layer: Int32Array;
  readonly bent: Bent;
  readonly centre: Float64Array;
  readonly columnX: Float64Array;
  readonly input: LayoutInput;
}

function readResult({ graph, layer, bent, centre, columnX, input }: Drawn): LayoutResult {
  const kept = hasPrevious(input);
  let top = Number.POSITIVE_INFINITY;
  for (let task = 0; task < graph.count; task++) top = Math.min(top, at(centre, task) - CARD_HEIGHT / 2);
  // What survived must not move because something new reached higher.
  const shift = kept || graph.count === 0 ? 0 : -top;
  const origin = kept ? inheritedOrigin(layer, columnX, input) : 0;
  const x = new Float64Array(graph.count);
  const y = new Float64Array(graph.count);
  for (let task = 0; task < graph.count; task++) {
    x[task] = at(columnX, at(layer, task)) + origin;
    y[task] = Math.round(at(centre, task) - CARD_HEIGHT / 2 + shift);
  }
  const routeOffsets = new Int32Array(graph.from.length + 1);
  const routes: number[] = [];
  for (let edge = 0; edge < graph.from.length; edge++) {
    const bends: number[] = [];
    for (let bend = at(bent.lastBend, edge); bend >= bent.tasks; bend = at(bent.parent, bend)) bends.push(bend);
    for (const bend of bends.reverse()) {
      routes.push(at(columnX, at(bent.layer, bend)) + origin, Math.round(at(centre, bend) + shift));
    }
    routeOffsets[edge + 1] = routes.length / 2;
  }
  return {
    x,
    y,
    layer,
    routeOffsets,
    routes: Float64Array.from(routes),
    width: extent(x, CARD_WIDTH),
    height: extent(y, CARD_HEIGHT),
  };
}

/** How far right of its own zero this component stood: what most of the survivors say. */
function inheritedOrigin(layer: Int32Array, columnX: Float64Array, { previousX }: LayoutInput): number {
  const votes = new Map<number, number>();
  previousX?.forEach((earlier, task) => {
    if (Number.isNaN(earlier)) return;
    const origin = earlier - at(columnX, at(layer, task));
    votes.set(origin, (votes.get(origin) ?? 0) + 1);
  });
  let [origin, most] = [0, 0];
  for (const [candidate, count] of votes) if (count > most) [origin, most] = [candidate, count];
  return origin;
}

/** Edges and tasks of one component, with where each stands in the whole. */
interface Component {
  readonly tasks: readonly number[];
  readonly edges: readonly number[];
}

/** Weakly connected components, by union and find; in the order of their first task. */
function componentsOf({ count, from, to }: LayoutInput): readonly Component[] {
  const root = Int32Array.from({ length: count }, (_, task) => task);
  const find = (task: number): number => {
    let top = task;
    while (at(root, top) !== top) top = at(root, top);
    for (let step = task; step !== top; ) {
      const next = at(root, step);
      root[step] = top;
      step = next;
    }
    return top;
  };
  for (let edge = 0; edge < from.length; edge++) root[find(at(from, edge))] = find(at(to, edge));
  const byRoot = new Map<number, { tasks: number[]; edges: number[] }>();
  for (let task = 0; task < count; task++) {
    const component = byRoot.get(find(task));
    if (component === undefined) byRoot.set(find(task), { tasks: [task], edges: [] });
    else component.tasks.push(task);
  }
  for (let edge = 0; edge < from.length; edge++) byRoot.get(find(at(from, edge)))?.edges.push(edge);
  return [...byRoot.values()];
}

const SHELF_GAP = 56;
const SHELF_ASPECT = 1.7;

/** Lays out each component by itself and packs them on shelves, the tallest first, into a shape like a screen. */
function packComponents(input: LayoutInput, components: readonly Component[]): LayoutResult {
  const drawn = components.map((component) => {
    const part = partOf(input, component);
    return { component, part: layoutComponent(part), isKept: hasPrevious(part) };
  });
  const area = drawn.reduce((sum, { part }) => sum + (part.width + SHELF_GAP) * (part.height + SHELF_GAP), 0);
  const shelfWidth = Math.max(Math.sqrt(area * SHELF_ASPECT), ...drawn.map(({ part }) => part.width));
  const whole = emptyResult(input);
  let [left, top, shelfHeight] = [0, 0, 0];
  // Survivors stay where they are; what is new goes on shelves below them.
  for (const { component, part, isKept } of drawn) {
    if (!isKept) continue;
    place(whole, component, part, 0, 0);
    top = Math.max(top, ...component.tasks.map((task) => at(whole.y, task) + CARD_HEIGHT + SHELF_GAP));
  }
  for (const { component, part, isKept } of [...drawn].sort((a, b) => b.part.height - a.part.height)) {
    if (isKept) continue;
    if (left > 0 && left + part.width > shelfWidth) {
      top += shelfHeight;
      [left, shelfHeight] = [0, 0];
    }
    place(whole, component, part, left, top);
    const gap = component.tasks.length === 1 ? COLUMN_GAP : SHELF_GAP;
    left += part.width + gap;
    shelfHeight = Math.max(shelfHeight, part.height + gap);
  }
  return finish(whole, input);
}

function partOf(input: LayoutInput, { tasks, edges }: Component): LayoutInput {
  const indexOf = new Map(tasks.map((task, index) => [task, index]));
  const within = (end: Int32Array) => Int32Array.from(edges, (edge) => indexOf.get(at(end, edge)) ?? 0);
  const { previousX, previousY } = input;
  return {
    count: tasks.length,
    from: within(input.from),
    to: within(input.to),
    ...(previousX === undefined ? {} : { previousX: Float64Array.from(tasks, (task) => at(previousX, task)) }),
    ...(previousY === undefined ? {} : { previousY: Float64Array.from(tasks, (task) => at(previousY, task)) }),
  };
}

interface Assembly {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly layer: Int32Array;
  /** By edge of the whole. */
  readonly routes: (readonly number[])[];
}

const emptyResult = ({ count, from }: LayoutInput): Assembly => ({
  x: new Float64Array(count),
  y: new Float64Array(count),
  layer: new Int32Array(count),
  routes: Array.from({ length: from.length }, () => []),
});

function place(whole: Assembly, { tasks, edges }: Component, part: LayoutResult, left: number, top: number): void {
  tasks.forEach((task, index) => {
    whole.x[task] = at(part.x, index) + left;
    whole.y[task] = at(part.y, index) + top;
    whole.layer[task] = at(part.layer, index);
  });
  edges.forEach((edge, index) => {
    const route: number[] = [];
    for (let point = at(part.routeOffsets, index); point < at(part.routeOffsets, index + 1); point++) {
      route.push(at(part.routes, 2 * point) + left, at(part.routes, 2 * point + 1) + top);
    }
    whole.routes[edge] = route;
  });
}

function finish({ x, y, layer, routes }: Assembly, { from }: LayoutInput): LayoutResult {
  const routeOffsets = new Int32Array(from.length + 1);
  routes.forEach((route, edge) => {
    routeOffsets[edge + 1] = at(routeOffsets, edge) + route.length / 2;
  });
  return {
    x,
    y,
    layer,
    routeOffsets,
    routes: Float64Array.from(routes.flat()),
    width: extent(x, CARD_WIDTH),
    height: extent(y, CARD_HEIGHT),
  };
}

function extent(values: Float64Array, size: number): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return values.length === 0 ? 0 : high - low + size;
}

/** Reads a typed array where the index is known to be inside. */
const at = (array: Int32Array | Float64Array, index: number): number => array[index] ?? 0;

const add = (array: Int32Array, index: number, amount: number): void => {
  array[index] = at(array, index) + amount;
};
