import { memo, useMemo } from "react";
import { formatClock, formatDuration } from "#kernel/view/format";
import { eventDensity, type TimeAxis } from "#kernel/view/time-axis";
import type { TimelineMark } from "#kernel/view/timeline";

const BUCKET_PX = 6;
const BARS_BOTTOM = 30;
const BAR_MAX = 16;

export interface DensityStripProps {
  readonly axis: TimeAxis;
  readonly eventTimes: readonly number[];
  readonly marks: readonly TimelineMark[];
  readonly playhead: number;
}

/** Where events are dense, where a call failed, what has passed; the clock below. */
export function DensityStrip({ axis, eventTimes, marks, playhead }: DensityStripProps) {
  return (
    <svg width={axis.width} height={48} aria-hidden="true" className="block overflow-visible">
      <rect x={0} y={0} width={axis.xOf(playhead)} height={BARS_BOTTOM} style={{ fill: "var(--accent-bg)" }} />
      <Bars axis={axis} eventTimes={eventTimes} />
      {marks
        .filter((mark) => mark.kind === "failure")
        .map((mark) => (
          <circle
            key={mark.seq}
            cx={axis.xOf(mark.at)}
            cy={BARS_BOTTOM - 2}
            r={2.5}
            style={{ fill: "var(--st-failed-bd)" }}
          />
        ))}
      {axis.folds.map((fold) => (
        <g key={fold.from}>
          <rect x={fold.x} y={0} width={fold.width} height={48} style={{ fill: "var(--sunken)" }} />
          <text x={fold.x + fold.width / 2} y={12} textAnchor="middle" className="gantt-text">
            idle
          </text>
          <text x={fold.x + fold.width / 2} y={26} textAnchor="middle" className="gantt-text">
            {formatDuration(fold.to - fold.from)}
          </text>
        </g>
      ))}
      {axis.ticks.map((tick) => (
        <text key={tick.at} x={tick.x + 4} y={44} className="gantt-text">
          {formatClock(tick.at - axis.from, { tenths: axis.to - axis.from < 10_000 })}
        </text>
      ))}
    </svg>
  );
}

const Bars = memo(function Bars({ axis, eventTimes }: Pick<DensityStripProps, "axis" | "eventTimes">) {
  const path = useMemo(() => {
    const buckets = Math.max(1, Math.floor(axis.width / BUCKET_PX));
    const counts = eventDensity(axis, eventTimes, buckets);
    const most = Math.log1p(counts.reduce((high, count) => Math.max(high, count), 1));
    let shape = "";
    for (const [bucket, count] of counts.entries()) {
      if (count === 0) continue;
      const height = Math.max(2, (Math.log1p(count) / most) * BAR_MAX);
      shape += `M${bucket * BUCKET_PX + 1} ${BARS_BOTTOM}v${-height}h${BUCKET_PX - 2}v${height}z`;
    }
    return shape;
  }, [axis, eventTimes]);
  return <path d={path} style={{ fill: "var(--n-9)" }} />;
});
