import type { AccessFeed } from "../runtime/access-feed";
import { ChannelListener } from "./channel-listener";

/** Written by triggers on sessions, memberships and keys. */
const ACCESS_CHANNEL = "access_changed";

export interface AccessFeedOptions {
  readonly connectionString: string;
  readonly onError: (error: unknown) => void;
}

/** Hears from the database whenever a session, a membership or a key is taken away or changed. */
export class PostgresAccessFeed implements AccessFeed {
  readonly #listeners = new Set<(personId: string | undefined) => void>();
  readonly #channel: ChannelListener;
  #starting: Promise<void> | undefined;

  constructor({ connectionString, onError }: AccessFeedOptions) {
    this.#channel = new ChannelListener({
      connectionString,
      channel: ACCESS_CHANNEL,
      onPayload: (personId) => this.#tell(personId),
      // What was said while nobody listened has been missed.
      onListening: () => this.#tell(undefined),
      onError,
    });
  }

  /** The first subscription opens the connection. */
  subscribe(listener: (personId: string | undefined) => void): () => void {
    this.#listeners.add(listener);
    this.#starting ??= this.#channel.start();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  #tell(personId: string | undefined): void {
    for (const listener of this.#listeners) listener(personId);
  }
}
