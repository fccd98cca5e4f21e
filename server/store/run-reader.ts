import type { ClientBase, Pool } from "pg";
import type { RunEvent } from "#kernel/run/event";
import { Documents } from "./documents";
import { decodeEvent, type EventRow, referencesOf } from "./event-codec";
import { GroupCommit } from "./group-commit";

interface ReadRequest {
  readonly runId: string;
  readonly afterSeq: number;
}

const READ = `
SELECT request.run_id, event.run_key::text, event.seq, event.at, event.type, event.task_id, event.payload
FROM unnest($1::text[], $2::int[]) AS request(run_id, after_seq)
JOIN runs ON runs.id = request.run_id
JOIN run_events AS event ON event.run_key = runs.key AND event.seq > request.after_seq
ORDER BY event.run_key, event.seq`;

const READ_PAGE = `
SELECT event.run_key::text, event.seq, event.at, event.type, event.task_id, event.payload
FROM runs JOIN run_events AS event ON event.run_key = runs.key
WHERE runs.id = $1 AND runs.workspace_id = $2 AND event.seq > $3
ORDER BY event.seq LIMIT $4`;

/** Reads logs. Reads that arrive together share one query, so that a hundred starting drivers cost one round trip. */
export class RunReader {
  readonly #pool: Pool;
  readonly #documents = new Documents();
  readonly #queue: GroupCommit<ReadRequest, readonly RunEvent[]>;

  constructor(pool: Pool, signal: AbortSignal) {
    this.#pool = pool;
    this.#queue = new GroupCommit((requests) => this.#read(this.#pool, requests), {
      keyOf: (request) => request.runId,
      weightMax: 100,
      signal,
    });
  }

  /** Events with `seq` > `afterSeq`, in order; none for a run that does not exist. */
  read(runId: string, afterSeq = 0): Promise<readonly RunEvent[]> {
    return this.#queue.submit({ runId, afterSeq });
  }

  /** The same on a connection of the caller's, inside its transaction. */
  async readWith(client: ClientBase, runId: string, afterSeq = 0): Promise<readonly RunEvent[]> {
    const [events = []] = await this.#read(client, [{ runId, afterSeq }]);
    return events;
  }

  /** A page of a run's events for a reader of `workspaceId`; none where that workspace has no such run. */
  async readPage(page: {
    readonly workspaceId: string;
    readonly runId: string;
    readonly afterSeq: number;
    readonly limit?: number | undefined;
  }): Promise<readonly RunEvent[]> {
    const result = await this.#pool.query<EventRow>({
      name: "read_event_page",
      text: READ_PAGE,
      values: [page.runId, page.workspaceId, page.afterSeq, page.limit ?? null],
    });
    const documents = await this.#documents.read(this.#pool, result.rows.flatMap(referencesOf));
    return result.rows.map((row) => decodeEvent(row, documents));
  }

  async #read(client: ClientBase | Pool, requests: readonly ReadRequest[]): Promise<readonly (readonly RunEvent[])[]> {
    const result = await client.query<EventRow & { run_id: string }>({
      name: "read_events",
      text: READ,
      values: [requests.map((request) => request.runId), requests.map((request) => request.afterSeq)],
    });
    const documents = await this.#documents.read(client, result.rows.flatMap(referencesOf));
    const eventsOf = new Map<string, RunEvent[]>(requests.map((request) => [request.runId, []]));
    for (const row of result.rows) eventsOf.get(row.run_id)?.push(decodeEvent(row, documents));
    return requests.map((request) => eventsOf.get(request.runId) ?? []);
  }
}
