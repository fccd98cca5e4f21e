import Link from "next/link";
import { isTerminal } from "#kernel/run/status";
import type { GateCard } from "#kernel/view/inbox";
import { edgeEnds, edgePath } from "../graph/edge-path";
import { displayStatusOf } from "../graph/encoding";
import { CARD_HEIGHT, CARD_WIDTH } from "../graph/layered-layout";
import type { Place } from "../graph/picture";
import { TaskCard } from "../graph/task-card";
import { Button } from "../ui/button";
import "../graph/canvas.css";

const COLUMN = CARD_WIDTH + 28;
const ROW = CARD_HEIGHT + 16;
const ROWS_MAX = 4;
/** Room for edges below the cards. */
const BELOW = 14;
/** Wider pictures are drawn smaller, so that five columns stand beside the side boxes without scrolling. */
const FULL_WIDTH_MAX = 660;

/** The task and what stands two steps before and behind it, as a still picture. */
export function AroundBox({ card }: { readonly card: GateCard }) {
  const { tasks, edges, more } = card.around;
  const others = tasks.filter((task) => task.step !== 0);
  const done = others.filter((task) => isTerminal(task.status)).length;
  const { places, width, height, left, bottoms } = placesOf(card);
  return (
    <section className="box overflow-hidden" aria-labelledby="around-heading">
      <header className="flex h-9 items-center gap-2 border-b border-hairline px-3.5">
        <h2 id="around-heading" className="text-body font-semibold">
          Up to two tasks away
        </h2>
        <span className="flex-1 text-small text-fg-3">
          {done} done, {others.length - done} wait{more + left > 0 ? `, ${more + left} not shown` : ""}
        </span>
        <Button variant="bare" size="small" asChild>
          <Link href={`/runs/${card.runId}?selection=${encodeURIComponent(card.taskId ?? "")}`}>Open graph</Link>
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <section className="overflow-x-auto bg-canvas p-3" tabIndex={0} aria-label="Graph around the task">
        <div className="relative mx-auto" style={{ width, height, zoom: width > FULL_WIDTH_MAX ? 0.78 : 1 }}>
          <svg width={width} height={height} className="absolute inset-0" aria-hidden="true">
            <defs>
              <marker
                id="around-head"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                markerUnits="userSpaceOnUse"
                orient="auto"
              >
                <path d="M0 .8 7.5 4 0 7.2z" style={{ fill: "var(--edge)" }} />
              </marker>
            </defs>
            {edges.map((edge) => {
              const from = places.get(edge.from);
              const to = places.get(edge.to);
              if (from === undefined || to === undefined || from.x >= to.x) return null;
              return (
                <path
                  key={`${edge.from} ${edge.to}`}
                  d={edgePath(edgeEnds(from, to), routeAround(from, to, bottoms))}
                  markerEnd="url(#around-head)"
                  style={{ fill: "none", stroke: "var(--edge)", strokeWidth: 1.5 }}
                />
              );
            })}
          </svg>
          {tasks.map((task) => {
            const place = places.get(task.taskId);
            if (place === undefined) return null;
            return (
              <div key={task.taskId} className="absolute" style={{ left: place.x, top: place.y }}>
                <TaskCard
                  node={{
                    id: task.taskId,
                    title: task.title,
                    status: displayStatusOf(task.status),
                    footer: "status",
                    ...place,
                  }}
                  selected={task.step === 0}
                />
              </div>
            );
          })}
        </div>
      </section>
    </section>
  );
}

/** A column for each step, each centred; a long column is cut, and what is left out is counted. */
function placesOf(card: GateCard): {
  bottoms: readonly number[];
  places: ReadonlyMap<string, Place>;
  width: number;
  height: number;
  left: number;
} {
  const columns = new Map<number, string[]>();
  for (const task of card.around.tasks) columns.set(task.step, [...(columns.get(task.step) ?? []), task.taskId]);
  const steps = [...columns.keys()].sort((a, b) => a - b);
  const shown = steps.map((step) => (columns.get(step) ?? []).slice(0, ROWS_MAX));
  const rows = Math.max(1, ...shown.map((ids) => ids.length));
  const height = rows * ROW + BELOW;
  const places = new Map<string, Place>();
  const bottoms: number[] = [];
  shown.forEach((ids, column) => {
    const top = (rows * ROW - ids.length * ROW) / 2 + (ROW - CARD_HEIGHT) / 2;
    bottoms.push(top + (ids.length - 1) * ROW + CARD_HEIGHT + 10);
    for (const [row, id] of ids.entries()) places.set(id, { x: 4 + column * COLUMN, y: top + row * ROW });
  });
  return {
    places,
    width: 8 + steps.length * COLUMN - 28,
    height,
    left: card.around.tasks.length - places.size,
    bottoms,
  };
}

/** An edge that passes a column goes below its cards, never behind one. */
function routeAround(from: Place, to: Place, bottoms: readonly number[]): readonly (readonly [number, number])[] {
  const first = Math.round((from.x - 4) / COLUMN) + 1;
  const last = Math.round((to.x - 4) / COLUMN) - 1;
  const route: [number, number][] = [];
  for (let column = first; column <= last; column++) route.push([4 + column * COLUMN, bottoms[column] ?? 0]);
  return route;
}
