"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { GateId } from "#kernel/ids";
import { gateCard } from "#kernel/view/inbox";
import { toApiError } from "../trpc-client/api-error";
import { type ApiInputs, useTRPC } from "../trpc-client/context";
import { newRequestId } from "../trpc-client/request-id";
import { type RunLog, useLogVersion, useRunLog } from "../trpc-client/run-log";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { useNow } from "../ui/relative-time";
import { SkeletonRows } from "../ui/skeleton";
import type { GateDetail } from "./gate-card-props";
import { GateCardView } from "./gate-card-view";

/** Loads a gate and its run, derives the card from the run's events, and sends the decision. */
export function GatePane({ gateId }: { readonly gateId: GateId }) {
  const trpc = useTRPC();
  const gate = useQuery(trpc.gates.get.queryOptions({ gateId }));
  if (gate.data !== undefined) return <WithRun gate={gate.data} />;
  if (gate.error === null) return <SkeletonRows rows={12} label="Loading the gate" />;
  const error = toApiError(gate.error);
  if (error.code === "not_found") {
    return (
      <EmptyState icon="question" title="There is no such gate">
        It may belong to another workspace, or the link is cut short.
      </EmptyState>
    );
  }
  return (
    <ErrorNotice title="The gate did not load" action={<Button onClick={() => void gate.refetch()}>Try again</Button>}>
      {error.message}
    </ErrorNotice>
  );
}

function WithRun({ gate }: { readonly gate: GateDetail }) {
  const loaded = useRunLog(gate.runId);
  switch (loaded.status) {
    case "loading":
      return <SkeletonRows rows={12} label="Loading what will run" />;
    case "gone":
      return <EmptyState icon="question" title="The run of this gate is gone" />;
    case "failed":
      return (
        <ErrorNotice
          title="What will run could not be loaded"
          action={<Button onClick={loaded.retry}>Try again</Button>}
        >
          {loaded.error.message}
        </ErrorNotice>
      );
    case "loaded":
      return <Card gate={gate} log={loaded.log} />;
  }
}

type Decide = ApiInputs["gates"]["decide"];

function Card({ gate, log }: { readonly gate: GateDetail; readonly log: RunLog }) {
  useLogVersion(log);
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const me = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 })).data;
  const clock = useNow();
  const { tip } = log.history;
  const now = Math.max(clock, tip.lastAt);
  // One for this card: a decision whose answer was lost is sent again as the same one.
  const [requestId] = useState(newRequestId);
  const decide = useMutation(
    trpc.gates.decide.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.gates.pathFilter()),
    }),
  );
  const revoke = useMutation(
    trpc.gates.revoke.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.gates.pathFilter()),
    }),
  );
  const failure = decide.error ?? revoke.error;
  const card = gateCard(tip, gate.id, now);
  if (card === undefined) {
    return (
      <EmptyState icon="clock" title="Catching up with the run">
        The gate's event has not arrived here yet.
      </EmptyState>
    );
  }
  return (
    <GateCardView
      card={card}
      gate={gate}
      now={now}
      me={me === undefined ? undefined : { id: me.person.id, roles: me.roles }}
      sending={decide.isPending || revoke.isPending}
      error={failure === null ? undefined : toApiError(failure)}
      // Each forgets what became of the other: the refusal that is shown is the answer to what was sent last.
      onRevoke={(reason) => {
        decide.reset();
        revoke.mutate({ gateId: gate.id, ...(reason === "" ? {} : { reason }) });
      }}
      onDecide={(decision: Omit<Decide, "gateId" | "nonce" | "argumentsHash">) => {
        revoke.reset();
        // What was shown is what is signed: the nonce and the hash of this very card.
        decide.mutate({
          gateId: gate.id,
          nonce: card.nonce,
          argumentsHash: card.argumentsHash,
          requestId,
          ...decision,
        });
      }}
    />
  );
}
