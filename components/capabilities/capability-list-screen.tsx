"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell, useShellCommands } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Icon } from "../ui/icon";
import { SearchInput } from "../ui/input";
import { Select } from "../ui/select";
import { SkeletonRows } from "../ui/skeleton";
import { type CapabilityEntry, CapabilityTable } from "./capability-table";
import { ANY, type CapabilityFilter, filterCapabilities, NO_FILTER } from "./filter-capabilities";
import { mayEditCapabilities } from "./may-edit";

const PROVIDERS = [
  { value: ANY, label: "Every provider" },
  { value: "built_in", label: "Built in" },
  { value: "http", label: "HTTP" },
];
const SIDE_EFFECTS = [
  { value: ANY, label: "Every side effect" },
  { value: "none", label: "None" },
  { value: "read", label: "Reads" },
  { value: "write", label: "Writes" },
  { value: "destructive", label: "Destructive" },
];
const STATUSES = [
  { value: ANY, label: "In use and retired" },
  { value: "active", label: "In use" },
  { value: "retired", label: "Retired" },
];

/** What plans of this workspace may call. The filter is in the address. */
export function CapabilityListScreen() {
  const trpc = useTRPC();
  const { session, navigate } = useShell();
  const mayEdit = mayEditCapabilities(session.person?.roles);
  const [filter, change] = useFilter();
  const list = useQuery(trpc.capabilities.overview.queryOptions());
  const shown = useMemo(() => list.data && filterCapabilities(list.data.capabilities, filter), [list.data, filter]);

  useShellCommands(
    useMemo(
      () =>
        mayEdit
          ? [
              {
                id: "capabilities import",
                group: "Capabilities",
                icon: "upload",
                label: "Add HTTP capabilities",
                keywords: ["OpenAPI", "import", "Swagger"],
                run: () => navigate("/capabilities/import"),
              } as const,
            ]
          : [],
      [mayEdit, navigate],
    ),
  );

  return (
    <div className="flex min-h-full flex-col">
      <TopBar
        breadcrumb={[{ label: session.workspace || "Planwright" }, { label: "Capabilities" }]}
        mode="capabilities"
        actions={
          mayEdit ? (
            <Button variant="primary" asChild>
              <Link href="/capabilities/import">
                <Icon name="plus" /> <span className="max-sm:sr-only">Add HTTP capabilities</span>
              </Link>
            </Button>
          ) : null
        }
      />
      <OfflineBanner />
      <main className="mx-auto w-full max-w-[1120px] flex-1 px-6 py-6 max-sm:px-3">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <h1 className="mr-auto text-page">Capabilities</h1>
          <Select
            label="Provider"
            quiet
            className="w-36"
            value={filter.provider}
            options={PROVIDERS}
            onValueChange={(provider) => change({ ...filter, provider })}
          />
          <Select
            label="Side effect"
            quiet
            className="w-40"
            value={filter.sideEffect}
            options={SIDE_EFFECTS}
            onValueChange={(sideEffect) => change({ ...filter, sideEffect })}
          />
          <Select
            label="Status"
            quiet
            className="w-40"
            value={filter.status}
            options={STATUSES}
            onValueChange={(status) => change({ ...filter, status })}
          />
          <SearchInput
            label="Find a capability"
            className="w-60 max-sm:w-full"
            value={filter.search}
            onChange={(event) => change({ ...filter, search: event.target.value })}
          />
        </div>
        <div className="box overflow-hidden">
          <Body
            all={list.data?.capabilities}
            shown={shown}
            error={list.error === null ? undefined : toApiError(list.error).message}
            onRetry={() => void list.refetch()}
            onClear={() => change(NO_FILTER)}
          />
        </div>
        <p className="mt-2 text-small text-fg-3">
          Figures are of calls in finished runs; in italics, what somebody estimated. A plan calls the newest version in
          use, or the one it names, and its run keeps that one.
        </p>
      </main>
    </div>
  );
}

interface BodyProps {
  readonly all: readonly CapabilityEntry[] | undefined;
  readonly shown: readonly CapabilityEntry[] | undefined;
  readonly error: string | undefined;
  readonly onRetry: () => void;
  readonly onClear: () => void;
}

function Body({ all, shown, error, onRetry, onClear }: BodyProps) {
  if (all === undefined || shown === undefined) {
    return error === undefined ? (
      <div className="py-2">
        <SkeletonRows rows={12} label="Loading capabilities" />
      </div>
    ) : (
      <ErrorNotice title="The capabilities did not load" action={<Button onClick={onRetry}>Try again</Button>}>
        {error}
      </ErrorNotice>
    );
  }
  return shown.length > 0 ? (
    <CapabilityTable capabilities={shown} />
  ) : (
    <EmptyState icon="search" title="No capability matches" action={<Button onClick={onClear}>Show all</Button>}>
      {all.length} are registered.
    </EmptyState>
  );
}

/** The filter, and how to change it together with the address. */
function useFilter(): readonly [CapabilityFilter, (filter: CapabilityFilter) => void] {
  const parameters = useSearchParams();
  const [filter, setFilter] = useState<CapabilityFilter>({
    search: parameters.get("q") ?? "",
    provider: parameters.get("provider") ?? ANY,
    sideEffect: parameters.get("effect") ?? ANY,
    status: parameters.get("status") ?? ANY,
  });
  const change = (next: CapabilityFilter): void => {
    setFilter(next);
    const query = new URLSearchParams();
    if (next.search.trim() !== "") query.set("q", next.search.trim());
    if (next.provider !== ANY) query.set("provider", next.provider);
    if (next.sideEffect !== ANY) query.set("effect", next.sideEffect);
    if (next.status !== ANY) query.set("status", next.status);
    window.history.replaceState(null, "", query.size === 0 ? "/capabilities" : `/capabilities?${query}`);
  };
  return [filter, change];
}
