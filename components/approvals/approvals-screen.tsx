"use client";

import { useQuery } from "@tanstack/react-query";
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
import { InboxList, type InboxTab } from "./inbox-list";
import { isTyping } from "./is-typing";

/** The inbox and the card of one gate. Which gate is in the address, so that a link opens it. */
export function ApprovalsScreen() {
  const trpc = useTRPC();
  const query = useSearchParams();
  const live = useLiveStatus();
  const [tab, setTab] = useState<InboxTab>("waiting");
  const [chosen, setChosen] = useState(query.get("gate") ?? undefined);
  const open = useQuery(trpc.gates.list.queryOptions());
  const decided = useQuery(trpc.gates.list.queryOptions({ open: false }, { enabled: tab === "decided" }));
  const gates = useMemo(
    () => (tab === "waiting" ? [...(open.data?.gates ?? [])].sort(compareInboxEntries) : (decided.data?.gates ?? [])),
    [tab, open.data, decided.data],
  );
  // Wide screens show the first one; on a phone the list comes first, and a choice opens the card. The one that is
  // shown stays when it leaves the list: a second press of "approve" must never meet another gate.
  const [shown, setShown] = useState<string>();
  if (shown === undefined && gates[0] !== undefined) setShown(gates[0].id);
  const gateId = chosen ?? shown;
  const choose = (id: string | undefined) => {
    setChosen(id);
    window.history.replaceState(
      null,
      "",
      id === undefined ? "/approvals" : `/approvals?gate=${encodeURIComponent(id)}`,
    );
  };
  useListKeys(gates, gateId, choose);
  const asked = tab === "waiting" ? open : decided;
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
              setTab(next);
              setShown(undefined);
              choose(undefined);
            }}
            gates={gates}
            waiting={open.data?.waiting}
            isLoading={asked.isPending}
            error={asked.error === null ? undefined : toApiError(asked.error)}
            onRetry={() => void asked.refetch()}
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
          ) : asked.isPending ? null : (
            <EmptyState
              icon="hand"
              title={tab === "waiting" ? "Nothing waits for a signature" : "Nothing has been decided yet"}
            >
              {tab === "waiting"
                ? "When a run reaches a gate, it appears here by itself, the most urgent first."
                : "Decisions appear here, newest first."}
            </EmptyState>
          )}
        </main>
      </div>
      <LiveRegion message={open.data === undefined ? "" : `${open.data.waiting} gates wait for you`} />
    </div>
  );
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
