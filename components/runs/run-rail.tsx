"use client";

import Link from "next/link";
import { useDeferredValue, useState } from "react";
import { formatDuration } from "#kernel/view/format";
import { RUN_ENCODING } from "../graph/encoding";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { EmptyState } from "../ui/empty-state";
import { Icon } from "../ui/icon";
import { SearchInput } from "../ui/input";
import { useNow } from "../ui/relative-time";
import { SkeletonRows } from "../ui/skeleton";
import { displayOfRun } from "./run-display";
import { RUN_FILTERS, type RunFilterId, type RunSummary, useRunList } from "./use-run-list";

const RAIL_FILTERS: ReadonlySet<RunFilterId> = new Set(["all", "running", "failed"]);

/** The runs beside the one that is open: search, filter, and the way to the next. */
export function RunRail({ runId }: { readonly runId: string }) {
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<RunFilterId>("all");
  const { runs, error, retry, hasMore, loadMore } = useRunList({ search: useDeferredValue(search.trim()), filter });
  return (
    <nav aria-label="Runs" className="flex min-h-0 flex-1 flex-col">
      <div className="grid gap-2 border-b border-hairline p-3">
        <SearchInput label="Search runs" value={search} onChange={(event) => setSearch(event.target.value)} />
        <fieldset className="flex gap-1" aria-label="Status">
          {RUN_FILTERS.filter((each) => RAIL_FILTERS.has(each.id)).map((each) => (
            <Button
              key={each.id}
              size="small"
              variant="bare"
              aria-pressed={filter === each.id}
              onClick={() => setFilter(each.id)}
            >
              {each.label}
            </Button>
          ))}
        </fieldset>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {runs === undefined && error === undefined ? <SkeletonRows rows={10} label="Loading runs" /> : null}
        {runs === undefined && error !== undefined ? (
          <div className="p-3 text-small text-fg-3">
            {error.message}{" "}
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          </div>
        ) : null}
        {runs?.length === 0 ? <EmptyState title="No run matches" /> : null}
        <ul>
          {runs?.map((run) => (
            <RailRow key={run.id} run={run} current={run.id === runId} />
          ))}
        </ul>
        {hasMore ? (
          <div className="p-2 text-center">
            <Button size="small" variant="bare" onClick={loadMore}>
              Older runs
            </Button>
          </div>
        ) : null}
      </div>
    </nav>
  );
}

function RailRow({ run, current }: { readonly run: RunSummary; readonly current: boolean }) {
  const now = useNow();
  const encoding = RUN_ENCODING[displayOfRun(run)];
  const took = (run.finishedAt ?? Math.max(now, run.createdAt)) - run.createdAt;
  return (
    <li>
      <Link
        href={`/runs/${run.id}`}
        aria-current={current ? "page" : undefined}
        className={classNames(
          `tone-${encoding.tone} grid h-11 grid-cols-[16px_minmax(0,1fr)_auto] content-center items-center gap-x-2 px-3 hover:bg-hover`,
          current && "bg-accent-bg shadow-[inset_2px_0_var(--accent-bd)]",
        )}
      >
        <span className="row-span-2 text-tone">
          <Icon name={encoding.icon} />
        </span>
        <span className="cut text-small font-medium" title={run.name}>
          {run.name}
        </span>
        <span className="row-span-2 text-right text-small text-fg-2">
          {now === 0 && run.finishedAt === undefined ? "" : formatDuration(took)}
        </span>
        <span className="cut text-micro">
          <span className="text-fg-3">
            {run.tasks.done} of {run.tasks.total}
          </span>{" "}
          <span className="font-medium text-tone" data-strike={encoding.strike}>
            {encoding.word}
          </span>
        </span>
      </Link>
    </li>
  );
}
