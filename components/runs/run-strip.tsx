import { formatClock, formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import { classNames } from "../ui/class-names";

export interface RunStripProps {
  readonly frame: Frame;
  /** The reader looks at an earlier moment: the mark says "then" instead of "now". */
  readonly past: boolean;
}

/** How far the run is, against what it could not beat, is expected to take, and may take. */
export function RunStrip({ frame, past }: RunStripProps) {
  const { elapsedMs, lowerBoundMs, forecastMs, overBoundMs, deadlineMs, beforeDeadlineMs } = frame;
  const finished = frame.state.status === "finished";
  const late = beforeDeadlineMs !== undefined && beforeDeadlineMs < 0;
  return (
    <section aria-label="Time" className="rounded-box bg-raised px-3.5 pt-2.5 pb-1.5 shadow-float">
      <dl className="flex gap-4 max-md:grid max-md:grid-cols-3 max-md:gap-x-3 max-md:gap-y-1">
        <Figure label={finished ? "Took" : "Elapsed"} value={formatDuration(elapsedMs)} />
        <Figure
          label="Lower bound"
          value={formatDuration(lowerBoundMs)}
          title="No schedule of this plan can be shorter"
        />
        {finished ? null : (
          <Figure label="Forecast" value={formatDuration(forecastMs)} title="If every hold lifts now" />
        )}
        <Figure label="Over the bound" value={formatDuration(overBoundMs)} />
        {beforeDeadlineMs === undefined ? null : (
          <Figure
            label={late ? "Past the deadline" : "Before the deadline"}
            value={formatDuration(Math.abs(beforeDeadlineMs))}
            tone={late ? "failed" : "succeeded"}
          />
        )}
        <div className="ml-auto text-right max-md:ml-0 max-md:text-left">
          <dt className="text-micro font-medium text-fg-3">Tasks ended</dt>
          <dd className="text-title leading-5 font-semibold">
            {frame.ended} <span className="font-normal text-fg-3">of {frame.total}</span>
          </dd>
        </div>
      </dl>
      <TimeBar
        elapsed={elapsedMs}
        bound={lowerBoundMs}
        forecast={finished ? undefined : forecastMs}
        deadline={deadlineMs}
        nowLabel={finished ? "end" : past ? "then" : "now"}
      />
    </section>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly title?: string;
  readonly tone?: "failed" | "succeeded";
}

const Figure = ({ label, value, title, tone }: FigureProps) => (
  <div className="min-w-0 flex-1" title={title}>
    <dt className="cut text-micro font-medium text-fg-3">{label}</dt>
    <dd
      className={classNames("text-title leading-5 font-semibold whitespace-nowrap", tone && `tone-${tone} text-tone`)}
    >
      {value}
    </dd>
  </div>
);

interface TimeBarProps {
  readonly elapsed: number;
  readonly bound: number;
  readonly forecast: number | undefined;
  readonly deadline: number | undefined;
  readonly nowLabel: string;
}

/** Labels of marks nearer than this share of the width would overlap; the less important one is left to the figures. */
const LABEL_SHARE_MIN = 0.075;

function TimeBar({ elapsed, bound, forecast, deadline, nowLabel }: TimeBarProps) {
  const longest = Math.max(elapsed, bound, forecast ?? 0, 1);
  // A deadline far away would press everything else into a corner: beyond four times the rest it is only named.
  const near = deadline !== undefined && deadline <= longest * 4;
  const end = (near ? Math.max(longest, deadline) : longest) * 1.03;
  const at = (ms: number) => `${Math.min(100, (ms / end) * 100)}%`;
  const marks = [
    { label: nowLabel, ms: elapsed, className: "" },
    { label: "bound", ms: bound, className: "text-fg" },
    ...(near
      ? [
          {
            label: `deadline ${formatClock(deadline, { tenths: false })}`,
            ms: deadline,
            className: "tone-failed text-tone",
          },
        ]
      : []),
    ...(forecast === undefined ? [] : [{ label: "forecast", ms: forecast, className: "" }]),
  ];
  const placed = marks.filter(
    (mark, index) => !marks.slice(0, index).some((other) => Math.abs(other.ms - mark.ms) / end < LABEL_SHARE_MIN),
  );
  return (
    <div className="mt-1.5" aria-hidden="true">
      <div className="relative h-2 rounded-full bg-n-3" style={{ background: "var(--n-4)" }}>
        {forecast === undefined ? null : (
          <span
            className="absolute inset-y-0 left-0 rounded-full"
            style={{
              width: at(forecast),
              background: "repeating-linear-gradient(135deg, transparent 0 3px, var(--line-strong) 3px 4px)",
            }}
          />
        )}
        <span
          className="absolute inset-y-0 left-0 rounded-full"
          style={{ width: at(elapsed), background: "var(--text-2)" }}
        />
        <Mark at={at(bound)} colour="var(--text)" tall />
        {forecast === undefined ? null : <Mark at={at(forecast)} colour="var(--text-2)" />}
        {near ? <Mark at={at(deadline)} colour="var(--st-failed-bd)" tall /> : null}
      </div>
      <div className="relative mt-1 h-4 text-micro text-fg-3">
        <span className="absolute left-0">0:00</span>
        {placed.map((mark) => (
          <span
            key={mark.label}
            className={classNames("absolute whitespace-nowrap", mark.className)}
            style={labelPlace((mark.ms / end) * 100)}
          >
            {(mark.ms / end) * 100 < 7 ? "" : mark.label}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Centred under its mark, held inside the strip at its ends. */
const labelPlace = (percent: number) =>
  percent > 93 ? { right: 0 } : { left: `${percent}%`, transform: "translateX(-50%)" };

const Mark = ({ at, colour, tall }: { readonly at: string; readonly colour: string; readonly tall?: boolean }) => (
  <span
    className="absolute w-0.5"
    style={{ left: at, background: colour, top: tall ? -5 : -1, bottom: tall ? -5 : -5, marginLeft: -1 }}
  />
);
