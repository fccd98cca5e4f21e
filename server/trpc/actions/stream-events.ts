import type { Services } from "../../services";
import type { StreamMessage } from "../schemas/run-event";
import { formatPosition, resumePositions } from "../stream-position";

export interface StreamRequest {
  readonly runs: readonly { readonly runId: string; readonly afterSeq: number }[];
  readonly inbox: boolean;
  readonly lastEventId?: string | undefined;
}

/** Events a message carries at most, so that the first of a long log are on the screen before the last are read. */
const EVENTS_PER_MESSAGE_MAX = 2_000;

/** How long a reader's right to read is taken as given while nothing is heard of a change: a session may run out. */
const ACCESS_TRUSTED_MS = 10_000;

export interface StreamReader {
  readonly personId: string;
  readonly workspaceId: string;
  /** Asked again when the reader's rights may have changed. */
  readonly mayStillRead: () => Promise<boolean>;
}

/**
 * Follows several runs and the inbox in one stream.
 *
 * The listener is attached before the first read, so nothing that is appended in between is missed; notices only
 * mark a run as worth reading, and what is sent always comes from the log. Reading never owns a run: when the
 * reader goes, nothing else changes.
 */
export async function* streamEvents(
  services: Services,
  reader: StreamReader,
  request: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly [id: string, message: StreamMessage], void> {
  const positions = resumePositions(request.runs, request.lastEventId);
  const unread = new Set(positions.keys());
  const catchingUp = new Set(positions.keys());
  let inboxChanged = request.inbox && request.lastEventId !== undefined;
  let wake = () => {};
  const stop = () => wake();
  signal.addEventListener("abort", stop);
  const unsubscribe = services.feed.subscribe((notice) => {
    if (notice.workspaceId !== reader.workspaceId) return;
    if (positions.has(notice.runId)) unread.add(notice.runId);
    if (request.inbox && notice.gatesChanged) inboxChanged = true;
    wake();
  });
  // Once after the subscription: what changed just before it was not heard.
  let mustAskAgain = true;
  const askAgain = () => {
    mustAskAgain = true;
    wake();
  };
  const forget = services.access.subscribe((personId) => {
    if (personId === undefined || personId === reader.personId) askAgain();
  });
  const timer = setInterval(askAgain, ACCESS_TRUSTED_MS);
  try {
    while (!signal.aborted) {
      if (mustAskAgain) {
        mustAskAgain = false;
        if (!(await reader.mayStillRead())) return;
        if (signal.aborted) return;
      }
      for (const runId of [...unread]) {
        unread.delete(runId);
        const afterSeq = positions.get(runId) ?? 0;
        const events = await services.runs.events(reader.workspaceId, runId, afterSeq, EVENTS_PER_MESSAGE_MAX);
        if (signal.aborted) return;
        if (events === undefined) {
          positions.delete(runId);
          yield [formatPosition(positions), { type: "run_gone", runId }];
          continue;
        }
        const last = events.at(-1);
        if (last !== undefined) {
          positions.set(runId, last.seq);
          if (events.length === EVENTS_PER_MESSAGE_MAX) unread.add(runId);
          yield [formatPosition(positions), { type: "run_events", runId, events: [...events] }];
        }
        if (!unread.has(runId) && catchingUp.delete(runId)) {
          const lastSeq = positions.get(runId) ?? 0;
          yield [formatPosition(positions), { type: "run_caught_up", runId, lastSeq }];
        }
      }
      if (inboxChanged) {
        inboxChanged = false;
        yield [formatPosition(positions), { type: "inbox_changed" }];
      }
      if (unread.size > 0 || inboxChanged || mustAskAgain || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = () => {};
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener("abort", stop);
    forget();
    unsubscribe();
  }
}
