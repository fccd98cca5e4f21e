"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShell } from "../shell/shell-context";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { SkeletonRows } from "../ui/skeleton";
import { DelegationDialog } from "./delegation-dialog";
import { DelegationTable } from "./delegation-table";
import { SettingsBox, SettingsPage } from "./settings-page";

/** Who signs in whose place: the reader lends their own right here and takes it back. */
export function DelegationScreen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { session } = useShell();
  const [isLending, setIsLending] = useState(false);
  const refresh = async () => {
    await queryClient.invalidateQueries(trpc.delegations.pathFilter());
    await queryClient.invalidateQueries(trpc.gates.pathFilter());
  };
  const list = useQuery(trpc.delegations.list.queryOptions());
  const candidates = useQuery(trpc.delegations.candidates.queryOptions(undefined, { enabled: isLending }));
  const create = useMutation(
    trpc.delegations.create.mutationOptions({
      onSuccess: async () => {
        setIsLending(false);
        await refresh();
      },
    }),
  );
  const revoke = useMutation(trpc.delegations.revoke.mutationOptions({ onSettled: refresh }));
  const delegations = list.data?.delegations ?? [];
  const current = delegations.filter(({ state }) => state === "active" || state === "planned");
  const past = delegations.filter(({ state }) => state === "over" || state === "revoked");
  const lend = (
    <Button
      variant="primary"
      onClick={() => {
        create.reset();
        setIsLending(true);
      }}
    >
      Ask somebody to stand in
    </Button>
  );
  return (
    <SettingsPage
      title="Delegation"
      intro="For a time, somebody can sign in your place what you could sign yourself, and nothing else. They sign in their own name, for you; a right that you lose is lost to them at once."
      actions={lend}
    >
      {revoke.error === null ? null : (
        <ErrorNotice title="It was not ended">{toApiError(revoke.error).message}</ErrorNotice>
      )}
      <SettingsBox title="In force or planned">
        {list.error !== null ? (
          <ErrorNotice
            title="The delegations did not load"
            action={<Button onClick={() => void list.refetch()}>Try again</Button>}
          >
            {toApiError(list.error).message}
          </ErrorNotice>
        ) : list.data === undefined ? (
          <SkeletonRows rows={3} label="Loading delegations" />
        ) : current.length === 0 ? (
          <EmptyState icon="hand" title="Nobody stands in for anybody">
            Before you go away, ask somebody to sign in your place, so that no run waits for you.
          </EmptyState>
        ) : (
          <DelegationTable
            delegations={current}
            label="Delegations in force or planned"
            mayEnd={({ delegator }) =>
              delegator.id === session.person?.id || session.person?.roles.includes("admin") === true
            }
            onEnd={({ id }) => revoke.mutate({ delegationId: id })}
          />
        )}
      </SettingsBox>
      {past.length === 0 ? null : (
        <SettingsBox title="Over" hint="Of the last 90 days.">
          <DelegationTable delegations={past} label="Delegations that are over" />
        </SettingsBox>
      )}
      <DelegationDialog
        open={isLending}
        people={candidates.data?.people}
        isBusy={create.isPending}
        error={create.error === null ? undefined : toApiError(create.error).message}
        onCancel={() => setIsLending(false)}
        onCreate={(delegation) => create.mutate(delegation)}
      />
    </SettingsPage>
  );
}
