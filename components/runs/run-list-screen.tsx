"use client";

import { useSearchParams } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { SearchInput } from "../ui/input";
import { RunListBody } from "./run-list-body";
import { isRunFilter, RUN_FILTERS, type RunFilterId, useRunList } from "./use-run-list";

/** The runs of the workspace, newest first. `replay` opens them at their recording instead of live. */
export function RunListScreen({ mode }: { readonly mode: "live" | "replay" }) {
  const query = useSearchParams();
  const { session } = useShell();
  const [search, setSearch] = useState(query.get("q") ?? "");
  const asked = query.get("show") ?? "all";
  const [filter, setFilter] = useState<RunFilterId>(isRunFilter(asked) ? asked : "all");
  const [planId, setPlanId] = useState(query.get("plan") ?? undefined);
  const words = useDeferredValue(search.trim());
  const list = useRunList({ search: words, filter, ...(planId === undefined ? {} : { planId }) });
  const base = mode === "live" ? "/runs" : "/replay";

  const keep = (next: { search?: string; filter?: RunFilterId; planId?: string | undefined }) => {
    const place = new URLSearchParams();
    const text = (next.search ?? search).trim();
    const show = next.filter ?? filter;
    const plan = "planId" in next ? next.planId : planId;
    if (text !== "") place.set("q", text);
    if (show !== "all") place.set("show", show);
    if (plan !== undefined) place.set("plan", plan);
    window.history.replaceState(null, "", place.size === 0 ? base : `${base}?${place}`);
  };

  return (
    <div className="flex min-h-full flex-col">
      <TopBar
        breadcrumb={[{ label: session.workspace || "Planwright" }, { label: mode === "live" ? "Runs" : "Replay" }]}
        mode={mode === "live" ? "runs" : "replay"}
      />
      <OfflineBanner />
      <main className="mx-auto w-full max-w-[1120px] flex-1 px-6 py-6 max-sm:px-3">
        <div className="mb-3 flex flex-wrap items-center gap-3">
          <h1 className="text-page">{mode === "live" ? "Runs" : "Replay a run"}</h1>
          <SearchInput
            label="Find a run"
            className="ml-auto w-64 max-sm:w-40"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              keep({ search: event.target.value });
            }}
          />
        </div>
        <fieldset className="mb-3 flex flex-wrap gap-1.5" aria-label="Status">
          {RUN_FILTERS.map((each) => (
            <Button
              key={each.id}
              size="small"
              variant="bare"
              aria-pressed={filter === each.id}
              onClick={() => {
                setFilter(each.id);
                keep({ filter: each.id });
              }}
            >
              {each.label}
            </Button>
          ))}
          {planId === undefined ? null : (
            <Button
              size="small"
              onClick={() => {
                setPlanId(undefined);
                keep({ planId: undefined });
              }}
            >
              One plan only <Icon name="cross" small />
            </Button>
          )}
        </fieldset>
        <RunListBody
          list={list}
          base={base}
          filtered={words !== "" || filter !== "all" || planId !== undefined}
          onClear={() => {
            setSearch("");
            setFilter("all");
            setPlanId(undefined);
            keep({ search: "", filter: "all", planId: undefined });
          }}
        />
      </main>
    </div>
  );
}
