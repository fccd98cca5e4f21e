import { isTransient, retryTransient } from "./transient";

interface Entry<Request, Outcome> {
  readonly request: Request;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommitOptions<Request> {
  /** Weight of one request, and the weight at which a flush is full. Default: each weighs 1, full at 1,000. */
  readonly weigh?: (request: Request) => number;
  readonly weightMax?: number;
  /** Keeps apart requests that may not share a flush: the second with a key waits for the next. */
  readonly keyOf?: (request: Request) => string;
  /** Once aborted, a flush that cannot reach the database is given up instead of tried again. */
  readonly signal?: AbortSignal;
}

/**
 * Group commit: one flush at a time; what arrives while it is in flight goes into the next one. There is no timer, so
 * a lone request pays exactly one commit and a crowd shares it.
 *
 * A broken connection or a deadlock is retried until it works: nothing the database could not confirm is reported as
 * done. A flush that fails otherwise is repeated request by request, so that one bad request fails alone.
 */
export class GroupCommit<Request, Outcome> {
  readonly #flush: (requests: readonly Request[]) => Promise<readonly Outcome[]>;
  readonly #options: GroupCommitOptions<Request>;
  #waiting: Entry<Request, Outcome>[] = [];
  #running: Promise<void> | undefined;

  constructor(
    flush: (requests: readonly Request[]) => Promise<readonly Outcome[]>,
    options: GroupCommitOptions<Request> = {},
  ) {
    this.#flush = flush;
    this.#options = options;
  }

  /** Settles once the request's flush is durable. */
  submit(request: Request): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Settles once nothing waits and nothing is in flight. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // A turn of the event loop lets everybody who was woken by the last flush join this one.
      await new Promise(setImmediate);
      await this.#settle(this.#take());
    }
    this.#running = undefined;
  }

  #take(): Entry<Request, Outcome>[] {
    const { weigh, keyOf, weightMax = 1_000 } = this.#options;
    const taken: Entry<Request, Outcome>[] = [];
    const left: Entry<Request, Outcome>[] = [];
    const keys = new Set<string>();
    let weight = 0;
    for (const entry of this.#waiting) {
      const key = keyOf?.(entry.request);
      const next = weight + (weigh?.(entry.request) ?? 1);
      if ((taken.length > 0 && next > weightMax) || (key !== undefined && keys.has(key))) {
        left.push(entry);
      } else {
        taken.push(entry);
        weight = next;
      }
      if (key !== undefined) keys.add(key);
    }
    this.#waiting = left;
    return taken;
  }

  async #settle(entries: readonly Entry<Request, Outcome>[]): Promise<void> {
    try {
      const outcomes = await retryTransient(
        () => this.#flush(entries.map((entry) => entry.request)),
        this.#options.signal,
      );
      entries.forEach((entry, index) => {
        entry.resolve(outcomes[index] as Outcome);
      });
    } catch (error) {
      const [first] = entries;
      if (entries.length === 1 || isTransient(error)) {
        for (const entry of entries) entry.reject(error);
      } else if (first !== undefined) {
        for (const entry of entries) await this.#settle([entry]);
      }
    }
  }
}
