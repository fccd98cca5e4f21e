import type { RunEvent } from "#kernel/run/event";
import { type RunSpan, spansOfRun } from "./run-spans";
import { traceIdOf } from "./trace-ids";

/** Sends spans of one trace somewhere; rejects when they did not arrive. */
export interface SpanSink {
  send(traceId: string, spans: readonly RunSpan[]): Promise<void>;
  close(): Promise<void>;
}

export interface RunTracerOptions {
  readonly sink: SpanSink;
  readonly read: (runId: string) => Promise<readonly RunEvent[]>;
  readonly captureContent: boolean;
  readonly onError: (error: unknown) => void;
}

/** Finished runs that wait to be told. Beyond it the oldest are left out: a trace is not worth a worker's memory. */
const WAITING_MAX = 1_000;

/**
 * Tells a collector of each run that this worker finished, from the run's log and in the background: drivers never
 * wait for it. A trace may be missing, after a crash or while the collector is away; the log never is.
 */
export class RunTracer {
  readonly #options: RunTracerOptions;
  readonly #waiting: string[] = [];
  #telling: Promise<void> | undefined;

  constructor(options: RunTracerOptions) {
    this.#options = options;
  }

  finished(runId: string): void {
    this.#waiting.push(runId);
    if (this.#waiting.length > WAITING_MAX) {
      this.#options.onError(new Error(`The trace of run ${this.#waiting.shift()} is left out: too many wait.`));
    }
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined;
    });
  }

  /** Settles once everything was told, or could not be. */
  async close(): Promise<void> {
    await this.#telling;
    await this.#options.sink.close();
  }

  async #tell(): Promise<void> {
    const { sink, read, captureContent, onError } = this.#options;
    for (let runId = this.#waiting.shift(); runId !== undefined; runId = this.#waiting.shift()) {
      try {
        await sink.send(traceIdOf(runId), spansOfRun(await read(runId), { captureContent }));
      } catch (error) {
        onError(error);
      }
    }
  }
}
