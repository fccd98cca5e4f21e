/** Days are what is kept: looking every few minutes is often enough, and one small query. */
const EVERY_MS = 5 * 60_000;
const FIRST_AFTER_MS = 15_000;
/** Between passes while there is more to do, so that runs under way are not slowed. */
const BREATH_MS = 500;

export interface RetentionOptions {
  /** Redacts a few runs; `more`: there may be others. */
  readonly redact: () => Promise<{ readonly runs: number; readonly more: boolean }>;
  readonly onRedacted: (runs: number) => void;
  readonly onError: (error: unknown) => void;
}

export interface RetentionClock {
  /** Settles once a pass under way is over. */
  stop(): Promise<void>;
}

/** Redacts runs whose time is over, in small batches, for as long as the worker lives. */
export function startRetention({ redact, onRedacted, onError }: RetentionOptions): RetentionClock {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let pass: Promise<void> = Promise.resolve();
  const later = (delayMs: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      pass = redact()
        .then(({ runs, more }) => {
          if (runs > 0) onRedacted(runs);
          later(more ? BREATH_MS : EVERY_MS);
        })
        .catch((error: unknown) => {
          onError(error);
          later(EVERY_MS);
        });
    }, delayMs);
    timer.unref();
  };
  later(FIRST_AFTER_MS);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await pass;
    },
  };
}
