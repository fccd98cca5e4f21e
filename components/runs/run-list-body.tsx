import Link from "next/link";
import { formatDuration } from "#kernel/view/format";
import { RunWord } from "../graph/status";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Icon } from "../ui/icon";
import { RelativeTime, useNow } from "../ui/relative-time";
import { SkeletonRows } from "../ui/skeleton";
import { Table, Td, Th } from "../ui/table";
import { displayOfRun } from "./run-display";
import type { RunList, RunSummary } from "./use-run-list";

export interface RunListBodyProps {
  readonly list: RunList;
  /** Where a row leads: `/runs` or `/replay`. */
  readonly base: string;
  readonly filtered: boolean;
  readonly onClear: () => void;
}

/** The list in each of its states. */
export function RunListBody({ list, base, filtered, onClear }: RunListBodyProps) {
  const { runs, error } = list;
  if (runs === undefined && error !== undefined) {
    return (
      <div className="box">
        <ErrorNotice title="The runs did not load" action={<Button onClick={list.retry}>Try again</Button>}>
          {error.message}
        </ErrorNotice>
      </div>
    );
  }
  if (runs === undefined) {
    return (
      <div className="box py-2">
        <SkeletonRows rows={10} label="Loading runs" />
      </div>
    );
  }
  if (runs.length === 0) {
    return (
      <div className="box">
        {filtered ? (
          <EmptyState icon="search" title="No run matches" action={<Button onClick={onClear}>Show all runs</Button>} />
        ) : (
          <EmptyState
            icon="play"
            title="No runs yet"
            action={
              <Button asChild>
                <Link href="/plans">Choose a plan</Link>
              </Button>
            }
          >
            Open a plan and start it; it appears here and goes on whether or not anybody looks.
          </EmptyState>
        )}
      </div>
    );
  }
  return (
    <>
      <div className="box overflow-hidden">
        <Table aria-label="Runs">
          <thead>
            <tr>
              <Th>Run</Th>
              <Th>Status</Th>
              <Th className="max-md:hidden">Tasks</Th>
              <Th numeric className="max-sm:hidden">
                Took
              </Th>
              <Th numeric className="max-lg:hidden">
                Started by
              </Th>
              <Th numeric>Started</Th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow key={run.id} run={run} base={base} />
            ))}
          </tbody>
        </Table>
      </div>
      {list.hasMore ? (
        <div className="mt-3 text-center">
          <Button onClick={list.loadMore} disabled={list.isLoadingMore}>
            {list.isLoadingMore ? "Loading…" : "Show older runs"}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function RunRow({ run, base }: { readonly run: RunSummary; readonly base: string }) {
  return (
    <tr className="relative" data-clickable="true">
      <Td className="h-11! w-full max-w-0">
        <Link
          href={`${base}/${run.id}`}
          className="cut block text-body font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-bd"
          title={run.name}
        >
          {run.name}
        </Link>
        <span className="cut block text-fg-3" title={run.outcomeReason}>
          {run.planVersion === null
            ? run.importedFrom === undefined
              ? "recorded"
              : `from ${run.importedFrom}`
            : `plan v${run.planVersion}`}
          {run.outcomeReason === undefined ? "" : ` · ${run.outcomeReason}`}
        </span>
      </Td>
      <Td>
        <RunWord display={displayOfRun(run)} />
        {run.openGates > 0 && run.status !== "finished" ? (
          <span className="tone-awaiting mt-0.5 flex items-center gap-1.5 text-tone">
            <Icon name="hand" small />
            {run.openGates === 1 ? "1 gate" : `${run.openGates} gates`}
          </span>
        ) : null}
      </Td>
      <Td className="max-md:hidden">
        <Progress tasks={run.tasks} />
      </Td>
      <Td numeric className="max-sm:hidden">
        <Took run={run} />
      </Td>
      <Td numeric className="text-fg-2 max-lg:hidden">
        {run.startedBy.name}
      </Td>
      <Td numeric className="text-fg-2">
        <RelativeTime at={run.createdAt} />
      </Td>
    </tr>
  );
}

function Progress({ tasks }: Pick<RunSummary, "tasks">) {
  const { total, done, failed } = tasks;
  const percent = (count: number) => `${total === 0 ? 0 : (count / total) * 100}%`;
  return (
    <span className="flex items-center gap-2" title={failed === 0 ? undefined : `${failed} failed`}>
      <span className="flex h-1.5 w-24 overflow-hidden rounded-full" style={{ background: "var(--n-4)" }}>
        <span style={{ width: percent(done - failed), background: "var(--st-succeeded-bd)" }} />
        <span style={{ width: percent(failed), background: "var(--st-failed-bd)" }} />
      </span>
      <span className="text-fg-2">
        {done} of {total}
      </span>
    </span>
  );
}

function Took({ run }: { readonly run: RunSummary }) {
  const now = useNow();
  if (run.finishedAt !== undefined) return <>{formatDuration(run.finishedAt - run.createdAt)}</>;
  return <span className="text-fg-3">{now === 0 ? "" : formatDuration(Math.max(0, now - run.createdAt))}</span>;
}
