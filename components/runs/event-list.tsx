"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { RunEvent } from "#kernel/run/event";
import { describeEvent } from "#kernel/view/event-text";
import { formatClock } from "#kernel/view/format";
import { IconButton } from "../ui/button";
import { classNames } from "../ui/class-names";
import { EmptyState } from "../ui/empty-state";
import { Icon } from "../ui/icon";
import { EVENT_ICONS, toneOfEvent } from "./event-icon";

export interface EventListProps {
  readonly events: readonly RunEvent[];
  /** Number of events, given apart since the list is appended to in place. */
  readonly count: number;
  /** The last event that has happened. */
  readonly seq: number;
  readonly startedAt: number;
  readonly playheadLabel: string;
  readonly selectedSeq: number | undefined;
  readonly selectedTaskId: string | undefined;
  readonly gateTask: (gateId: string) => string | undefined;
  readonly onSelect: (seq: number) => void;
}

const ROW_HEIGHT = 23;
const TEN_MINUTES_MS = 600_000;
/** Rows kept in sight after the playhead, so that what comes next can be read. */
const ROWS_AHEAD = 4;

/** Every event in words; the line between past and future is the playhead. Only the rows in sight exist. */
export function EventList(props: EventListProps) {
  const { events, count, seq, gateTask } = props;
  const [search, setSearch] = useState<string>();
  const scrollRef = useRef<HTMLElement>(null);
  const shown = useMemo(() => {
    const all = Array.from({ length: count }, (_, index) => index);
    const words = search?.trim().toLowerCase();
    if (words === undefined || words === "") return all;
    return all.filter((index) => {
      const event = events[index] as RunEvent;
      return `${describeEvent(event, gateTask).text} ${event.type}`.toLowerCase().includes(words);
    });
  }, [events, count, search, gateTask]);
  const lastAt = events[count - 1]?.at ?? props.startedAt;
  const timeWidth = lastAt - props.startedAt < TEN_MINUTES_MS ? 38 : 46;
  /** Rows that have happened; the playline stands after them. */
  const passed = useMemo(() => lowerBound(shown, seq), [shown, seq]);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  useEffect(() => {
    // The playhead moved, by keys or by playing: keep it in sight.
    if (passed > 0) rows.scrollToIndex(Math.min(passed + ROWS_AHEAD, shown.length - 1), { align: "auto" });
  }, [passed, rows, shown.length]);
  return (
    <section aria-labelledby="events-heading" className="flex min-h-0 flex-1 flex-col">
      <header className="panel-header">
        <h2 id="events-heading" className="flex-1">
          Events
        </h2>
        <span className="text-micro text-fg-3">
          {seq} of {count}
        </span>
        <IconButton
          icon="search"
          size="small"
          label="Search events"
          aria-pressed={search !== undefined}
          onClick={() => setSearch(search === undefined ? "" : undefined)}
        />
      </header>
      {search === undefined ? null : (
        <div className="border-b border-hairline p-2">
          <label className="input" data-quiet="true">
            <Icon name="search" className="text-fg-3" />
            <input
              // biome-ignore lint/a11y/noAutofocus: the field appears because its button was pressed
              autoFocus
              type="search"
              value={search}
              aria-label="Search events"
              placeholder="Task, word or type"
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") setSearch(undefined);
              }}
            />
          </label>
        </div>
      )}
      {shown.length === 0 ? (
        <EmptyState title={count === 0 ? "No events yet" : "No event matches"}>
          {count === 0 ? "They appear here as they happen." : "Try a task's id or a word such as failed."}
        </EmptyState>
      ) : (
        <section
          ref={scrollRef}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
          tabIndex={0}
          aria-label="Event list"
          className="min-h-0 flex-1 overflow-y-auto py-1"
        >
          <div className="relative" style={{ height: rows.getTotalSize() + 6 }}>
            {rows.getVirtualItems().map((item) => {
              const event = events[shown[item.index] as number] as RunEvent;
              return (
                <EventRow
                  key={event.seq}
                  event={event}
                  top={item.start + (item.index >= passed ? 6 : 0)}
                  future={event.seq > seq}
                  timeWidth={timeWidth}
                  {...props}
                />
              );
            })}
            <div
              aria-hidden="true"
              className="absolute inset-x-0 z-10 border-t-2 border-accent-bd"
              style={{ top: passed * ROW_HEIGHT + 2 }}
            >
              <span
                className="absolute -top-[9px] right-3 rounded-tag px-1.5 text-nano font-semibold"
                style={{ background: "var(--accent-fg)", color: "var(--surface)" }}
              >
                {props.playheadLabel}
              </span>
            </div>
          </div>
        </section>
      )}
    </section>
  );
}

interface EventRowProps extends EventListProps {
  readonly event: RunEvent;
  readonly top: number;
  readonly future: boolean;
  readonly timeWidth: number;
}

function EventRow({
  event,
  top,
  future,
  timeWidth,
  startedAt,
  selectedSeq,
  selectedTaskId,
  gateTask,
  onSelect,
}: EventRowProps) {
  const { text, icon, tone, taskId, strong } = describeEvent(event, gateTask);
  const current = selectedSeq === event.seq;
  const related = selectedSeq === undefined && selectedTaskId !== undefined && taskId === selectedTaskId;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-current={current ? "true" : undefined}
      onClick={() => onSelect(event.seq)}
      title={`${text}\n${new Date(event.at).toLocaleString()}`}
      style={{ top, height: ROW_HEIGHT, gridTemplateColumns: `${timeWidth}px 12px minmax(0, 1fr) auto` }}
      className={classNames(
        "absolute inset-x-0 grid items-center gap-1.5 px-2.5 text-left text-small hover:bg-hover",
        current && "bg-accent-bg shadow-[inset_2px_0_var(--accent-bd)]",
        related && "shadow-[inset_2px_0_var(--accent-bd)]",
        future && "text-fg-3",
      )}
    >
      <span className={classNames("text-right", future ? "text-fg-3" : "text-fg-2")}>
        {formatClock(event.at - startedAt)}
      </span>
      <span className={`tone-${toneOfEvent(tone)} text-tone`}>
        <Icon name={EVENT_ICONS[icon]} small />
      </span>
      <span className={classNames("cut", strong && "font-semibold")}>{text}</span>
      <span className="text-right text-fg-3">{event.seq}</span>
    </button>
  );
}

/** How many of the ascending event indexes are below `seq`, that is, have happened. */
function lowerBound(indexes: readonly number[], seq: number): number {
  let low = 0;
  let high = indexes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((indexes[middle] as number) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
