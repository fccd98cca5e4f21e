"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useState } from "react";

/**
 * Writes one parameter of the address without a navigation, so that a link shows what its sender saw. The router is
 * not told: the screen already shows it, and hearing of it would only render everything again.
 */
export function writeParameter(name: string, value: string | undefined): void {
  const url = withParameter(name, value);
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

/** The same, and `useSearchParams` hears of it. */
export function replaceParameter(name: string, value: string | undefined): void {
  window.history.replaceState(null, "", withParameter(name, value));
}

function withParameter(name: string, value: string | undefined): URL {
  const url = new URL(window.location.href);
  if (value === undefined || value === "") url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url;
}

/** One of a few known words, first read from the address and then kept there; anything else reads as the first. */
export function useUrlChoice<Value extends string>(
  name: string,
  choices: readonly [Value, ...Value[]],
): readonly [Value, (value: Value) => void] {
  const text = useSearchParams().get(name);
  const [value, setValue] = useState(() => choices.find((choice) => choice === text) ?? choices[0]);
  const choose = useCallback(
    (next: Value) => {
      setValue(next);
      writeParameter(name, next === choices[0] ? undefined : next);
    },
    [name, choices],
  );
  return [value, choose];
}
