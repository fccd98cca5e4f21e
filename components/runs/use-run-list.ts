"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { planIdSchema } from "#kernel/ids";
import type { RunOutcome } from "#kernel/run/event";
import type { RunStatus } from "#kernel/run/status";
import { type ApiError, toApiError } from "../trpc-client/api-error";
import { type ApiOutputs, useTRPC } from "../trpc-client/context";

export type RunSummary = ApiOutputs["runs"]["list"]["runs"][number];

/** What a chip above the list asks for. */
export type RunFilterId = "all" | "running" | "paused" | "completed" | "failed" | "cancelled";

export const RUN_FILTERS: readonly {
  readonly id: RunFilterId;
  readonly label: string;
  readonly status?: RunStatus;
  readonly outcome?: RunOutcome;
}[] = [
  { id: "all", label: "All" },
  { id: "running", label: "Running", status: "running" },
  { id: "paused", label: "Paused", status: "paused" },
  { id: "completed", label: "Completed", outcome: "completed" },
  { id: "failed", label: "Failed", outcome: "stop_terminal_failure" },
  { id: "cancelled", label: "Cancelled", outcome: "cancelled" },
];

export const isRunFilter = (text: string): text is RunFilterId => RUN_FILTERS.some((filter) => filter.id === text);

export interface RunQuery {
  readonly search: string;
  readonly filter: RunFilterId;
  readonly planId?: string;
}

export interface RunList {
  readonly runs: readonly RunSummary[] | undefined;
  readonly error: ApiError | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** A list is looked at, not watched: every few seconds is enough, and only while the page is in front. */
const REFETCH_MS = 4_000;
const PAGE_SIZE = 50;

export function useRunList({ search, filter, planId }: RunQuery): RunList {
  const trpc = useTRPC();
  const chosen = RUN_FILTERS.find((each) => each.id === filter);
  const plan = planIdSchema.safeParse(planId);
  const query = useInfiniteQuery(
    trpc.runs.list.infiniteQueryOptions(
      {
        limit: PAGE_SIZE,
        ...(search === "" ? {} : { search }),
        ...(chosen?.status === undefined ? {} : { status: chosen.status }),
        ...(chosen?.outcome === undefined ? {} : { outcome: chosen.outcome }),
        ...(plan.success ? { planId: plan.data } : {}),
      },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        refetchInterval: REFETCH_MS,
      },
    ),
  );
  return {
    runs: query.data?.pages.flatMap((page) => page.runs),
    error: query.error === null ? undefined : toApiError(query.error),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
