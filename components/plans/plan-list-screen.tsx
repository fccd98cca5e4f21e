"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell, useShellCommands } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { FileInput } from "../ui/file-input";
import { Icon } from "../ui/icon";
import { SearchInput } from "../ui/input";
import { Refusal } from "../ui/refusal";
import { DropTarget } from "./drop-target";
import { ImportReport } from "./import-report";
import { sourceOfFile, sourceOfText } from "./import-source";
import { PlanListBody } from "./plan-list-body";
import type { PlanListEntry } from "./plan-table";
import { usePlanImport } from "./use-plan-import";

/** How many runs are looked through for recordings. */
const RECORDED_RUNS_LIMIT = 100;

/** The plans of the workspace: find one, start one, drop one. The search is in the address. */
export function PlanListScreen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { session } = useShell();
  const searchParams = useSearchParams();
  const [search, setSearch] = useState(searchParams.get("q") ?? "");
  const [removing, setRemoving] = useState<PlanListEntry>();
  const filePicker = useRef<HTMLInputElement>(null);
  const { results, isBusy, importAll, dismiss } = usePlanImport();

  const asked = useDeferredValue(search.trim());
  const plans = useQuery(trpc.plans.list.queryOptions({ search: asked }, { placeholderData: keepPreviousData }));
  const recorded = useQuery(trpc.runs.list.queryOptions({ limit: RECORDED_RUNS_LIMIT })).data?.runs.filter(
    (run) => run.planId === null,
  );
  const create = useMutation(
    trpc.plans.create.mutationOptions({ onSuccess: ({ planId }) => router.push(`/plans/${planId}`) }),
  );
  const remove = useMutation(
    trpc.plans.remove.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.plans.list.pathFilter()),
    }),
  );

  const mayEdit = session.person?.roles.some((role) => role === "engineer" || role === "admin") ?? false;
  const { mutate: createPlan } = create;
  const newPlan = useCallback(() => createPlan({ name: "Untitled plan" }), [createPlan]);
  const pickFile = useCallback(() => filePicker.current?.click(), []);
  const importFiles = useCallback(
    (files: readonly File[]) => void importAll(files.map((file) => () => sourceOfFile(file))),
    [importAll],
  );
  const importText = useCallback((text: string) => void importAll([() => sourceOfText(text)]), [importAll]);

  useShellCommands(
    useMemo(
      () =>
        mayEdit
          ? [
              { id: "plan new", group: "Plans", icon: "plus", label: "New plan", run: newPlan } as const,
              { id: "plan import", group: "Plans", icon: "upload", label: "Import a file", run: pickFile } as const,
            ]
          : [],
      [mayEdit, newPlan, pickFile],
    ),
  );

  // Asked again whenever the address changes: a navigation that ends late writes its own address over ours.
  const addressed = searchParams.get("q") ?? "";
  useEffect(() => {
    const text = search.trim();
    if (text === addressed || window.location.pathname !== "/plans") return;
    window.history.replaceState(null, "", text === "" ? "/plans" : `/plans?q=${encodeURIComponent(text)}`);
  }, [search, addressed]);

  const screen = (
    <div className="flex min-h-full flex-col">
      <TopBar
        breadcrumb={[{ label: session.workspace || "Planwright" }, { label: "Plans" }]}
        mode="design"
        actions={
          mayEdit ? (
            <>
              <Button onClick={pickFile} disabled={isBusy} className="max-sm:hidden">
                <Icon name="upload" /> {isBusy ? "Importing…" : "Import"}
              </Button>
              <Button variant="primary" onClick={newPlan} disabled={create.isPending}>
                <Icon name="plus" /> New plan
              </Button>
            </>
          ) : null
        }
      />
      <OfflineBanner />
      <main className="mx-auto w-full max-w-[1120px] flex-1 px-6 py-6 max-sm:px-3">
        <div className="mb-3 flex items-center gap-3">
          <h1 className="text-page">Plans</h1>
          <SearchInput
            label="Find a plan"
            className="ml-auto w-64 max-sm:w-40"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <Refusal message={refusalOf(create.error)} className="mb-3" />
        <PlanListBody
          plans={plans.data?.plans}
          recorded={recorded ?? []}
          search={asked}
          mayEdit={mayEdit}
          error={plans.error === null ? undefined : toApiError(plans.error)}
          onRetry={() => void plans.refetch()}
          onNew={newPlan}
          onImport={pickFile}
          onClearSearch={() => setSearch("")}
          onRemove={setRemoving}
        />
      </main>
      {/* Who may import is known only when the page is live, so no file can be chosen before anybody listens. */}
      {mayEdit ? <FileInput ref={filePicker} label="Files to import" multiple onFiles={importFiles} /> : null}
      <ImportReport results={results} onClose={dismiss} />
      {removing === undefined ? null : (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          description="It leaves this list. Its runs, and the versions they are pinned to, stay as they are."
          confirm="Remove the plan"
          keep="Keep it"
          isBusy={remove.isPending}
          error={refusalOf(remove.error)}
          onConfirm={() => remove.mutate({ planId: removing.id }, { onSuccess: () => setRemoving(undefined) })}
          onClose={() => {
            remove.reset();
            setRemoving(undefined);
          }}
        />
      )}
    </div>
  );
  return mayEdit ? (
    <DropTarget onFiles={importFiles} onText={importText}>
      {screen}
    </DropTarget>
  ) : (
    screen
  );
}
