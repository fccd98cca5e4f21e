"use client";

import { useState } from "react";
import { formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import { countBehind } from "#kernel/view/outlook";
import type { Waiting } from "#kernel/view/waiting";
import { HOLD_ENCODING, STATUS_ENCODING } from "../graph/encoding";
import { HoldChip } from "../graph/status";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Pill } from "../ui/pill";

export interface WaitsPanelProps {
  readonly frame: Frame;
  readonly selected: string | undefined;
  readonly onSelect: (taskId: string) => void;
}

/** What is read at a glance; the rest is a press away, up to what a page can hold. */
const ROWS_AT_FIRST = 6;
const ROWS_MAX = 200;

/** Each task whose turn has come and that does not move: on what, for how long, and how much stands behind it. */
export function WaitsPanel({ frame, selected, onSelect }: WaitsPanelProps) {
  const { waiting } = frame;
  const [all, setAll] = useState(false);
  const limit = all ? ROWS_MAX : ROWS_AT_FIRST;
  return (
    <section aria-labelledby="waits-heading">
      <header className="panel-header">
        <h2 id="waits-heading" className="flex-1">
          Why it waits
        </h2>
        <span className="label">{waiting.length === 0 ? "" : "free in"}</span>
      </header>
      {waiting.length === 0 ? (
        <p className="px-3 py-3 text-small text-fg-3">{emptyText(frame)}</p>
      ) : (
        <ul>
          {waiting.slice(0, limit).map((each) => (
            <li key={each.taskId} className="border-b border-hairline last:border-0">
              <button
                type="button"
                aria-pressed={selected === each.taskId}
                onClick={() => onSelect(each.taskId)}
                className="grid w-full grid-cols-[16px_minmax(0,1fr)_auto] gap-x-2 px-3 py-2 text-left text-small leading-[17px] hover:bg-hover aria-pressed:bg-accent-bg"
              >
                <WaitRow frame={frame} waiting={each} />
              </button>
            </li>
          ))}
          {waiting.length > limit ? (
            <li className="px-2 py-1">
              {all ? (
                <span className="px-1 text-small text-fg-3">and {waiting.length - limit} more</span>
              ) : (
                <Button variant="bare" size="small" onClick={() => setAll(true)}>
                  Show all {waiting.length}
                </Button>
              )}
            </li>
          ) : null}
        </ul>
      )}
    </section>
  );
}

function WaitRow({ frame, waiting }: { readonly frame: Frame; readonly waiting: Waiting }) {
  const encoding =
    waiting.hold === undefined
      ? STATUS_ENCODING[waiting.kind === "blocked" ? "blocked" : "unknown_outcome"]
      : HOLD_ENCODING[waiting.hold.type];
  const behind = countBehind(frame.state, waiting.taskId);
  return (
    <>
      <span className={`tone-${encoding.tone} mt-0.5 text-tone`}>
        <Icon name={encoding.icon} />
      </span>
      <span className="flex min-w-0 items-center gap-1.5">
        <span className="cut font-medium" title={waiting.title}>
          {waiting.taskId}
        </span>
        {waiting.hold === undefined ? (
          <Pill tone={encoding.tone}>{encoding.word}</Pill>
        ) : (
          <HoldChip hold={waiting.hold.type} />
        )}
      </span>
      <span className="text-right font-medium">
        {waiting.until === undefined ? "–" : formatDuration(Math.max(0, waiting.until - frame.at))}
      </span>
      <span />
      <span className="text-fg-2">{waiting.text}</span>
      <span className="text-right whitespace-nowrap text-fg-3" title="Tasks that wait on this one">
        {behind === 0 ? "none behind" : `${behind} behind`}
      </span>
    </>
  );
}

function emptyText(frame: Frame): string {
  if (frame.state.status === "finished") return "Nothing waits: the run has ended.";
  if (frame.state.inFlight.size > 0)
    return `Nothing waits: ${frame.state.inFlight.size} ${frame.state.inFlight.size === 1 ? "task runs" : "tasks run"}.`;
  return "No task's turn has come yet.";
}
