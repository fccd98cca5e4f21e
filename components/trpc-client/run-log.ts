"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { RunEvent } from "#kernel/run/event";
import { createHistory, type RunHistory } from "#kernel/view/history";
import { type ApiError, toApiError } from "./api-error";
import { useTRPC } from "./context";
import { useLiveStatus, useRunWatch } from "./live-events";
import type { LiveStatus } from "./live-events-store";

/** A history that says when it grew. It holds events and nothing else; where the reader looks is not its business. */
export interface RunLog {
  readonly history: RunHistory;
  /** Grows with every change; at most ten times a second, however fast events come. */
  version(): number;
  onChange(listener: () => void): () => void;
  append(events: readonly RunEvent[]): void;
}

const NOTIFY_MS = 100;

export function createRunLog(events: readonly RunEvent[]): RunLog {
  const history = createHistory(events);
  const listeners = new Set<() => void>();
  let version = 0;
  let isScheduled = false;
  const notify = () => {
    isScheduled = false;
    version++;
    for (const listener of listeners) listener();
  };
  return {
    history,
    version: () => version,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    append(added) {
      if (history.append(added) === 0 || isScheduled) return;
      isScheduled = true;
      setTimeout(notify, NOTIFY_MS);
    },
  };
}

export const useLogVersion = (log: RunLog): number => useSyncExternalStore(log.onChange, log.version, () => 0);

export type LoadedLog =
  | { readonly status: "loading" }
  | { readonly status: "failed"; readonly error: ApiError; readonly retry: () => void }
  | { readonly status: "gone" }
  | { readonly status: "loaded"; readonly log: RunLog; readonly live: LiveStatus };

/** The log of a run: what is stored, then followed live until the run has ended. */
export function useRunLog(runId: string): LoadedLog {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.runs.events.queryOptions(
      { runId },
      // The stream keeps the log fresh; loading it again would throw away the keyframes.
      { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnReconnect: false },
    ),
  );
  const log = useMemo(() => (query.data === undefined ? undefined : createRunLog(query.data.events)), [query.data]);
  const [goneId, setGoneId] = useState<string>();
  const live = useLiveStatus();
  useRunWatch(
    log === undefined || log.history.tip.status === "finished"
      ? undefined
      : {
          runId,
          afterSeq: log.history.events.length,
          onEvents: log.append,
          onGone: () => setGoneId(runId),
        },
  );
  useEffect(() => {
    if (query.error === null) return;
    // Asked again when the network comes back, since refetching on reconnect is off above.
    const again = () => void query.refetch();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [query.error, query.refetch]);
  if (goneId === runId) return { status: "gone" };
  if (log !== undefined) return { status: "loaded", log, live };
  if (query.error === null) return { status: "loading" };
  const error = toApiError(query.error);
  if (error.code === "not_found") return { status: "gone" };
  return { status: "failed", error, retry: () => void query.refetch() };
}
