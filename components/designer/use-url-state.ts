"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

/** Writes one parameter of the address without a navigation, so that a link shows what its sender saw. */
export function replaceParameter(name: string, value: string | undefined): void {
  const url = new URL(window.location.href);
  if (value === undefined || value === "") url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  // Not the router's own state: handed back to it, the router would take the change for its own and tell nobody.
  if (url.href !== window.location.href) window.history.replaceState(null, "", url);
}

/** One of a few known words in the address; anything else there reads as the first. */
export function useUrlChoice<Value extends string>(
  name: string,
  choices: readonly [Value, ...Value[]],
): readonly [Value, (value: Value) => void] {
  const text = useSearchParams().get(name);
  const value = choices.find((choice) => choice === text) ?? choices[0];
  const set = useCallback(
    (next: Value) => replaceParameter(name, next === choices[0] ? undefined : next),
    [name, choices],
  );
  return [value, set];
}
