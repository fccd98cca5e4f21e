import type { RunEvent } from "#kernel/run/event";
import { REPLAN_REASON_WORDS } from "#kernel/view/event-text";
import { formatClock } from "#kernel/view/format";
import { classNames } from "../ui/class-names";
import { Tag } from "../ui/pill";

type LedgerEvent = Extract<RunEvent, { type: "plan_revised" | "replan_refused" | "plan_proposed" }>;

/** A revision that was made, refused, or waits for an approval. */
const isLedgerEvent = (event: RunEvent): event is LedgerEvent =>
  event.type === "plan_revised" ||
  event.type === "replan_refused" ||
  (event.type === "plan_proposed" && event.plan !== undefined);

export interface ReplanLedgerProps {
  readonly events: readonly RunEvent[];
  readonly count: number;
  readonly startedAt: number;
  readonly seq: number;
  readonly limit: number | undefined;
  readonly onSelect: (seq: number) => void;
}

/** Every revision of the plan, made, waiting or refused: why, set off by what, by whom, and what it changed. */
export function ReplanLedger({ events, count, startedAt, seq, limit, onSelect }: ReplanLedgerProps) {
  const entries = events.slice(0, count).filter(isLedgerEvent);
  const used = entries.filter((event) => event.type === "plan_revised").length;
  const latest = entries.findLast((event) => event.seq <= seq);
  return (
    <section aria-label="Replan ledger" className="flex min-h-0 flex-1 flex-col">
      <header className="flex h-7 flex-none items-center border-b border-hairline px-3 text-micro text-fg-3">
        <h3 className="flex-1 font-medium">Replan ledger</h3>
        <span>
          {limit === undefined
            ? `${used} ${used === 1 ? "revision" : "revisions"}`
            : `${used} of ${limit} revisions used`}
        </span>
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
                <Entry event={event} startedAt={startedAt} cause={events[(event.triggerSeq ?? 0) - 1]} />
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
  const who = event.author?.name ?? ("by" in event ? event.by : event.proposedBy);
  const kind = event.author === undefined ? "" : WHO_WORDS[event.author.kind];
  const task = cause !== undefined && "taskId" in cause && cause.taskId !== undefined ? cause.taskId : undefined;
  const what =
    cause === undefined
      ? ""
      : `, ${task === undefined ? "" : `${task} `}${cause.type.replace(/^task_/, "").replaceAll("_", " ")}`;
  return (
    <>
      <span className="flex items-center gap-1.5">
        <Tag kind={event.type === "plan_revised" ? "ink" : "quiet"}>
          {event.type === "replan_refused" ? "–" : `r${event.revision}`}
        </Tag>
        <span className="cut flex-1 font-medium" title={titleOf(event)}>
          {titleOf(event)}
        </span>
        <span className="text-fg-2">{formatClock(event.at - startedAt, { tenths: false })}</span>
      </span>
      <span className="text-fg-2">
        By {kind}
        {who}, set off by event {event.triggerSeq}
        {what}.
      </span>
      {event.type === "replan_refused" ? <Places event={event} /> : <DiffWords event={event} />}
      {event.type !== "replan_refused" && event.message !== undefined ? (
        <span className="break-words text-fg-2">{event.message}</span>
      ) : null}
    </>
  );
}

const WHO_WORDS = { person: "", rule: "a rule of the plan, the ", planner: "the planner " } as const;

function titleOf(event: LedgerEvent): string {
  if (event.type === "replan_refused") return `Refused: ${event.message.replace(/^./, (first) => first.toLowerCase())}`;
  const reason = event.reason === undefined ? "" : REPLAN_REASON_WORDS[event.reason];
  return event.type === "plan_proposed" ? `Proposed, needs approval: ${reason}` : reason;
}

/** Where a refused revision was wrong. */
function Places({ event }: { readonly event: Extract<LedgerEvent, { type: "replan_refused" }> }) {
  const problems = event.problems ?? [];
  return problems.slice(0, 3).map((problem) => (
    <span key={`${problem.pointer} ${problem.message}`} className="break-words text-fg-2">
      <span className="mono text-micro text-fg-3">{problem.pointer}</span> {problem.message}
    </span>
  ));
}

function DiffWords({ event }: { readonly event: Extract<LedgerEvent, { type: "plan_revised" | "plan_proposed" }> }) {
  if (event.diff === undefined) return null;
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
