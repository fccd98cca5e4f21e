"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { EmptyState } from "../ui/empty-state";
import type { ImportResults, Reading } from "./import-data";
import { ImportReport } from "./import-report";
import { ImportSource } from "./import-source";
import { mayEditCapabilities } from "./may-edit";
import { OperationPicker } from "./operation-picker";

/** From a document to capabilities: read it, pick operations, see what became of each. */
export function ImportScreen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { session } = useShell();
  const [reading, setReading] = useState<Reading>();
  const [results, setResults] = useState<ImportResults>();
  const read = useMutation(trpc.capabilities.readOpenApi.mutationOptions({ onSuccess: setReading }));
  const register = useMutation(
    trpc.capabilities.importOpenApi.mutationOptions({
      onSuccess: (report) => {
        setResults(report.results);
        void queryClient.invalidateQueries(trpc.capabilities.pathFilter());
        void queryClient.invalidateQueries(trpc.secrets.pathFilter());
      },
    }),
  );
  const mayEdit = session.person === undefined || mayEditCapabilities(session.person.roles);
  const message = (error: unknown) => (error === null ? undefined : toApiError(error).message);
  const restart = () => {
    setReading(undefined);
    setResults(undefined);
    read.reset();
    register.reset();
  };

  return (
    <div className="flex min-h-full flex-col">
      <TopBar
        breadcrumb={[
          { label: session.workspace || "Planwright" },
          { label: "Capabilities", href: "/capabilities" },
          { label: "Add HTTP capabilities" },
        ]}
        mode="capabilities"
      />
      <OfflineBanner />
      <main className="mx-auto w-full max-w-[1120px] flex-1 px-6 py-6 max-sm:px-3">
        <h1 className="mb-4 text-page">Add HTTP capabilities</h1>
        {!mayEdit ? (
          <div className="box">
            <EmptyState icon="lock" title="This needs the role engineer">
              An admin of the workspace can give it to you.
            </EmptyState>
          </div>
        ) : results !== undefined ? (
          <ImportReport results={results} onRestart={restart} />
        ) : reading !== undefined ? (
          <OperationPicker
            reading={reading}
            isBusy={register.isPending}
            error={message(register.error)}
            onBack={restart}
            onImport={(choice) => register.mutate(choice)}
          />
        ) : (
          <ImportSource isBusy={read.isPending} error={message(read.error)} onRead={(source) => read.mutate(source)} />
        )}
      </main>
    </div>
  );
}
