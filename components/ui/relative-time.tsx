"use client";

import { useSyncExternalStore } from "react";
import { formatRelative } from "./duration";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

/** One clock for every relative time on the page, ticking only while one is shown. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function readClock(): number {
  if (now === 0) now = Date.now();
  return now;
}

/** The page's clock in epoch milliseconds, once a second; 0 while the server renders. */
export const useNow = (): number => useSyncExternalStore(subscribe, readClock, () => 0);

export interface RelativeTimeProps {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly className?: string;
}

/** Relative in the text, absolute on hover. */
export function RelativeTime({ at, className }: RelativeTimeProps) {
  const clock = useNow();
  const date = new Date(at);
  return (
    <time
      dateTime={date.toISOString()}
      title={clock === 0 ? undefined : date.toLocaleString()}
      className={className}
      suppressHydrationWarning
    >
      {clock === 0 ? "" : formatRelative(at, Math.max(clock, at))}
    </time>
  );
}
