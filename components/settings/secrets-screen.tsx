"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
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
        error={set.error === null ? undefined : toApiError(set.error).message}
        onSet={(name, value) => set.mutate({ name, value }, { onSuccess: () => setSetting(undefined) })}
        onClose={() => {
          set.reset();
          setSetting(undefined);
        }}
      />
      <RemoveSecretDialog
        secret={removing}
        onCancel={() => setRemoving(undefined)}
        onConfirm={(name) => {
          setRemoving(undefined);
          remove.mutate({ name });
        }}
      />
    </SettingsPage>
  );
}

interface RemoveSecretDialogProps {
  readonly secret: SecretEntry | undefined;
  readonly onCancel: () => void;
  readonly onConfirm: (name: string) => void;
}

const RemoveSecretDialog = ({ secret, onCancel, onConfirm }: RemoveSecretDialogProps) => (
  <Dialog
    open={secret !== undefined}
    onOpenChange={(open) => {
      if (!open) onCancel();
    }}
    title={`Remove ${secret?.name ?? ""}?`}
    footer={
      <>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="danger" onClick={() => onConfirm(secret?.name ?? "")}>
          Remove the secret
        </Button>
      </>
    }
  >
    <p className="text-small text-fg-2">
      {secret === undefined || secret.usedBy.length === 0
        ? "No capability names it."
        : `Every call of ${secret.usedBy.join(", ")} is refused from then on, in runs that are under way too.`}{" "}
      The value cannot be brought back.
    </p>
  </Dialog>
);
