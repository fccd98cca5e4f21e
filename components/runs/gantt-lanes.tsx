import { formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import type { TimeAxis } from "#kernel/view/time-axis";
import type { Timeline } from "#kernel/view/timeline";
import type { TimelineLane, TimelineSegment } from "#kernel/view/timeline-lane";
import { displayStatusOf, HOLD_ENCODING, STATUS_ENCODING } from "../graph/encoding";
import { classNames } from "../ui/class-names";
import { Icon } from "../ui/icon";

export const LANE_HEIGHT = 17;
const OVERSCAN = 12;

export interface GanttLanesProps {
  readonly timeline: Timeline;
  readonly frame: Frame;
  readonly axis: TimeAxis;
  readonly playhead: number;
  readonly labelWidth: number;
  readonly selected: string | undefined;
  readonly onSelect: (taskId: string) => void;
  readonly scrollTop: number;
  readonly height: number;
}

/** The lanes in sight. A thousand tasks cost as much as a screen of them. */
export function GanttLanes(props: GanttLanesProps) {
  const { timeline, frame, axis, scrollTop, height, selected } = props;
  const first = Math.max(0, Math.floor(scrollTop / LANE_HEIGHT) - OVERSCAN);
  const last = Math.min(timeline.lanes.length, Math.ceil((scrollTop + height) / LANE_HEIGHT) + OVERSCAN);
  const visible = timeline.lanes.slice(first, last);
  const critical = new Set(frame.criticalPath);
  const waiting = new Map(frame.waiting.map((each) => [each.taskId, each]));
  const top = first * LANE_HEIGHT + 3;
  return (
    <>
      <ul className="absolute left-0" style={{ top, width: props.labelWidth }}>
        {visible.map((lane) => (
          <LaneLabel
            key={lane.taskId}
            lane={lane}
            frame={frame}
            critical={critical.has(lane.taskId)}
            hold={waiting.get(lane.taskId)?.hold?.type}
            selected={selected === lane.taskId}
            onSelect={props.onSelect}
          />
        ))}
      </ul>
      <svg
        className="absolute"
        style={{ left: props.labelWidth, top }}
        width={axis.width + 24}
        height={Math.max(0, visible.length * LANE_HEIGHT)}
        role="img"
        aria-label={`Gantt, one lane for each of ${timeline.lanes.length} tasks`}
      >
        <defs>
          <pattern id="gantt-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="5" height="5" style={{ fill: "var(--st-awaiting-approval-bg)" }} />
            <path d="M0 0V5" style={{ stroke: "var(--st-awaiting-approval-bd)" }} strokeWidth="2" />
          </pattern>
        </defs>
        {visible.map((lane, index) =>
          (first + index) % 2 === 0 || lane.taskId === selected ? (
            <rect
              key={lane.taskId}
              x={0}
              y={index * LANE_HEIGHT}
              width={axis.width + 24}
              height={LANE_HEIGHT}
              className="gantt-lane"
              style={lane.taskId === selected ? { fill: "var(--accent-bg)", opacity: 1 } : undefined}
            />
          ) : null,
        )}
        {axis.ticks.map((tick) => (
          <path key={tick.at} d={`M${tick.x} 0V${visible.length * LANE_HEIGHT}`} className="gantt-tick" />
        ))}
        {axis.folds.map((fold) => (
          <g key={fold.from}>
            <rect
              x={fold.x}
              y={0}
              width={fold.width}
              height={visible.length * LANE_HEIGHT}
              style={{ fill: "var(--sunken)" }}
            />
            <path
              d={`M${fold.x} 0V${visible.length * LANE_HEIGHT}M${fold.x + fold.width} 0V${visible.length * LANE_HEIGHT}`}
              style={{ stroke: "var(--line-strong)" }}
              strokeDasharray="2 3"
            />
          </g>
        ))}
        {visible.map((lane, index) => (
          <Lane key={lane.taskId} lane={lane} y={index * LANE_HEIGHT} {...props} />
        ))}
      </svg>
    </>
  );
}

interface LaneLabelProps {
  readonly lane: TimelineLane;
  readonly frame: Frame;
  readonly critical: boolean;
  readonly hold: Parameters<typeof displayStatusOf>[1];
  readonly selected: boolean;
  readonly onSelect: (taskId: string) => void;
}

function LaneLabel({ lane, frame, critical, hold, selected, onSelect }: LaneLabelProps) {
  const task = frame.state.tasks.get(lane.taskId);
  const known = task === undefined ? undefined : STATUS_ENCODING[displayStatusOf(task.status, hold)];
  const encoding = known ?? STATUS_ENCODING.pending;
  const icon = hold === undefined || hold === "approval" ? encoding.icon : HOLD_ENCODING[hold].icon;
  return (
    <li
      style={{ height: LANE_HEIGHT }}
      className={classNames(selected && "bg-accent-bg shadow-[inset_2px_0_var(--accent-bd)]")}
    >
      <button
        type="button"
        tabIndex={-1}
        onClick={() => onSelect(lane.taskId)}
        title={`${lane.title}: ${known === undefined ? "not in the plan yet" : encoding.word}`}
        className={classNames(
          `tone-${encoding.tone} flex h-full w-full items-center gap-1.5 px-3.5 text-left text-micro`,
          critical ? "font-medium text-fg" : task === undefined ? "text-fg-3" : "text-fg-2",
        )}
      >
        <span className="text-tone">
          <Icon name={icon} small />
        </span>
        <span
          className={classNames("cut flex-1", lane.removed && task?.removedInRevision !== undefined && "line-through")}
        >
          {lane.taskId}
        </span>
        {critical ? <span className="text-nano font-semibold text-fg-2">CP</span> : null}
      </button>
    </li>
  );
}

function Lane({
  lane,
  y,
  frame,
  axis,
  playhead,
  onSelect,
}: GanttLanesProps & { readonly lane: TimelineLane; readonly y: number }) {
  const task = frame.state.tasks.get(lane.taskId);
  const tone = STATUS_ENCODING[displayStatusOf(task?.status ?? "pending")].tone;
  const forecast = frame.state.status === "finished" ? undefined : frame.forecasts.get(lane.taskId);
  const last = lane.segments.at(-1);
  // A forecast is drawn only where the log does not know better: a replay shows what came, dashed.
  const unknown = last === undefined || last.to === undefined || last.to <= playhead;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the label beside it is the button; the bars are a larger target
    <g className={`tone-${tone}`} onClick={() => onSelect(lane.taskId)}>
      <rect x={0} y={y} width={axis.width} height={LANE_HEIGHT} fill="transparent" />
      {lane.segments.map((segment) => (
        <Segment key={`${segment.kind}${segment.from}`} segment={segment} y={y} axis={axis} playhead={playhead} />
      ))}
      {forecast !== undefined && unknown && forecast.to > playhead ? (
        <FutureBar
          from={axis.xOf(Math.max(forecast.from, playhead))}
          to={axis.xOf(forecast.to)}
          y={y}
          title="Forecast"
        />
      ) : null}
    </g>
  );
}

interface SegmentProps {
  readonly segment: TimelineSegment;
  readonly y: number;
  readonly axis: TimeAxis;
  readonly playhead: number;
}

function Segment({ segment, y, axis, playhead }: SegmentProps) {
  const end = segment.to ?? Math.max(playhead, segment.from);
  const past = Math.min(end, playhead);
  const title = segmentTitle(segment, end);
  return (
    <>
      {past > segment.from || (past === segment.from && end === segment.from) ? (
        <PastBar
          segment={segment}
          from={axis.xOf(segment.from)}
          to={axis.xOf(past)}
          y={y}
          title={title}
          ended={segment.to !== undefined && segment.to <= playhead}
        />
      ) : null}
      {end > playhead && segment.kind !== "queue" ? (
        <FutureBar from={axis.xOf(Math.max(segment.from, playhead))} to={axis.xOf(end)} y={y} title={title} />
      ) : null}
    </>
  );
}

interface BarProps {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly title: string;
}

function PastBar({
  segment,
  from,
  to,
  y,
  title,
  ended,
}: BarProps & { readonly segment: TimelineSegment; readonly ended: boolean }) {
  const width = Math.max(to - from, 0);
  switch (segment.kind) {
    case "execute": {
      const bad = ended && segment.end !== undefined && segment.end !== "ok";
      return (
        <g
          className={
            bad
              ? segment.end === "cancelled"
                ? "tone-cancelled"
                : segment.end === "unknown"
                  ? "tone-unknown"
                  : "tone-failed"
              : undefined
          }
        >
          <rect
            x={from}
            y={y + 4}
            width={Math.max(width, 1.5)}
            height={9}
            rx={Math.min(2, width / 2)}
            className="gantt-execute"
          >
            <title>{title}</title>
          </rect>
        </g>
      );
    }
    case "gate":
      return width < 1 ? null : (
        <rect
          x={from + 0.5}
          y={y + 4.5}
          width={Math.max(width - 1, 1)}
          height={8}
          rx={2}
          fill="url(#gantt-hatch)"
          className="gantt-gate"
        >
          <title>{title}</title>
        </rect>
      );
    case "backoff":
      return (
        <path d={`M${from + 1} ${y + 8.5}H${Math.max(from + 1, to - 1)}`} className="gantt-backoff">
          <title>{title}</title>
        </path>
      );
    default:
      return width < 1 ? null : (
        <g className={segment.kind === "queue" ? undefined : "tone-held"}>
          <rect x={from + 0.5} y={y + 6} width={Math.max(width - 1, 0.5)} height={5} rx={2} className="gantt-queue">
            <title>{title}</title>
          </rect>
        </g>
      );
  }
}

const FutureBar = ({ from, to, y, title }: BarProps) =>
  to - from < 1 ? null : (
    <rect x={from + 0.5} y={y + 4.5} width={to - from - 1} height={8} rx={2} className="gantt-forecast">
      <title>{title}</title>
    </rect>
  );

const KIND_WORDS: Readonly<Record<TimelineSegment["kind"], string>> = {
  execute: "ran",
  queue: "waited for room",
  lock: "waited for a lock",
  rate_limit: "waited for the rate limit",
  pause: "run paused",
  gate: "waited for a person",
  backoff: "backoff",
};

function segmentTitle(segment: TimelineSegment, end: number): string {
  const words = `${KIND_WORDS[segment.kind]} ${formatDuration(end - segment.from)}`;
  const attempt = segment.attempt === undefined ? "" : `attempt ${segment.attempt}: `;
  const outcome = segment.end === undefined || segment.end === "ok" ? "" : `, ${segment.end}`;
  const holder = segment.byTaskId === undefined ? "" : `, ${segment.resource} held by ${segment.byTaskId}`;
  return `${attempt}${words}${outcome}${holder}`;
}
