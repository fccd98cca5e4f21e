"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTRPCClient } from "./context";
import {
  createLiveEvents,
  type LiveEvents,
  type LiveStatus,
  type OpenStream,
  type RunWatch,
} from "./live-events-store";

const LiveEventsContext = createContext<LiveEvents | undefined>(undefined);

export function LiveEventsProvider({ children }: { readonly children: ReactNode }) {
  const client = useTRPCClient();
  const [liveEvents] = useState(() => createLiveEvents(openWith(client)));
  return <LiveEventsContext value={liveEvents}>{children}</LiveEventsContext>;
}

function openWith(client: ReturnType<typeof useTRPCClient>): OpenStream {
  return (request, handlers) => {
    const input = { runs: [...request.runs], inbox: request.inbox };
    const subscription = client.events.stream.subscribe(input, {
      onData: ({ data }) => handlers.onMessage(data),
      onError: handlers.onError,
      onConnectionStateChange: ({ state, error }) => {
        if (state === "pending") handlers.onStatus("live");
        else if (state === "connecting" && error !== null) handlers.onStatus("offline");
      },
    });
    return () => subscription.unsubscribe();
  };
}

function useLiveEvents(): LiveEvents {
  const liveEvents = useContext(LiveEventsContext);
  if (liveEvents === undefined) throw new Error("This needs an ApiProvider above it.");
  return liveEvents;
}

/**
 * Follows a run from `afterSeq` until unmounted. `undefined` follows nothing, for a log that is not loaded yet.
 * The handlers may change between renders; only `runId` and `afterSeq` at the first render of a run decide where
 * it begins.
 */
export function useRunWatch(watch: RunWatch | undefined): void {
  const liveEvents = useLiveEvents();
  const latest = useRef(watch);
  useEffect(() => {
    latest.current = watch;
  });
  const runId = watch?.runId;
  useEffect(() => {
    const start = latest.current;
    if (runId === undefined || start === undefined) return;
    return liveEvents.watchRun({
      runId,
      afterSeq: start.afterSeq,
      onEvents: (events) => latest.current?.onEvents(events),
      onCaughtUp: (lastSeq) => latest.current?.onCaughtUp?.(lastSeq),
      onGone: () => latest.current?.onGone?.(),
    });
  }, [liveEvents, runId]);
}

/** Calls `onChange` whenever a gate of the workspace opens or closes, and after every cut of the stream. */
export function useInboxWatch(onChange: () => void): void {
  const liveEvents = useLiveEvents();
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => liveEvents.watchInbox(() => latest.current()), [liveEvents]);
}

/** Whether what is on the screen is up to date. */
export function useLiveStatus(): LiveStatus {
  const liveEvents = useLiveEvents();
  return useSyncExternalStore(liveEvents.onStatusChange, liveEvents.status, () => "idle");
}
