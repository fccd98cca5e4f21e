"use client";

import { useSyncExternalStore } from "react";
import { RelativeTime } from "../ui/relative-time";
import type { DraftSaver, SaveStatus } from "./draft-saver";

export const useSaveStatus = (saver: DraftSaver): SaveStatus =>
  useSyncExternalStore(saver.subscribe, saver.status, saver.status);

/** Beside the title: whether what is on the screen is also on the server. */
export function SaveState({ saver }: { readonly saver: DraftSaver }) {
  const status = useSaveStatus(saver);
  return (
    <span className="cut text-small text-fg-3 max-lg:hidden" role="status">
      <SaveText status={status} />
    </span>
  );
}

function SaveText({ status }: { readonly status: SaveStatus }) {
  switch (status.status) {
    case "saved":
      return status.at === undefined ? null : (
        <>
          Saved <RelativeTime at={status.at} />
        </>
      );
    case "unsaved":
      return "Not saved yet";
    case "saving":
      return "Saving";
    case "retrying":
      return (
        <span className="tone-unknown text-tone" title={status.message}>
          Not saved, trying again
        </span>
      );
    case "conflict":
      return <span className="tone-failed text-tone">Changed elsewhere</span>;
    case "refused":
      return (
        <span className="tone-failed text-tone" title={status.message}>
          Not saved
        </span>
      );
  }
}
