"use client";

import { type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { formatClock, formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import { buildTimeAxis, type Fold, type TimeAxis } from "#kernel/view/time-axis";
import type { Timeline } from "#kernel/view/timeline";
import { DensityStrip } from "./density-strip";
import { GanttLanes, LANE_HEIGHT } from "./gantt-lanes";
import { useSize } from "./use-size";

export interface GanttProps {
  readonly timeline: Timeline;
  readonly frame: Frame;
  /** Times of all events, in order of `seq`. */
  readonly eventTimes: readonly number[];
  readonly folds: readonly Fold[];
  /** Where the playhead stands, epoch milliseconds. */
  readonly playhead: number;
  readonly playheadLabel: string;
  readonly selected: string | undefined;
  /** The lane to keep in sight: of the selected task, else of the last event. */
  readonly focusTaskId: string | undefined;
  readonly onSelect: (taskId: string) => void;
  readonly onScrub: (at: number) => void;
  readonly onRevision: (seq: number) => void;
}

const LABEL_WIDTH = 168;
const LABEL_WIDTH_NARROW = 104;
const MARGIN_RIGHT = 24;
const HEADER_HEIGHT = 48;
/** Labels on lines that are nearer than this would cover each other. */
const LABELS_APART = 110;

/** One lane for each task over one axis of time; the strip above it scrubs. */
export function Gantt(props: GanttProps) {
  const { timeline, frame, folds, playhead } = props;
  const [outerRef, size] = useSize();
  const [scrollTop, setScrollTop] = useState(0);
  const lanes = useRef<HTMLElement>(null);
  const focusLane = timeline.lanes.findIndex((lane) => lane.taskId === props.focusTaskId);
  useEffect(() => {
    const element = lanes.current;
    if (element === null || focusLane === -1) return;
    const top = focusLane * LANE_HEIGHT;
    const inSight = top >= element.scrollTop && top + 2 * LANE_HEIGHT <= element.scrollTop + element.clientHeight;
    if (!inSight) element.scrollTop = top - element.clientHeight / 2;
  }, [focusLane]);
  const labelWidth = size.width < 600 ? LABEL_WIDTH_NARROW : LABEL_WIDTH;
  const width = Math.max(120, size.width - labelWidth - MARGIN_RIGHT);
  const end = axisEnd(timeline, frame);
  const axis = useMemo(
    () => buildTimeAxis({ from: timeline.from, to: end }, width, folds),
    [timeline.from, end, width, folds],
  );
  const bodyHeight = Math.max(0, size.height - HEADER_HEIGHT);
  const boundX = axis.xOf(frame.startedAt + frame.lowerBoundMs);
  const playX = axis.xOf(playhead);
  return (
    <div ref={outerRef} className="relative min-h-0 flex-1 overflow-hidden">
      <Scrubber {...props} axis={axis} height={HEADER_HEIGHT} labelWidth={labelWidth} />
      <section
        ref={lanes}
        className="absolute inset-x-0 bottom-0 overflow-y-auto"
        style={{ top: HEADER_HEIGHT }}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
        tabIndex={0}
        aria-label="Lanes"
      >
        <div className="relative" style={{ height: Math.max(timeline.lanes.length * LANE_HEIGHT + 6, bodyHeight) }}>
          <GanttLanes
            timeline={timeline}
            frame={frame}
            axis={axis}
            playhead={playhead}
            labelWidth={labelWidth}
            selected={props.selected}
            onSelect={props.onSelect}
            scrollTop={scrollTop}
            height={bodyHeight}
          />
        </div>
      </section>
      <svg
        className="pointer-events-none absolute inset-y-0"
        style={{ left: labelWidth }}
        width={width + MARGIN_RIGHT}
        height={size.height}
        aria-hidden="true"
      >
        {timeline.revisions.map((revision) => (
          <RuleLabel
            key={revision.seq}
            x={axis.xOf(revision.at)}
            height={size.height}
            label={`r${revision.revision}`}
            className="gantt-replan"
          />
        ))}
        <RuleLabel
          x={boundX}
          height={size.height}
          label={`bound ${formatDuration(frame.lowerBoundMs)}`}
          className="gantt-replan"
          end={width}
          dashed
          // Below the label of the moment, where the two would lie on each other.
          labelTop={Math.abs(boundX - playX) < LABELS_APART ? 17 : 0}
        />
        <path d={`M${playX} 4V${size.height}`} className="gantt-playhead" />
        <PlayheadLabel x={playX} label={props.playheadLabel} width={width} />
      </svg>
    </div>
  );
}

/** The last thing worth showing: the end of the run, or where the forecast and the bound lie. */
function axisEnd(timeline: Timeline, frame: Frame): number {
  if (timeline.finished) return timeline.to + (timeline.to - timeline.from) * 0.01;
  const forecast = frame.startedAt + Math.max(frame.forecastMs, frame.lowerBoundMs);
  const end = Math.max(timeline.to, frame.at, forecast);
  return end + (end - timeline.from) * 0.04;
}

interface RuleLabelProps {
  readonly x: number;
  readonly height: number;
  readonly label: string;
  readonly className: string;
  readonly top?: number;
  readonly end?: number;
  readonly dashed?: boolean;
  /** Where the label stands on its line. */
  readonly labelTop?: number;
}

function RuleLabel({ x, height, label, className, top = 0, end, dashed, labelTop = top }: RuleLabelProps) {
  const width = label.length * 6 + 8;
  const left =
    end !== undefined && x + width / 2 > end ? x - width : dashed ? Math.max(0, x - width / 2) : Math.max(0, x - width);
  return (
    <>
      <path d={`M${x} ${top}V${height}`} className={className} strokeDasharray={dashed ? "4 3" : undefined} />
      <rect x={left} y={labelTop} width={width} height={14} rx={3} style={{ fill: "var(--ink)" }} />
      <text x={left + width / 2} y={labelTop + 10.5} textAnchor="middle" className="gantt-tag">
        {label}
      </text>
    </>
  );
}

function PlayheadLabel({ x, label, width }: { readonly x: number; readonly label: string; readonly width: number }) {
  const labelWidth = label.length * 6.2 + 8;
  const left = Math.max(-4, Math.min(width - labelWidth + 20, x - labelWidth / 2));
  return (
    <>
      <rect x={left} y={1} width={labelWidth} height={15} rx={3} style={{ fill: "var(--accent-fg)" }} />
      <text x={left + labelWidth / 2} y={12} textAnchor="middle" className="gantt-tag gantt-tag-play">
        {label}
      </text>
    </>
  );
}

interface ScrubberProps extends GanttProps {
  readonly axis: TimeAxis;
  readonly height: number;
  readonly labelWidth: number;
}

/** The strip of event density. Dragging it moves the moment; arrow keys are the screen's own. */
function Scrubber({
  axis,
  eventTimes,
  timeline,
  frame,
  playhead,
  onScrub,
  onRevision,
  height,
  labelWidth,
}: ScrubberProps) {
  const scrub = (event: PointerEvent<HTMLElement>) => {
    const left = event.currentTarget.getBoundingClientRect().left;
    onScrub(axis.timeAt(Math.max(0, Math.min(axis.width, event.clientX - left))));
  };
  return (
    <div className="absolute inset-x-0 top-0 border-b border-hairline" style={{ height }}>
      <span className="absolute top-1.5 left-3.5 text-micro text-fg-3">{eventTimes.length} events</span>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Moment"
        aria-valuemin={0}
        aria-valuemax={eventTimes.length}
        aria-valuenow={frame.seq}
        aria-valuetext={`${formatClock(playhead - frame.startedAt)} of ${formatDuration(timeline.to - timeline.from)}, event ${frame.seq}`}
        className="absolute inset-y-0 cursor-ew-resize touch-none"
        style={{ left: labelWidth, width: axis.width }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          scrub(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) scrub(event);
        }}
      >
        <DensityStrip axis={axis} eventTimes={eventTimes} marks={timeline.marks} playhead={playhead} />
      </div>
      {timeline.revisions.map((revision) => (
        <button
          key={revision.seq}
          type="button"
          className="absolute top-0 h-4 w-6"
          style={{ left: labelWidth + Math.max(0, axis.xOf(revision.at) - 24) }}
          title={`To revision r${revision.revision}`}
          aria-label={`To revision r${revision.revision}`}
          onClick={() => onRevision(revision.seq)}
        />
      ))}
    </div>
  );
}
