import type { FeedNotice } from "../runtime/event-feed";

/** What a transaction tells the other processes about one run. */
export type RunNews = FeedNotice;

/** Channel of {@link encodeNews}; every web process listens. */
export const NEWS_CHANNEL = "run_events";
/** Channel of `owner:runId`: somebody else appended to a run that this process drives. */
export const WAKE_CHANNEL = "run_wakeups";

/** A NOTIFY payload holds under 8,000 bytes. */
const PAYLOAD_BYTES_MAX = 7_000;

/**
 * NOTIFY payloads for a batch, nearly always one: a JSON object of workspaces, each with its runs as `id:lastSeq`,
 * and a `!` behind those whose gates changed.
 */
export function encodeNews(news: readonly RunNews[]): readonly string[] {
  const payloads: string[] = [];
  let byWorkspace = new Map<string, string[]>();
  let bytes = 0;
  const flush = (): void => {
    if (byWorkspace.size > 0) payloads.push(JSON.stringify(Object.fromEntries(byWorkspace)));
    byWorkspace = new Map();
    bytes = 0;
  };
  for (const { workspaceId, runId, lastSeq, gatesChanged } of news) {
    const text = `${runId}:${lastSeq}${gatesChanged ? "!" : ""}`;
    const runs = byWorkspace.get(workspaceId) ?? [];
    const cost = text.length + 3 + (runs.length === 0 ? workspaceId.length + 6 : 0);
    if (bytes + cost > PAYLOAD_BYTES_MAX) {
      flush();
      byWorkspace.set(workspaceId, [text]);
    } else {
      runs.push(text);
      byWorkspace.set(workspaceId, runs);
    }
    bytes += cost;
  }
  flush();
  return payloads;
}

/** The notices of a payload; none for one we did not write. */
export function decodeNews(payload: string): readonly RunNews[] {
  const parsed: unknown = parseOrUndefined(payload);
  if (typeof parsed !== "object" || parsed === null) return [];
  return Object.entries(parsed).flatMap(([workspaceId, runs]) =>
    Array.isArray(runs) ? runs.flatMap((text) => decodeRun(workspaceId, String(text))) : [],
  );
}

function decodeRun(workspaceId: string, text: string): readonly RunNews[] {
  const match = /^(.+):(\d+)(!?)$/.exec(text);
  if (match === null) return [];
  const [, runId = "", lastSeq = "", mark] = match;
  return [{ workspaceId, runId, lastSeq: Number(lastSeq), gatesChanged: mark === "!" }];
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
