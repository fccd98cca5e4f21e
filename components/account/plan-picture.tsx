import { Icon, type IconName } from "../ui/icon";
import type { Tone } from "../ui/pill";

interface Card {
  readonly id: string;
  readonly title: string;
  readonly word: string;
  readonly tone: Tone;
  readonly icon: IconName;
  readonly x: number;
  readonly y: number;
  readonly gate?: boolean;
}

const WIDTH = 148;
const HEIGHT = 72;

const CARDS: readonly Card[] = [
  { id: "a", title: "Summarise the interviews", word: "succeeded", tone: "succeeded", icon: "check", x: 0, y: 0 },
  { id: "b", title: "Summarise the requests", word: "succeeded", tone: "succeeded", icon: "check", x: 0, y: 120 },
  { id: "c", title: "Summarise the figures", word: "succeeded", tone: "succeeded", icon: "check", x: 0, y: 240 },
  { id: "brief", title: "Write one brief", word: "succeeded", tone: "succeeded", icon: "check", x: 196, y: 60 },
  { id: "check", title: "Check the sources", word: "running", tone: "running", icon: "running", x: 196, y: 180 },
  {
    id: "publish",
    title: "Publish the brief",
    word: "awaiting approval",
    tone: "awaiting",
    icon: "hand",
    x: 392,
    y: 120,
    gate: true,
  },
];

const EDGES: readonly { readonly from: string; readonly to: string; readonly critical?: boolean }[] = [
  { from: "b", to: "brief" },
  { from: "c", to: "check" },
  { from: "b", to: "check" },
  { from: "check", to: "publish" },
  { from: "a", to: "brief", critical: true },
  { from: "brief", to: "publish", critical: true },
];

const AT = new Map(CARDS.map((card) => [card.id, card]));

function edgePath(from: string, to: string): string {
  const start = AT.get(from);
  const end = AT.get(to);
  if (start === undefined || end === undefined) return "";
  const [x1, y1, x2, y2] = [start.x + WIDTH, start.y + HEIGHT / 2, end.x - 3, end.y + HEIGHT / 2];
  return `M${x1} ${y1}C${x1 + 26} ${y1} ${x2 - 26} ${y2} ${x2} ${y2}`;
}

/** A plan in progress, drawn once by hand: what the canvas behind the form looks like. */
export const PlanPicture = () => (
  <div className="absolute inset-0 grid place-items-center">
    <div className="relative scale-110 xl:scale-125" style={{ width: 540, height: 312 }}>
      <svg className="absolute inset-0 overflow-visible" width="540" height="312" fill="none" aria-hidden="true">
        <defs>
          <marker
            id="sign-in-head"
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
            markerUnits="userSpaceOnUse"
          >
            <path d="M0 0 8 4 0 8z" fill="var(--edge)" />
          </marker>
        </defs>
        {EDGES.map((edge) => (
          <path
            key={`${edge.from}-${edge.to}`}
            d={edgePath(edge.from, edge.to)}
            stroke={edge.critical ? "var(--edge-cp)" : "var(--edge)"}
            strokeWidth={edge.critical ? 3 : 1.5}
            markerEnd={edge.critical ? undefined : "url(#sign-in-head)"}
          />
        ))}
      </svg>
      {CARDS.map((card) => (
        <div
          key={card.id}
          className={`tone-${card.tone} absolute flex flex-col justify-between rounded-control border border-hairline bg-surface p-2 pl-3 shadow-low`}
          style={{ left: card.x, top: card.y, width: WIDTH, height: HEIGHT, borderLeft: "3px solid var(--d)" }}
        >
          {card.gate ? (
            <span className="tag absolute -top-2.5 right-2" data-kind="tone">
              <Icon name="hand" small /> gate
            </span>
          ) : null}
          <span className="flex gap-1.5 text-small leading-4 font-medium">
            <span className="pt-px text-tone">
              <Icon name={card.icon} />
            </span>
            {card.title}
          </span>
          <span className="text-micro text-tone">{card.word}</span>
        </div>
      ))}
    </div>
  </div>
);
