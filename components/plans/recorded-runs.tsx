import Link from "next/link";
import { RunWord } from "../graph/status";
import type { ApiOutputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { formatSeconds } from "../ui/duration";
import { Icon } from "../ui/icon";
import { RelativeTime } from "../ui/relative-time";

export type RecordedRun = ApiOutputs["runs"]["list"]["runs"][number];

/** Runs that no plan here made: recordings, to look at and to learn replaying with. */
export const RecordedRuns = ({ runs }: { readonly runs: readonly RecordedRun[] }) => (
  <section aria-labelledby="recorded-runs" className="mt-8">
    <h2 id="recorded-runs" className="mb-2 text-lead">
      Recorded runs
    </h2>
    <ul className="box divide-y divide-hairline">
      {runs.map((run) => (
        <li key={run.id} className="flex min-h-12 items-center gap-3 px-3 py-2 text-small">
          <Icon name="back" className="text-fg-3" />
          <div className="min-w-0 flex-1">
            <Link href={`/replay/${run.id}`} className="cut block text-body font-medium hover:underline">
              {run.name}
            </Link>
            <p className="cut text-fg-3">
              {run.tasks.total} tasks, {run.lastSeq} events, {formatSeconds(durationOf(run))}
            </p>
          </div>
          <RunWord display={run.status === "finished" ? (run.outcome ?? "completed") : run.status} />
          <RelativeTime at={run.finishedAt ?? run.createdAt} className="number w-20 text-fg-2 max-sm:hidden" />
          <Button asChild>
            <Link href={`/replay/${run.id}`}>
              <Icon name="play" small /> Replay
            </Link>
          </Button>
        </li>
      ))}
    </ul>
  </section>
);

const durationOf = ({ createdAt, finishedAt }: RecordedRun): number | undefined =>
  finishedAt === undefined ? undefined : (finishedAt - createdAt) / 1000;
