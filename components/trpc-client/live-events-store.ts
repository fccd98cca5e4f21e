import type { RunEvent } from "#kernel/run/event";
import type { StreamMessage } from "@/server/trpc/schemas/run-event";
import { toApiError } from "./api-error";

/** `offline`: the stream is cut and is being taken up again; what is on the screen may be behind. */
export type LiveStatus = "idle" | "connecting" | "live" | "offline";

export interface RunWatch {
  readonly runId: string;
  /** Events up to this `seq` are known already. */
  readonly afterSeq: number;
  /** In order, without gaps or repeats, from `afterSeq` + 1. */
  readonly onEvents: (events: readonly RunEvent[]) => void;
  /** Everything that was durable when the stream began has been given. */
  readonly onCaughtUp?: (lastSeq: number) => void;
  /** There is no such run for this person. */
  readonly onGone?: () => void;
}

export interface StreamHandlers {
  onMessage(message: StreamMessage): void;
  onStatus(status: LiveStatus): void;
  onError(error: unknown): void;
}

/** Opens one stream; the function closes it. */
export type OpenStream = (
  request: { readonly runs: readonly { readonly runId: string; readonly afterSeq: number }[]; readonly inbox: boolean },
  handlers: StreamHandlers,
) => () => void;

export interface LiveEvents {
  watchRun(watch: RunWatch): () => void;
  watchInbox(onChange: () => void): () => void;
  status(): LiveStatus;
  onStatusChange(listener: () => void): () => void;
}

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 10_000;

/**
 * The one stream of a tab. It holds who watches what and how far each has come; events themselves belong to the
 * watchers. Any change of the set of watchers opens the stream anew from where the slowest watcher of each run
 * stands, once per turn of the event loop.
 */
export function createLiveEvents(open: OpenStream): LiveEvents {
  const runWatches = new Map<RunWatch, { seq: number }>();
  const inboxWatches = new Set<() => void>();
  const statusListeners = new Set<() => void>();
  let status: LiveStatus = "idle";
  let close: (() => void) | undefined;
  let scheduled: ReturnType<typeof setTimeout> | undefined;
  let retryMs = RETRY_MS_MIN;

  const setStatus = (next: LiveStatus) => {
    if (status === next) return;
    status = next;
    for (const listener of statusListeners) listener();
  };

  const schedule = (delayMs: number) => {
    clearTimeout(scheduled);
    scheduled = setTimeout(reopen, delayMs);
  };

  function reopen(): void {
    close?.();
    close = undefined;
    if (runWatches.size === 0 && inboxWatches.size === 0) {
      setStatus("idle");
      return;
    }
    const positions = new Map<string, number>();
    for (const [{ runId }, { seq }] of runWatches) positions.set(runId, Math.min(seq, positions.get(runId) ?? seq));
    const runs = [...positions].map(([runId, afterSeq]) => ({ runId, afterSeq }));
    setStatus(status === "offline" ? "offline" : "connecting");
    close = open({ runs, inbox: inboxWatches.size > 0 }, { onMessage, onStatus, onError });
  }

  const onStatus = (next: LiveStatus) => {
    if (next === "live") retryMs = RETRY_MS_MIN;
    setStatus(next);
  };

  const onError = (error: unknown) => {
    close = undefined;
    setStatus("offline");
    if (toApiError(error).code === "unauthenticated") return;
    schedule(retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
  };

  function onMessage(message: StreamMessage): void {
    if (message.type === "inbox_changed") {
      for (const onChange of [...inboxWatches]) onChange();
      return;
    }
    for (const [watch, progress] of [...runWatches]) {
      if (watch.runId !== message.runId) continue;
      if (message.type === "run_gone") watch.onGone?.();
      else if (message.type === "run_caught_up") watch.onCaughtUp?.(message.lastSeq);
      else deliver(watch, progress, message.events);
    }
  }

  function deliver(watch: RunWatch, progress: { seq: number }, events: readonly RunEvent[]): void {
    const fresh = events.filter((event) => event.seq > progress.seq);
    const last = fresh.at(-1);
    if (last === undefined) return;
    if (fresh[0]?.seq !== progress.seq + 1) {
      // Something between was lost on the way: nothing is shown past a hole, and the stream is taken up before it.
      schedule(0);
      return;
    }
    progress.seq = last.seq;
    watch.onEvents(fresh);
  }

  return {
    watchRun(watch) {
      runWatches.set(watch, { seq: watch.afterSeq });
      schedule(0);
      return () => {
        runWatches.delete(watch);
        schedule(0);
      };
    },
    watchInbox(onChange) {
      inboxWatches.add(onChange);
      if (inboxWatches.size === 1) schedule(0);
      return () => {
        inboxWatches.delete(onChange);
        if (inboxWatches.size === 0) schedule(0);
      };
    },
    status: () => status,
    onStatusChange(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
  };
}
