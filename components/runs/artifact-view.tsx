"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { Button } from "../ui/button";

export interface ArtifactViewProps {
  readonly runId: string;
  readonly outputRef: string;
}

/** Characters of a large output that one press brings. */
const SLICE = 64_000;
/** A page holds no more than this at once; all of it is a download away. */
const SHOWN_MAX = 512_000;

/** A large output, read slice by slice on demand; how much of it is shown is always said. */
export function ArtifactView({ runId, outputRef }: ArtifactViewProps) {
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const query = useInfiniteQuery(
    trpc.runs.artifact.infiniteQueryOptions(
      { runId, outputRef, limit: SLICE },
      {
        enabled: open,
        initialCursor: 0,
        getNextPageParam: (page) => page.nextOffset ?? undefined,
        staleTime: Number.POSITIVE_INFINITY,
      },
    ),
  );
  if (!open) {
    return (
      <p className="mt-2 flex flex-wrap items-center gap-2 text-small text-fg-3">
        The output is large and is kept apart.
        <Button size="small" onClick={() => setOpen(true)}>
          Show it
        </Button>
      </p>
    );
  }
  const pages = query.data?.pages ?? [];
  const [first] = pages;
  const text = pages.map((page) => page.text).join("");
  const shown = text.length;
  return (
    <div className="mt-3">
      <h3 className="mb-1.5 text-small font-semibold">Output</h3>
      {query.error === null ? null : (
        <p role="alert" className="tone-failed text-small text-tone">
          {toApiError(query.error).message}
        </p>
      )}
      {first === undefined ? (
        query.error === null && <p className="text-small text-fg-3">Loading the output…</p>
      ) : (
        <>
          <p aria-live="polite" className="mb-1.5 text-small text-fg-2">
            {formatBytes(first.bytes)} of JSON;{" "}
            {shown >= first.characters
              ? "all of it is shown."
              : `shown are the first ${shown.toLocaleString()} of ${first.characters.toLocaleString()} characters.`}
          </p>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
            tabIndex={0}
            className="max-h-96 overflow-auto rounded-control bg-sunken px-2.5 py-2 font-mono text-micro break-words whitespace-pre-wrap text-fg-2"
          >
            {text}
          </pre>
          {query.hasNextPage && shown < SHOWN_MAX ? (
            <Button size="small" className="mt-2" disabled={query.isFetching} onClick={() => query.fetchNextPage()}>
              {query.isFetching ? "Loading…" : "Show more"}
            </Button>
          ) : null}
          {query.hasNextPage && shown >= SHOWN_MAX ? (
            <p className="mt-2 text-small text-fg-3">
              The rest is too long for a page; the interface gives it slice by slice.
            </p>
          ) : null}
        </>
      )}
    </div>
  );
}

const formatBytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
