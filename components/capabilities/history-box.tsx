import type { ApiOutputs } from "../trpc-client/context";
import { formatSeconds } from "../ui/duration";
import { RelativeTime } from "../ui/relative-time";
import { formatShare, plainWord } from "./capability-words";

type History = NonNullable<ApiOutputs["capabilities"]["get"]["history"]>;

/** What earlier runs say: how often, how long, and what came back. */
export function HistoryBox({ history }: { readonly history: History | undefined }) {
  if (history === undefined || history.calls === 0) {
    return <p className="p-3 text-small text-fg-3">No finished run has called it yet.</p>;
  }
  return (
    <div className="p-3">
      <dl className="mb-3 grid grid-cols-4 gap-2">
        <Figure term="Calls" value={history.calls.toLocaleString("en")} />
        <Figure term="p50" value={formatSeconds(history.p50Seconds)} />
        <Figure term="p95" value={formatSeconds(history.p95Seconds)} />
        <Figure term="Failed" value={formatShare(history.failed, history.calls)} />
      </dl>
      <ul className="flex flex-col gap-1.5 text-small">
        {history.outcomes.map(({ outcome, calls }) => (
          <li key={outcome} className={outcome === "ok" ? "tone-succeeded" : "tone-failed"}>
            <div className="flex justify-between gap-2">
              <span>{outcome === "ok" ? "succeeded" : plainWord(outcome)}</span>
              <span className="text-fg-2 tabular-nums">{calls.toLocaleString("en")}</span>
            </div>
            <div className="mt-0.5 h-1 overflow-hidden rounded-full bg-sunken">
              <div
                className="h-full min-w-0.5 rounded-full bg-tone-bd"
                style={{ width: `${(100 * calls) / history.calls}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
      {history.lastAt === undefined ? null : (
        <p className="mt-3 text-micro text-fg-3">
          Last called <RelativeTime at={history.lastAt} />
        </p>
      )}
    </div>
  );
}

const Figure = ({ term, value }: { readonly term: string; readonly value: string }) => (
  <div className="min-w-0">
    <dt className="text-micro text-fg-3">{term}</dt>
    <dd className="cut text-body font-medium tabular-nums" title={value}>
      {value}
    </dd>
  </div>
);
