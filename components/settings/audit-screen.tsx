"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Field, TextInput } from "../ui/input";
import { Select } from "../ui/select";
import { SkeletonRows } from "../ui/skeleton";
import { AuditTable } from "./audit-table";
import { AuditVerdict } from "./audit-verdict";
import { actionWords } from "./audit-words";
import { SettingsBox, SettingsPage } from "./settings-page";

const ANY = "*";

interface Filter {
  readonly actorId?: string;
  readonly action?: string;
  readonly subjectId?: string;
  /** `2026-11-30`, in the reader's own time zone. */
  readonly from?: string;
  readonly to?: string;
}

const DAY_MS = 86_400_000;
const startOf = (day: string): number => new Date(`${day}T00:00:00`).getTime();

/** The record of what people and the server did: filtered, verified, taken along. */
export function AuditScreen() {
  const trpc = useTRPC();
  const [filter, setFilter] = useState<Filter>({});
  const { actorId, action, subjectId, from, to } = filter;
  const facets = useQuery(trpc.audit.facets.queryOptions()).data;
  const verdict = useQuery(trpc.audit.verify.queryOptions(undefined, { enabled: false, gcTime: 0 }));
  const list = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      {
        limit: 100,
        ...(actorId && { actorId }),
        ...(action && { action }),
        ...(subjectId && { subjectId }),
        ...(from && { since: startOf(from) }),
        ...(to && { until: startOf(to) + DAY_MS }),
      },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const entries = list.data?.pages.flatMap((page) => page.entries);
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== "");
  const choose = (change: { [Key in keyof Filter]?: string | undefined }) =>
    setFilter((before) => {
      const after: Record<string, string> = {};
      for (const [key, value] of Object.entries({ ...before, ...change })) if (value) after[key] = value;
      return after;
    });

  return (
    <SettingsPage
      title="Audit"
      intro="Each entry holds the hash of the one before it. Verifying computes every hash anew, and compares the log of every finished run with the digest taken when it finished."
      actions={
        <>
          <Button asChild>
            <a href="/api/audit/head.json" download>
              Export the head
            </a>
          </Button>
          <Button asChild>
            <a href="/api/audit/entries.jsonl" download>
              Export all
            </a>
          </Button>
          <Button variant="primary" disabled={verdict.isFetching} onClick={() => void verdict.refetch()}>
            {verdict.isFetching ? "Verifying…" : "Verify"}
          </Button>
        </>
      }
    >
      {verdict.error !== null ? (
        <ErrorNotice title="The audit could not be verified">{toApiError(verdict.error).message}</ErrorNotice>
      ) : verdict.data === undefined ? null : (
        <AuditVerdict verdict={verdict.data} />
      )}
      <div>
        <fieldset className="mb-3 grid grid-cols-5 gap-2 max-lg:grid-cols-2" aria-label="Filters">
          <Field label="Who">
            {({ id }) => (
              <Select
                id={id}
                value={actorId ?? ANY}
                options={[
                  { value: ANY, label: "Anybody" },
                  ...(facets?.actors ?? []).map(({ id: value, name }) => ({ value, label: name })),
                ]}
                onValueChange={(value) => choose({ actorId: value === ANY ? undefined : value })}
              />
            )}
          </Field>
          <Field label="What">
            {({ id }) => (
              <Select
                id={id}
                value={action ?? ANY}
                options={[
                  { value: ANY, label: "Anything" },
                  ...(facets?.actions ?? []).map((value) => ({ value, label: actionWords(value), hint: value })),
                ]}
                onValueChange={(value) => choose({ action: value === ANY ? undefined : value })}
              />
            )}
          </Field>
          <Field label="On (id)">
            {(control) => (
              <TextInput
                {...control}
                value={subjectId ?? ""}
                placeholder="run, person, key…"
                onChange={(event) => choose({ subjectId: event.target.value.trim() })}
              />
            )}
          </Field>
          <Field label="From">
            {(control) => (
              <TextInput
                {...control}
                type="date"
                value={from ?? ""}
                onChange={(event) => choose({ from: event.target.value })}
              />
            )}
          </Field>
          <Field label="To">
            {(control) => (
              <TextInput
                {...control}
                type="date"
                value={to ?? ""}
                onChange={(event) => choose({ to: event.target.value })}
              />
            )}
          </Field>
        </fieldset>
        <SettingsBox>
          {list.error !== null ? (
            <ErrorNotice
              title="The audit did not load"
              action={<Button onClick={() => list.refetch()}>Try again</Button>}
            >
              {toApiError(list.error).message}
            </ErrorNotice>
          ) : entries === undefined ? (
            <SkeletonRows rows={10} label="Loading the audit" />
          ) : entries.length === 0 ? (
            <EmptyState
              icon="shield"
              title={isFiltered ? "No entry fits" : "Nothing has been recorded yet"}
              action={isFiltered ? <Button onClick={() => setFilter({})}>Show everything</Button> : null}
            />
          ) : (
            <AuditTable entries={entries} />
          )}
        </SettingsBox>
        {list.hasNextPage ? (
          <div className="mt-3 flex justify-center">
            <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {list.isFetchingNextPage ? "Loading…" : "Older entries"}
            </Button>
          </div>
        ) : null}
      </div>
    </SettingsPage>
  );
}
