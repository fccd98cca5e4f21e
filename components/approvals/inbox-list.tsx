import Link from "next/link";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import type { ApiError } from "../trpc-client/api-error";
import type { ApiOutputs } from "../trpc-client/context";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { EmptyState } from "../ui/empty-state";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { Count } from "../ui/pill";
import { RelativeTime, useNow } from "../ui/relative-time";
import { SkeletonRows } from "../ui/skeleton";
import { deadlineText, isUrgent } from "./deadline";

/** What waits for the reader, what waits at all, what they can sign in somebody's place, what is over. */
export const INBOX_TABS = ["mine", "all", "delegated", "decided"] as const;
export type InboxTab = (typeof INBOX_TABS)[number];
export type GateSummary = ApiOutputs["gates"]["list"]["gates"][number];

export interface InboxListProps {
  readonly tab: InboxTab;
  readonly onTab: (tab: InboxTab) => void;
  readonly gates: readonly GateSummary[];
  /** How many there are under each of the tabs of open ones. */
  readonly counts: Readonly<Record<Exclude<InboxTab, "decided">, number>> | undefined;
  /** More wait for the reader than anybody reads with care. */
  readonly tooMany: boolean;
  /** How to see further ones; undefined: these are all, or all that is shown at once. */
  readonly more: { readonly isBusy: boolean; readonly onMore: () => void } | undefined;
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
  readonly onRetry: () => void;
  readonly selected: string | undefined;
  readonly onSelect: (gateId: string) => void;
}

/** Open gates by deadline, then by how much waits on each; or what has been decided. */
export function InboxList(props: InboxListProps) {
  const { tab, gates, selected } = props;
  return (
    <>
      <div className="panel-header">
        <div role="tablist" aria-label="Gates" className="-ml-2.5 flex self-stretch">
          <Tab id="mine" label="For me" {...props} />
          <Tab id="all" label="All" {...props} />
          <Tab id="delegated" label="For others" {...props} />
          <Tab id="decided" label="Decided" {...props} />
        </div>
      </div>
      <div
        role="tabpanel"
        id="inbox-panel"
        aria-labelledby={`inbox-tab-${tab}`}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        {props.tooMany && tab !== "decided" ? (
          <p className="tone-conflict flex items-start gap-2 border-b border-hairline px-3.5 py-2 text-small text-tone">
            <Icon name="warning" small className="mt-0.5" />
            <span>
              More waits for you than can be read with care. Nothing is decided in bulk: ask somebody to{" "}
              <Link href="/settings/delegation" prefetch={false} className="underline underline-offset-2">
                stand in
              </Link>
              , or for a plan with fewer gates.
            </span>
          </p>
        ) : null}
        {props.isLoading ? <SkeletonRows rows={8} label="Loading gates" /> : null}
        {props.error !== undefined && gates.length === 0 ? (
          <ErrorNotice title="The gates did not load" action={<Button onClick={props.onRetry}>Try again</Button>}>
            {props.error.message}
          </ErrorNotice>
        ) : null}
        {!props.isLoading && props.error === undefined && gates.length === 0 ? (
          <EmptyState icon="hand" title={EMPTY_WORDS[tab].title}>
            {EMPTY_WORDS[tab].text}
          </EmptyState>
        ) : null}
        <ul>
          {gates.map((gate) => (
            <li key={gate.id}>
              <InboxRow gate={gate} current={gate.id === selected} onSelect={props.onSelect} />
            </li>
          ))}
        </ul>
        {props.more === undefined ? null : (
          <div className="p-3 text-center">
            <Button size="small" disabled={props.more.isBusy} onClick={props.more.onMore}>
              {props.more.isBusy ? "Loading…" : "Show more"}
            </Button>
          </div>
        )}
      </div>
      <p className="flex items-center gap-1.5 border-t border-hairline px-3.5 py-2.5 text-micro text-fg-3 max-md:hidden">
        <Kbd>J</Kbd>
        <Kbd>K</Kbd> move <span className="w-1.5" />
        <Kbd>A</Kbd> approve <span className="w-1.5" />
        <Kbd>R</Kbd> reject <span className="w-1.5" />
        <Kbd>E</Kbd> evidence
      </p>
    </>
  );
}

/** What an empty list means, and where else to look. */
export const EMPTY_WORDS: Readonly<Record<InboxTab, { readonly title: string; readonly text: string }>> = {
  mine: {
    title: "Nothing waits for you",
    text: "When a run reaches a gate that you may sign, it appears here by itself, the most urgent first.",
  },
  all: {
    title: "Nothing waits for a signature",
    text: "When a run reaches a gate, it appears here by itself, the most urgent first.",
  },
  delegated: {
    title: "Nothing waits in anybody's place",
    text: "What you can sign for somebody who asked you to stand in appears here.",
  },
  decided: { title: "Nothing has been decided yet", text: "Decisions appear here, newest first." },
};

function Tab({ id, label, tab, onTab, counts }: InboxListProps & { readonly id: InboxTab; readonly label: string }) {
  return (
    <button
      type="button"
      role="tab"
      id={`inbox-tab-${id}`}
      aria-selected={tab === id}
      aria-controls="inbox-panel"
      className="tab"
      onClick={() => onTab(id)}
    >
      {label}
      {id === "decided" || counts === undefined || counts[id] === 0 ? null : <Count>{counts[id]}</Count>}
    </button>
  );
}

interface InboxRowProps {
  readonly gate: GateSummary;
  readonly current: boolean;
  readonly onSelect: (gateId: string) => void;
}

const STATUS_WORDS: Readonly<Record<GateSummary["status"], string>> = {
  open: "open",
  approved: "approved",
  used: "approved and used",
  rejected: "rejected",
  sent_back: "sent back",
  expired: "expired",
  superseded: "superseded",
  revoked: "taken back",
};

function InboxRow({ gate, current, onSelect }: InboxRowProps) {
  const now = useNow();
  const open = gate.status === "open";
  const effect = gate.sideEffect === undefined ? undefined : SIDE_EFFECT_ENCODING[gate.sideEffect];
  const closed = gate.status === "superseded" || gate.status === "expired";
  return (
    <button
      type="button"
      aria-current={current ? "true" : undefined}
      onClick={() => onSelect(gate.id)}
      className={classNames(
        "grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 border-b border-hairline px-3.5 py-2.5 text-left text-small leading-[18px] hover:bg-hover",
        current && "bg-accent-bg shadow-[inset_2px_0_var(--accent-bd)]",
      )}
    >
      <span className={classNames("cut text-body font-medium", closed && "text-fg-3 line-through")} title={gate.title}>
        {gate.title}
      </span>
      <span
        className={classNames(
          "text-right",
          open && now > 0 && isUrgent(gate.decideBy, now)
            ? "tone-failed font-medium text-tone"
            : open
              ? "font-medium"
              : "text-fg-3",
        )}
      >
        {open ? (
          now === 0 ? (
            ""
          ) : (
            deadlineText(gate.decideBy, now)
          )
        ) : (
          <RelativeTime at={gate.closedAt ?? gate.openedAt} />
        )}
      </span>
      <span className="cut text-fg-3" title={gate.runName}>
        {gate.runName}
        {gate.taskId === undefined ? "" : ` · ${gate.taskId}`}
      </span>
      <span className="text-right whitespace-nowrap text-fg-3">
        {open ? (gate.behind === 0 ? "none behind" : `${gate.behind} behind`) : STATUS_WORDS[gate.status]}
      </span>
      {effect === undefined || gate.question !== undefined ? (
        gate.question === undefined ? null : (
          <span className="flex items-center gap-1.5 text-fg-2">
            <Icon name="question" small /> a question
          </span>
        )
      ) : (
        <span
          className={classNames(
            "flex items-center gap-1.5",
            effect.tone === undefined ? "text-fg-2" : `tone-${effect.tone} font-medium text-tone`,
          )}
        >
          <Icon name={effect.icon} small />
          {gate.sideEffect === "destructive"
            ? "destructive, cannot be undone"
            : gate.sideEffect === "write"
              ? "write, can be changed back"
              : `${effect.word}, changes nothing`}
        </span>
      )}
      {open && !gate.mine.canDecide ? (
        <span className="cut text-right text-fg-3" title={gate.mine.why}>
          {gate.mine.signed ? "you signed" : "not for you"}
        </span>
      ) : null}
      {gate.mine.onBehalfOf === undefined ? null : (
        <span className="tone-awaiting cut text-right text-tone">for {gate.mine.onBehalfOf.name}</span>
      )}
      {!open && gate.mine.canRevoke ? (
        <span className="tone-changed cut text-right text-tone">not started yet</span>
      ) : null}
    </button>
  );
}
