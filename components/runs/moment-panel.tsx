import { formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import { RunWord } from "../graph/status";

/** The figures of the moment: the same as in the strip of a live run, in the panel of a replay. */
export function MomentPanel({ frame, past }: { readonly frame: Frame; readonly past: boolean }) {
  const finished = frame.state.status === "finished";
  const ready = frame.state.ready.size;
  const rows: readonly (readonly [string, string])[] = [
    [finished ? "Took" : "Elapsed", formatDuration(frame.elapsedMs)],
    [past ? "Lower bound then" : "Lower bound", formatDuration(frame.lowerBoundMs)],
    ...(finished ? [] : ([[past ? "Forecast then" : "Forecast", formatDuration(frame.forecastMs)]] as const)),
    ["Over the bound", formatDuration(frame.overBoundMs)],
    ["Tasks ended", `${frame.ended} of ${frame.total}`],
    ["Ready, running", `${ready}, ${frame.state.inFlight.size}`],
    ["Critical path left", frame.remainingPath.length === 0 ? "nothing" : `${frame.remainingPath.length} tasks`],
  ];
  return (
    <section aria-labelledby="moment-heading">
      <header className="panel-header">
        <h2 id="moment-heading" className="flex-1">
          {past ? "At this moment" : finished ? "At the end" : "Now"}
        </h2>
        <span className="text-micro text-fg-3">event {frame.seq}</span>
      </header>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 border-b border-hairline px-3 py-2.5">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt className="text-micro text-fg-3">{label}</dt>
            <dd className="text-lead font-semibold">{value}</dd>
          </div>
        ))}
        {frame.state.outcomeReason === undefined ? null : (
          <div className="col-span-2">
            <dt className="text-micro text-fg-3">Outcome</dt>
            <dd className="text-small">{frame.state.outcomeReason}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** How a live run ended, in words; its figures stand in the strip above the graph. */
export function OutcomePanel({ frame }: { readonly frame: Frame }) {
  const { outcome, outcomeReason } = frame.state;
  if (outcome === undefined) return null;
  return (
    <section aria-labelledby="outcome-heading">
      <header className="panel-header">
        <h2 id="outcome-heading" className="flex-1">
          Outcome
        </h2>
        <RunWord display={outcome} />
      </header>
      <p className="border-b border-hairline px-3 py-2.5 text-small">{outcomeReason}</p>
    </section>
  );
}
