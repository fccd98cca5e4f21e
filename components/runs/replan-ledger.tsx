import type { RunEvent } from "#kernel/run/event";
import { REPLAN_REASON_WORDS } from "#kernel/view/event-text";
import { formatClock } from "#kernel/view/format";
import { classNames } from "../ui/class-names";
import { Tag } from "../ui/pill";

type LedgerEvent = Extract<RunEvent, { type: "plan_revised" | "replan_refused" }>;

export interface ReplanLedgerProps {
  readonly events: readonly RunEvent[];
  readonly count: number;
  readonly startedAt: number;
  readonly seq: number;
  readonly limit: number | undefined;
  readonly onSelect: (seq: number) => void;
}

/** Every revision of the plan, and every one that was refused: why, set off by what, and what it changed. */
export function ReplanLedger({ events, count, startedAt, seq, limit, onSelect }: ReplanLedgerProps) {
  const entries = events
    .slice(0, count)
    .filter((event): event is LedgerEvent => event.type === "plan_revised" || event.type === "replan_refused");
  const used = entries.filter((event) => event.type === "plan_revised").length;
  const latest = entries.findLast((event) => event.seq <= seq);
  return (
    <section aria-label="Replan ledger" className="flex min-h-0 flex-1 flex-col">
      <header className="flex h-7 flex-none items-center border-b border-hairline px-3 text-micro text-fg-3">
        <h3 className="flex-1 font-medium">Replan ledger</h3>
        <span>{limit === undefined ? `${used} revisions` : `${used} of ${limit} revisions used`}</span>
      </header>
      {entries.length === 0 ? (
        <p className="p-3 text-small text-fg-3">The plan has not been revised.</p>
      ) : (
        <ul className="min-h-0 flex-1 overflow-y-auto">
          {entries.map((event) => (
            <li key={event.seq} className="border-b border-hairline">
              <button
                type="button"
                aria-current={event === latest ? "true" : undefined}
                onClick={() => onSelect(event.seq)}
                className={classNames(
                  "grid w-full gap-0.5 px-3 py-2 text-left text-small hover:bg-hover",
                  event === latest && "bg-accent-bg shadow-[inset_2px_0_var(--accent-bd)]",
                  event.seq > seq && "text-fg-3",
                )}
              >
                <Entry event={event} startedAt={startedAt} cause={events[event.triggerSeq - 1]} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Entry({
  event,
  startedAt,
  cause,
}: {
  readonly event: LedgerEvent;
  readonly startedAt: number;
  readonly cause: RunEvent | undefined;
}) {
  const revised = event.type === "plan_revised";
  const task = cause !== undefined && "taskId" in cause && cause.taskId !== undefined ? cause.taskId : undefined;
  const what =
    cause === undefined
      ? ""
      : `, ${task === undefined ? "" : `${task} `}${cause.type.replace(/^task_/, "").replaceAll("_", " ")}`;
  return (
    <>
      <span className="flex items-center gap-1.5">
        <Tag kind={revised ? "ink" : "quiet"}>{revised ? `r${event.revision}` : "–"}</Tag>
        <span className="cut flex-1 font-medium">
          {revised
            ? REPLAN_REASON_WORDS[event.reason]
            : `Refused: ${event.message.replace(/^./, (first) => first.toLowerCase())}`}
        </span>
        <span className="text-fg-2">{formatClock(event.at - startedAt, { tenths: false })}</span>
      </span>
      <span className="text-fg-2">
        Set off by event {event.triggerSeq}
        {what}.
      </span>
      {revised ? <DiffWords event={event} /> : null}
    </>
  );
}

function DiffWords({ event }: { readonly event: Extract<LedgerEvent, { type: "plan_revised" }> }) {
  const { added, removed, changed, kept } = event.diff;
  const parts = [
    { tone: "added", sign: "+", ids: added as readonly string[] },
    { tone: "removed", sign: "−", ids: removed as readonly string[] },
    { tone: "changed", sign: "Δ", ids: changed.map((each) => each.taskId as string) },
  ].filter((part) => part.ids.length > 0);
  return (
    <span className="flex flex-wrap gap-x-3 font-medium">
      {parts.map((part) => (
        <span key={part.sign} className={`tone-${part.tone} text-tone`} title={part.ids.join(", ")}>
          {part.sign} {part.ids.slice(0, 4).join(", ")}
          {part.ids.length > 4 ? ` and ${part.ids.length - 4} more` : ""}
        </span>
      ))}
      <span className="font-normal text-fg-3">{kept.length} kept</span>
    </span>
  );
}
