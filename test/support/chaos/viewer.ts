import { setTimeout as delay } from "node:timers/promises";
import { readEventStream } from "../event-stream";
import type { Member } from "./crew";

/** An event of a run as a viewer got it. */
interface SeenEvent {
  readonly runId: string;
  readonly seq: number;
  readonly type: string;
  /** When it happened, on the database's clock, and when it came, on ours; epoch ms. */
  readonly at: number;
  readonly cameAt: number;
  /** It happened while the viewer looked: what came before is not late. */
  readonly live: boolean;
}

interface View {
  readonly runIds: readonly string[];
  readonly key: string;
  /** To whom it turns, each time anew. */
  readonly web: () => Member | undefined;
  /** After how many messages this connection is cut; undefined: it is left alone. */
  readonly cutAfter: () => number | undefined;
}

interface Viewed {
  /** In the order they came, over all connections: each once, if the stream keeps its word. */
  readonly events: readonly SeenEvent[];
  /** Connections that were cut, by us or by the death of whoever was asked. */
  readonly cuts: number;
}

/** Follows runs in one stream, as a tab does, and takes it up again where it was cut, until each has finished. */
export async function viewRuns({ runIds, key, web, cutAfter }: View, timeoutMs = 300_000): Promise<Viewed> {
  const events: SeenEvent[] = [];
  const unfinished = new Set(runIds);
  let lastEventId: string | undefined;
  let cuts = 0;
  const deadline = performance.now() + timeoutMs;
  while (unfinished.size > 0) {
    if (performance.now() > deadline) throw new Error(`A viewer waited in vain for the end of ${unfinished.size} runs`);
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), deadline - performance.now());
    const live = new Set<string>();
    let left = cutAfter() ?? Number.POSITIVE_INFINITY;
    try {
      const input = { runs: runIds.map((runId) => ({ runId, afterSeq: 0 })), ...(lastEventId && { lastEventId }) };
      const response = await fetch(
        `http://127.0.0.1:${web()?.port}/api/trpc/events.stream?input=${encodeURIComponent(JSON.stringify(input))}`,
        { headers: { authorization: `Bearer ${key}` }, signal: abort.signal },
      );
      if (!response.ok || response.body === null) throw new Error(`The stream was refused: ${response.status}`);
      for await (const { id, data } of readEventStream(response.body)) {
        lastEventId = id;
        if (data.type === "run_caught_up") live.add(data.runId);
        if (data.type === "run_events") {
          const { runId } = data;
          for (const { seq, type, at } of data.events) {
            events.push({ runId, seq, type, at, cameAt: Date.now(), live: live.has(runId) });
            if (type === "run_finished") unfinished.delete(runId);
          }
        }
        left -= 1;
        if (unfinished.size === 0 || left <= 0) break;
      }
    } catch {
      // Whoever answered was killed: the next one is asked.
      await delay(20);
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
    if (unfinished.size > 0) cuts += 1;
  }
  return { events, cuts };
}

/** What a viewer did not see once and in order, of runs whose logs end at `lastSeqs`. */
export function viewFaults({ events }: Viewed, lastSeqs: ReadonlyMap<string, number>): string[] {
  const seen = new Map<string, number[]>([...lastSeqs.keys()].map((runId) => [runId, []]));
  for (const { runId, seq } of events) seen.get(runId)?.push(seq);
  return [...lastSeqs].flatMap(([runId, lastSeq]) => {
    const seqs = seen.get(runId) ?? [];
    const wrong = seqs.findIndex((seq, index) => seq !== index + 1);
    if (wrong === -1 && seqs.length === lastSeq) return [];
    return [`saw ${seqs.length} of the ${lastSeq} events of ${runId}, at ${wrong} not the one that follows`];
  });
}
