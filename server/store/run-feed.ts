import type { Pool } from "pg";
import type { EventFeed, FeedNotice } from "../runtime/event-feed";
import { ChannelListener } from "./channel-listener";
import { decodeNews, NEWS_CHANNEL } from "./run-news";

export interface RunFeedOptions {
  readonly pool: Pool;
  readonly connectionString: string;
  readonly onError: (error: unknown) => void;
}

/** Fans out what the database announces to the readers of this process. */
export class RunFeed implements EventFeed {
  readonly #options: RunFeedOptions;
  readonly #listeners = new Set<(notice: FeedNotice) => void>();
  readonly #channel: ChannelListener;
  #starting: Promise<void> | undefined;

  constructor(options: RunFeedOptions) {
    this.#options = options;
    this.#channel = new ChannelListener({
      connectionString: options.connectionString,
      channel: NEWS_CHANNEL,
      onPayload: (payload) => {
        for (const notice of decodeNews(payload)) this.#tell(notice);
      },
      onListening: () => {
        if (this.#listeners.size > 0) this.#catchUp().catch(options.onError);
      },
      onError: options.onError,
    });
  }

  /** The first subscription opens the connection; what happens until it listens is announced then. */
  subscribe(listener: (notice: FeedNotice) => void): () => void {
    this.#listeners.add(listener);
    void this.start();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Settles once listening. */
  start(): Promise<void> {
    this.#starting ??= this.#channel.start();
    return this.#starting;
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  /** What was said while the connection was down has been missed, so every run that may have moved is announced. */
  async #catchUp(): Promise<void> {
    const moved = await this.#options.pool.query<{ id: string; workspace_id: string; seq: number }>(
      "SELECT id, workspace_id, seq FROM runs WHERE finished_at IS NULL OR finished_at > now() - interval '1 hour'",
    );
    for (const run of moved.rows) {
      this.#tell({ workspaceId: run.workspace_id, runId: run.id, lastSeq: run.seq, gatesChanged: true });
    }
  }

  #tell(notice: FeedNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}
