"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { EmptyState } from "../ui/empty-state";
import { Icon } from "../ui/icon";
import { SkeletonRows } from "../ui/skeleton";
import { type SecretEntry, SecretTable } from "./secret-table";
import { SetSecretDialog } from "./set-secret-dialog";
import { SettingsBox, SettingsPage } from "./settings-page";

const INTRO =
  "What capabilities need to be let in elsewhere: keys, tokens, passwords. A capability names one; its value goes into " +
  "the call at the last moment and is taken out of whatever comes back.";

export function SecretsScreen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const secrets = useQuery(trpc.secrets.list.queryOptions());
  const refresh = () => queryClient.invalidateQueries(trpc.secrets.pathFilter());
  const set = useMutation(trpc.secrets.set.mutationOptions({ onSuccess: refresh }));
  const remove = useMutation(trpc.secrets.remove.mutationOptions({ onSuccess: refresh }));
  const [setting, setSetting] = useState<string>();
  const [removing, setRemoving] = useState<SecretEntry>();
  const { data, error } = secrets;
  return (
    <SettingsPage
      title="Secrets"
      intro={INTRO}
      actions={
        <Button variant="primary" onClick={() => setSetting("")}>
          <Icon name="plus" /> New secret
        </Button>
      }
    >
      <SettingsBox>
        {data === undefined ? (
          error === null ? (
            <SkeletonRows rows={4} label="Loading the secrets" />
          ) : (
            <ErrorNotice
              title="The secrets did not load"
              action={<Button onClick={() => secrets.refetch()}>Try again</Button>}
            >
              {toApiError(error).message}
            </ErrorNotice>
          )
        ) : data.secrets.length === 0 ? (
          <EmptyState
            icon="key"
            title="No secrets yet"
            action={<Button onClick={() => setSetting("")}>New secret</Button>}
          >
            An interface that asks who calls needs one. It can be set here or while its operations are added.
          </EmptyState>
        ) : (
          <SecretTable secrets={data.secrets} onSet={setSetting} onRemove={setRemoving} />
        )}
      </SettingsBox>
      <SetSecretDialog
        name={setting}
        isBusy={set.isPending}
        error={refusalOf(set.error)}
        onSet={(name, value) => set.mutate({ name, value }, { onSuccess: () => setSetting(undefined) })}
        onClose={() => {
          set.reset();
          setSetting(undefined);
        }}
      />
      {removing === undefined ? null : (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          description={lossOf(removing)}
          confirm="Remove the secret"
          keep="Keep it"
          isBusy={remove.isPending}
          error={refusalOf(remove.error)}
          onConfirm={() => remove.mutate({ name: removing.name }, { onSuccess: () => setRemoving(undefined) })}
          onClose={() => {
            remove.reset();
            setRemoving(undefined);
          }}
        />
      )}
    </SettingsPage>
  );
}

/** What stops with it, before it does. */
const lossOf = ({ usedBy }: SecretEntry): string =>
  `${
    usedBy.length === 0
      ? "No capability names it."
      : `Every call of ${usedBy.join(", ")} is refused from then on, in runs that are under way too.`
  } The value cannot be brought back.`;
