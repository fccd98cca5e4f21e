import type { Wakeups } from "../runtime/ports";
import { ChannelListener } from "./channel-listener";
import { WAKE_CHANNEL } from "./run-news";

/** Tells the drivers of this process that somebody else appended to their runs. */
export class RunWakeups implements Wakeups {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #channel: ChannelListener;

  constructor(options: {
    readonly connectionString: string;
    readonly owner: string;
    readonly onError: (error: unknown) => void;
  }) {
    const prefix = `${options.owner}:`;
    this.#channel = new ChannelListener({
      connectionString: options.connectionString,
      channel: WAKE_CHANNEL,
      onPayload: (payload) => {
        if (payload.startsWith(prefix)) this.wake(payload.slice(prefix.length));
      },
      // A wake-up may have been missed while the connection was down, so every driver looks once.
      onListening: () => {
        for (const runId of [...this.#listeners.keys()]) this.wake(runId);
      },
      onError: options.onError,
    });
  }

  onNews(runId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(runId);
    };
  }

  start(): Promise<void> {
    return this.#channel.start();
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  /** Tells the run's driver, if it is here, to look at the log. */
  wake(runId: string): void {
    for (const listener of [...(this.#listeners.get(runId) ?? [])]) listener();
  }
}
