"use client";

import { useSyncExternalStore } from "react";
import { Banner } from "../ui/banner";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

/** Says what still works: edits stay in this browser and are saved when the connection is back. */
export function OfflineBanner({ children }: { readonly children?: string }) {
  if (useOnline()) return null;
  return (
    <Banner tone="unknown" icon="cloudOff">
      {children ?? "You are offline. What you see may be out of date; it catches up by itself."}
    </Banner>
  );
}
