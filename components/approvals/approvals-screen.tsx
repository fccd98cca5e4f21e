"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import { gateIdSchema } from "#kernel/ids";
import { compareInboxEntries } from "#kernel/view/inbox";
import { OfflineBanner } from "../shell/offline-banner";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { useLiveStatus } from "../trpc-client/live-events";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Icon } from "../ui/icon";
import { LiveRegion } from "../ui/live-region";
import { GatePane } from "./gate-pane";
import { EMPTY_WORDS, type GateSummary, INBOX_TABS, InboxList, type InboxTab } from "./inbox-list";
import { isTyping } from "./is-typing";

/** The inbox and the card of one gate. Which gate is in the address, so that a link opens it. */
export function ApprovalsScreen() {
  const trpc = useTRPC();
  const query = useSearchParams();
  const live = useLiveStatus();
  const [asked, setAsked] = useState(tabIn(query.get("tab")));
  // The address alone says which gate: a link on the card leads to another one as well as the list does.
  const chosen = query.get("gate") ?? undefined;
  const [limit, setLimit] = useState(GATES_SHOWN);
  // At first what the badge asks for too: one request for both.
  const open = useQuery(
    trpc.gates.list.queryOptions(limit === GATES_SHOWN ? undefined : { limit }, { placeholderData: keepPreviousData }),
  );
  const waiting = useMemo(() => underTabs(open.data?.gates ?? []), [open.data]);
  // Whoever can sign none of what waits begins with all of it. Chosen once: a list must not change under a hand.
  const [first, setFirst] = useState<InboxTab>();
  if (first === undefined && open.data !== undefined)
    setFirst(waiting.mine.length === 0 && waiting.all.length > 0 ? "all" : FIRST_TAB);
  const tab = asked ?? first ?? FIRST_TAB;
  const decided = useQuery(
    trpc.gates.list.queryOptions(
      { open: false, limit },
      { enabled: tab === "decided", placeholderData: keepPreviousData },
    ),
  );
  const gates = tab === "decided" ? (decided.data?.gates ?? []) : waiting[tab];
  // Wide screens show the first one; on a phone the list comes first, and a choice opens the card. The one that is
  // shown stays when it leaves the list: a second press of "approve" must never meet another gate.
  const [shown, setShown] = useState<string>();
  if (shown === undefined && gates[0] !== undefined) setShown(gates[0].id);
  const gateId = chosen ?? shown;
  const choose = (id: string | undefined, under: InboxTab = tab) => {
    const place = new URLSearchParams({
      ...(id === undefined ? {} : { gate: id }),
      ...(under === FIRST_TAB ? {} : { tab: under }),
    });
    window.history.replaceState(null, "", place.size === 0 ? "/approvals" : `/approvals?${place}`);
  };
  useListKeys(gates, gateId, choose);
  const list = tab === "decided" ? decided : open;
  const counts = open.data && { mine: open.data.waiting, all: open.data.open, delegated: open.data.delegated };
  // Of this tab: of all that are open there may be more while one's own are all here.
  const hasMore = tab === "decided" ? decided.data?.more === true : counts !== undefined && gates.length < counts[tab];
  const parsed = gateIdSchema.safeParse(gateId);

  return (
    <div className="flex h-dvh flex-col">
      <TopBar breadcrumb={[{ label: "Approvals" }]} />
      <OfflineBanner>You are offline. Decisions cannot be sent until the connection is back.</OfflineBanner>
      {live === "offline" ? (
        <Banner tone="unknown" icon="cloudOff">
          The live connection is cut and is being taken up again. What you see may be out of date; a decision is checked
          again when it is sent.
        </Banner>
      ) : null}
      <div className="flex min-h-0 flex-1">
        <aside
          aria-label="Inbox"
          className={`flex w-[360px] flex-none flex-col border-r border-hairline bg-surface max-md:w-full ${chosen === undefined ? "" : "max-md:hidden"}`}
        >
          <InboxList
            tab={tab}
            onTab={(next) => {
              setAsked(next);
              setShown(undefined);
              choose(undefined, next);
            }}
            gates={gates}
            counts={counts}
            tooMany={open.data?.tooMany === true}
            more={
              hasMore && limit < GATES_SHOWN_MAX
                ? { isBusy: list.isFetching, onMore: () => setLimit(limit + GATES_SHOWN) }
                : undefined
            }
            isLoading={list.isPending}
            error={list.error === null ? undefined : toApiError(list.error)}
            onRetry={() => void list.refetch()}
            selected={gateId}
            onSelect={choose}
          />
        </aside>
        <main className={`flex min-w-0 flex-1 flex-col ${chosen === undefined ? "max-md:hidden" : ""}`}>
          {chosen === undefined ? null : (
            <div className="border-b border-hairline bg-surface px-2 py-1 md:hidden">
              <Button variant="bare" onClick={() => choose(undefined)}>
                <Icon name="left" />
                Inbox
              </Button>
            </div>
          )}
          {parsed.success ? (
            <GatePane key={parsed.data} gateId={parsed.data} />
          ) : list.isPending ? null : (
            <EmptyState icon="hand" title={EMPTY_WORDS[tab].title}>
              {EMPTY_WORDS[tab].text}
            </EmptyState>
          )}
        </main>
      </div>
      <LiveRegion message={open.data === undefined ? "" : `${open.data.waiting} gates wait for you`} />
    </div>
  );
}

const FIRST_TAB: InboxTab = "mine";

/** Shown at first and added with each "Show more"; the interface gives no more than the second at once. */
const GATES_SHOWN = 100;
const GATES_SHOWN_MAX = 1_000;

const tabIn = (text: string | null): InboxTab | undefined => INBOX_TABS.find((tab) => tab === text);

/** The open gates by deadline, as each tab shows them. What the reader has signed stays among their own until it closes. */
function underTabs(
  gates: readonly GateSummary[],
): Readonly<Record<Exclude<InboxTab, "decided">, readonly GateSummary[]>> {
  const all = [...gates].sort(compareInboxEntries);
  return {
    all,
    mine: all.filter(({ mine }) => mine.canDecide || mine.signed),
    delegated: all.filter(({ mine }) => mine.canDecide && mine.onBehalfOf !== undefined),
  };
}

/** `J` and `K` move through the list, as in a mailbox. */
function useListKeys(
  gates: readonly { readonly id: string }[],
  current: string | undefined,
  choose: (id: string) => void,
): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (step === 0 || gates.length === 0) return;
      const at = gates.findIndex((gate) => gate.id === current);
      const next = gates[Math.max(0, Math.min(gates.length - 1, at + step))];
      if (next !== undefined) choose(next.id);
      event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });
}
