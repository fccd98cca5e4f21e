"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Refusal } from "../ui/refusal";
import { SkeletonRows } from "../ui/skeleton";
import { ChannelDialog } from "./channel-dialog";
import { ChannelList } from "./channel-list";
import { DeliveryTable } from "./delivery-table";
import type { Channel } from "./notification-words";
import { SettingsBox, SettingsPage } from "./settings-page";

/** While something is on its way its line is looked at this often. */
const WATCH_MS = 1_500;

/** Who is told of gates and runs, by which way, and what became of telling them. */
export function NotificationsScreen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<Channel | "webhook" | "email">();
  const refresh = () => queryClient.invalidateQueries(trpc.notifications.pathFilter());
  const channels = useQuery(trpc.notifications.channels.queryOptions());
  const deliveries = useQuery(
    trpc.notifications.deliveries.queryOptions(
      { limit: 50 },
      {
        refetchInterval: ({ state }) =>
          state.data?.deliveries.some(({ status }) => status === "pending") === true ? WATCH_MS : false,
      },
    ),
  );
  const onSaved = async () => {
    setEditing(undefined);
    await refresh();
  };
  const create = useMutation(trpc.notifications.create.mutationOptions({ onSuccess: onSaved }));
  const update = useMutation(trpc.notifications.update.mutationOptions({ onSuccess: onSaved }));
  const remove = useMutation(trpc.notifications.remove.mutationOptions({ onSuccess: onSaved }));
  const test = useMutation(trpc.notifications.test.mutationOptions({ onSettled: refresh }));
  const retry = useMutation(trpc.notifications.retry.mutationOptions({ onSettled: refresh }));
  const open = (next: Channel | "webhook" | "email") => {
    create.reset();
    update.reset();
    remove.reset();
    setEditing(next);
  };
  const failure = create.error ?? update.error ?? remove.error;
  return (
    <SettingsPage
      title="Notifications"
      intro="A message says what waits or what was decided and links to it. It never decides anything, and no gate or run waits for it."
      actions={
        <>
          <Button onClick={() => open("email")}>Add mail</Button>
          <Button variant="primary" onClick={() => open("webhook")}>
            Add a webhook
          </Button>
        </>
      }
    >
      <SettingsBox title="Channels">
        <Refusal message={refusalOf(test.error)} className="border-b border-hairline px-4 py-2" />
        {channels.error !== null ? (
          <ErrorNotice
            title="The channels did not load"
            action={<Button onClick={() => void channels.refetch()}>Try again</Button>}
          >
            {toApiError(channels.error).message}
          </ErrorNotice>
        ) : channels.data === undefined ? (
          <SkeletonRows rows={3} label="Loading channels" />
        ) : channels.data.channels.length === 0 ? (
          <EmptyState icon="bell" title="Nobody is told yet">
            Add a webhook, such as one of Slack, or a mail server, so that signers hear of a gate before its time is
            over.
          </EmptyState>
        ) : (
          <ChannelList
            channels={channels.data.channels}
            testing={test.isPending ? test.variables?.channelId : undefined}
            onTest={({ id }) => test.mutate({ channelId: id })}
            onEdit={open}
          />
        )}
      </SettingsBox>
      <SettingsBox
        title="Deliveries"
        hint="The last 50 of 30 days. What fails is tried again for about a day, always under the same id."
      >
        <Refusal message={refusalOf(retry.error)} className="border-b border-hairline px-4 py-2" />
        {deliveries.error !== null ? (
          <ErrorNotice
            title="The deliveries did not load"
            action={<Button onClick={() => void deliveries.refetch()}>Try again</Button>}
          >
            {toApiError(deliveries.error).message}
          </ErrorNotice>
        ) : deliveries.data === undefined ? (
          <SkeletonRows rows={4} label="Loading deliveries" />
        ) : deliveries.data.deliveries.length === 0 ? (
          <EmptyState icon="clock" title="Nothing has been sent yet" />
        ) : (
          <DeliveryTable
            deliveries={deliveries.data.deliveries}
            onRetry={({ id }) => retry.mutate({ deliveryId: id })}
          />
        )}
      </SettingsBox>
      {editing === undefined ? null : (
        <ChannelDialog
          channel={editing}
          isBusy={create.isPending || update.isPending || remove.isPending}
          error={failure === null ? undefined : toApiError(failure).message}
          onCancel={() => setEditing(undefined)}
          onSave={(draft) =>
            typeof editing === "string" ? create.mutate(draft) : update.mutate({ ...draft, channelId: editing.id })
          }
          {...(typeof editing === "string" ? {} : { onRemove: () => remove.mutate({ channelId: editing.id }) })}
        />
      )}
    </SettingsPage>
  );
}
