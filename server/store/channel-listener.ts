import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

export interface ChannelListenerOptions {
  readonly connectionString: string;
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  /** The connection is (again) listening: whatever was said while it was not has been missed. */
  readonly onListening: () => void;
  readonly onError: (error: unknown) => void;
}

/** Keep-alive: a connection that died without a word is noticed by this query. */
const PROBE_MS = 10_000;

/** Listens to one Postgres channel on a connection of its own, and connects again for as long as it takes. */
export class ChannelListener {
  readonly #options: ChannelListenerOptions;
  #client: pg.Client | undefined;
  #probe: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ChannelListenerOptions) {
    this.#options = options;
  }

  /** Settles once listening for the first time. */
  async start(): Promise<void> {
    for (let waitMs = 50; !this.#closed; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        await this.#connect();
        return;
      } catch (error) {
        this.#options.onError(error);
        await delay(waitMs);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#probe);
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const { connectionString, channel, onPayload, onListening, onError } = this.#options;
    const client = new pg.Client({ connectionString, application_name: `planwright ${channel}`, keepAlive: true });
    let ended = false;
    const restart = (error?: unknown): void => {
      if (ended) return;
      ended = true;
      clearInterval(this.#probe);
      if (error !== undefined) onError(error);
      client.end().catch(() => {});
      if (!this.#closed) void this.start();
    };
    let isListening = false;
    // From before the first byte: a break while LISTEN is under way is an event as well as a refusal, and an event that
    // nobody hears ends the process.
    client.on("error", (error) => isListening && restart(error));
    client.on("end", () => isListening && restart());
    client.on("notification", (message) => onPayload(message.payload ?? ""));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      isListening = true;
    } catch (error) {
      ended = true;
      client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    this.#probe = setInterval(() => client.query("SELECT 1").catch(restart), PROBE_MS).unref();
    if (this.#closed) await client.end();
    else onListening();
  }
}
