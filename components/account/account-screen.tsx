"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { EmptyState } from "../ui/empty-state";
import { SkeletonRows } from "../ui/skeleton";
import { type ApiKeyEntry, ApiKeyTable } from "./api-key-table";
import { NewKeyDialog } from "./new-key-dialog";
import { PasswordBox } from "./password-box";
import { SessionsBox } from "./sessions-box";

/** What belongs to one person: their browsers, their password, and keys for the command line and for agents. */
export function AccountScreen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { session } = useShell();
  const [isMaking, setIsMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKeyEntry>();
  const refresh = () => queryClient.invalidateQueries(trpc.apiKeys.pathFilter());
  const keys = useQuery(trpc.apiKeys.list.queryOptions());
  const create = useMutation(trpc.apiKeys.create.mutationOptions({ onSuccess: refresh }));
  const revoke = useMutation(trpc.apiKeys.revoke.mutationOptions({ onSuccess: refresh }));
  const closeNewKey = () => {
    setIsMaking(false);
    // The secret leaves the page's memory with the dialog.
    create.reset();
  };

  return (
    <div className="flex min-h-full flex-col">
      <TopBar breadcrumb={[{ label: session.workspace || "Planwright" }, { label: "Account" }]} />
      <OfflineBanner />
      <main className="mx-auto flex w-full max-w-[860px] flex-1 flex-col gap-6 px-6 py-6 max-sm:px-3">
        <div>
          <h1 className="text-page">{session.person?.name ?? "Account"}</h1>
          <p className="mt-1 text-small text-fg-3">{session.person?.email}</p>
        </div>
        <SessionsBox />
        <PasswordBox />
        <section>
          <div className="mb-2 flex flex-wrap items-end gap-x-4 gap-y-2">
            <div className="min-w-0 flex-1">
              <h2 className="text-lead font-semibold">API keys</h2>
              <p className="mt-0.5 text-small text-fg-3">
                A key acts as you in this workspace, with the roles you hold at that moment and no more than its scopes.
                Send it as <code className="mono text-fg-2">Authorization: Bearer …</code>
              </p>
            </div>
            <Button variant="primary" onClick={() => setIsMaking(true)}>
              New key
            </Button>
          </div>
          <div className="box overflow-x-auto">
            {keys.error !== null ? (
              <ErrorNotice
                title="The keys did not load"
                action={<Button onClick={() => keys.refetch()}>Try again</Button>}
              >
                {toApiError(keys.error).message}
              </ErrorNotice>
            ) : keys.data === undefined ? (
              <SkeletonRows rows={3} label="Loading keys" />
            ) : keys.data.keys.length === 0 ? (
              <EmptyState
                icon="key"
                title="No keys yet"
                action={<Button onClick={() => setIsMaking(true)}>New key</Button>}
              >
                Make one for each place that needs it, so that one can be taken back without the others.
              </EmptyState>
            ) : (
              <ApiKeyTable keys={keys.data.keys} onRevoke={setRevoking} />
            )}
          </div>
        </section>
      </main>
      <NewKeyDialog
        open={isMaking}
        isBusy={create.isPending}
        secret={create.data?.secret}
        error={create.error === null ? undefined : toApiError(create.error).message}
        onCreate={(key) => create.mutate(key)}
        onClose={closeNewKey}
      />
      {revoking === undefined ? null : (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          description="Whatever uses it is refused from its next request on. A revoked key cannot be brought back."
          confirm="Revoke the key"
          keep="Keep it"
          isBusy={revoke.isPending}
          error={refusalOf(revoke.error)}
          onConfirm={() => revoke.mutate({ keyId: revoking.id }, { onSuccess: () => setRevoking(undefined) })}
          onClose={() => {
            revoke.reset();
            setRevoking(undefined);
          }}
        />
      )}
    </div>
  );
}
