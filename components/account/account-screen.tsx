"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { SkeletonRows } from "../ui/skeleton";
import { type ApiKeyEntry, ApiKeyTable } from "./api-key-table";
import { NewKeyDialog } from "./new-key-dialog";
import { RevokeKeyDialog } from "./revoke-key-dialog";

/** Keys for the command line and for agents: made here, shown once, taken back here. */
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
      <TopBar
        breadcrumb={[{ label: session.workspace || "Planwright" }, { label: "API keys" }]}
        actions={
          <Button variant="primary" onClick={() => setIsMaking(true)}>
            New key
          </Button>
        }
      />
      <OfflineBanner />
      <main className="mx-auto w-full max-w-[860px] flex-1 px-6 py-6 max-sm:px-3">
        <h1 className="text-page">API keys</h1>
        <p className="mt-1 mb-4 text-small text-fg-3">
          A key acts as you, with the roles you hold at that moment. Send it as{" "}
          <code className="mono text-fg-2">Authorization: Bearer …</code>
        </p>
        <div className="box overflow-hidden">
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
      </main>
      <NewKeyDialog
        open={isMaking}
        isBusy={create.isPending}
        secret={create.data?.secret}
        error={create.error === null ? undefined : toApiError(create.error).message}
        onCreate={(key) => create.mutate(key)}
        onClose={closeNewKey}
      />
      <RevokeKeyDialog
        apiKey={revoking}
        onCancel={() => setRevoking(undefined)}
        onConfirm={({ id }) => {
          setRevoking(undefined);
          revoke.mutate({ keyId: id });
        }}
      />
    </div>
  );
}
