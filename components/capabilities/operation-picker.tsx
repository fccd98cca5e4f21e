"use client";

import { useMemo, useState } from "react";
import { Button } from "../ui/button";
import { Field, SearchInput, TextInput } from "../ui/input";
import type { ImportChoice, Operation, OperationChoice, Reading } from "./import-data";
import { OperationRow } from "./operation-row";
import { SchemeSecrets } from "./scheme-secrets";

export interface OperationPickerProps {
  readonly reading: Reading;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onBack: () => void;
  readonly onImport: (choice: ImportChoice) => void;
}

/** Rows drawn at once; the search narrows down the rest. */
const ROWS_MAX = 200;

/** A document's operations to pick from, with what all of them share: server, prefix, secrets. */
export function OperationPicker({ reading, isBusy, error, onBack, onImport }: OperationPickerProps) {
  const [search, setSearch] = useState("");
  const [picked, setPicked] = useState<ReadonlyMap<string, OperationChoice>>(new Map());
  const [server, setServer] = useState(
    reading.servers.find(({ refusal }) => refusal === undefined)?.url ?? reading.servers[0]?.url ?? "",
  );
  const [prefix, setPrefix] = useState(reading.prefix);
  const [secrets, setSecrets] = useState<ReadonlyMap<string, string>>(new Map());

  const found = useMemo(() => matching(reading.operations, search), [reading.operations, search]);
  const used = useMemo(
    () => new Set(reading.operations.filter(({ id }) => picked.has(id)).flatMap(({ schemes }) => schemes)),
    [reading.operations, picked],
  );
  const askable = useMemo(
    () =>
      new Map(
        reading.operations
          .filter(({ sideEffect }) => sideEffect === "read" || sideEffect === "none")
          .map((operation) => [picked.get(operation.id)?.name ?? `${prefix.trim()}.${operation.name}`, operation]),
      ),
    [reading.operations, picked, prefix],
  );
  const unanswered = [...picked.values()].filter(isUnanswered).length;
  const refusal = reading.servers.find(({ url }) => url === server)?.refusal;
  const change = (id: string, choice: OperationChoice | undefined) => {
    const next = new Map(picked);
    if (choice === undefined) next.delete(id);
    else next.set(id, choice);
    setPicked(next);
  };
  const pickAll = () => {
    const next = new Map(picked);
    for (const { id } of found.slice(0, ROWS_MAX)) if (!next.has(id)) next.set(id, { id });
    setPicked(next);
  };
  const submit = () =>
    onImport({
      text: reading.text,
      ...(reading.url === undefined ? {} : { url: reading.url }),
      server: server.trim(),
      prefix: prefix.trim(),
      secrets: [...secrets].filter(([scheme]) => used.has(scheme)).map(([scheme, secret]) => ({ scheme, secret })),
      operations: [...picked.values()],
    });

  return (
    <div className="flex flex-col gap-5">
      <div className="box p-4">
        <div className="mb-3 flex flex-wrap items-baseline gap-x-3">
          <h2 className="text-title">{reading.title}</h2>
          <span className="text-small text-fg-3">
            version {reading.version || "unknown"} · OpenAPI {reading.openapi}
          </span>
          <span className="flex-1" />
          <Button size="small" onClick={onBack}>
            Another document
          </Button>
        </div>
        <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-4 max-sm:grid-cols-1">
          <Field
            label="Server that is called"
            required
            {...(refusal === undefined ? {} : { error: `Calls are refused as it is. ${refusal}` })}
          >
            {(control) => (
              <TextInput
                {...control}
                list="servers"
                type="url"
                placeholder="https://api.example.com/v1"
                value={server}
                onChange={(event) => setServer(event.target.value)}
              />
            )}
          </Field>
          <datalist id="servers">
            {reading.servers.map(({ url }) => (
              <option key={url} value={url} />
            ))}
          </datalist>
          <Field label="Names begin with" note={`${prefix || "…"}.listOrders`} required>
            {(control) => (
              <TextInput
                {...control}
                maxLength={40}
                value={prefix}
                onChange={(event) => setPrefix(event.target.value)}
              />
            )}
          </Field>
        </div>
        <SchemeSecrets
          schemes={reading.schemes.filter(({ name }) => used.has(name))}
          chosen={secrets}
          onChoose={(scheme, secret) => {
            const next = new Map(secrets);
            if (secret === undefined) next.delete(scheme);
            else next.set(scheme, secret);
            setSecrets(next);
          }}
        />
      </div>

      <section>
        <div className="mb-2 flex flex-wrap items-center gap-2">
          <h2 className="mr-auto text-lead font-semibold">
            {reading.operations.length === 1 ? "1 operation" : `${reading.operations.length} operations`}
          </h2>
          <Button size="small" onClick={pickAll} disabled={found.length === 0}>
            Pick {search.trim() === "" ? "all" : "these"}
          </Button>
          <Button size="small" onClick={() => setPicked(new Map())} disabled={picked.size === 0}>
            Pick none
          </Button>
          <SearchInput
            label="Find an operation"
            className="w-64 max-sm:w-full"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className="box overflow-hidden">
          {found.length === 0 ? (
            <p className="p-6 text-center text-small text-fg-3">
              {reading.operations.length === 0
                ? "None of its operations can be carried: see why below."
                : "No operation matches."}
            </p>
          ) : (
            <ul aria-label="Operations" className="divide-y divide-hairline">
              {found.slice(0, ROWS_MAX).map((operation) => (
                <OperationRow
                  key={operation.id}
                  operation={operation}
                  choice={picked.get(operation.id)}
                  prefix={prefix}
                  askable={askable}
                  onChange={change}
                />
              ))}
            </ul>
          )}
          {found.length > ROWS_MAX ? (
            <p className="border-t border-hairline p-2 text-center text-small text-fg-3">
              {found.length - ROWS_MAX} more: search to find them.
            </p>
          ) : null}
        </div>
      </section>

      {reading.refused.length === 0 ? null : (
        <details className="box" open={reading.operations.length === 0}>
          <summary className="cursor-pointer px-4 py-3 text-small">
            <strong>{reading.refused.length === 1 ? "1 operation" : `${reading.refused.length} operations`}</strong>{" "}
            cannot be carried
          </summary>
          <ul
            aria-label="Operations that cannot be carried"
            className="divide-y divide-hairline border-t border-hairline text-small"
          >
            {reading.refused.map(({ id, summary, reason }) => (
              <li key={id} className="px-4 py-2">
                <span className="mono break-all">{id}</span>{" "}
                {summary === "" ? null : <span className="text-fg-3">{summary}</span>}
                <p className="tone-unknown text-tone">{reason}</p>
              </li>
            ))}
          </ul>
        </details>
      )}

      <div className="sticky bottom-0 z-1 -mx-1 flex flex-wrap items-center gap-3 border-t border-hairline bg-canvas px-1 py-3">
        {error === undefined ? (
          <span className="text-small text-fg-3">
            {picked.size === 0
              ? "Pick the operations that plans may call."
              : unanswered > 0
                ? "Say how a lost answer is looked up, where that was chosen."
                : `${picked.size} picked`}
          </span>
        ) : (
          <span role="alert" className="tone-failed text-small text-tone">
            {error}
          </span>
        )}
        <span className="flex-1" />
        <Button
          variant="primary"
          onClick={submit}
          disabled={isBusy || picked.size === 0 || unanswered > 0 || server.trim() === "" || prefix.trim() === ""}
        >
          {isBusy ? "Adding…" : picked.size === 1 ? "Add 1 capability" : `Add ${picked.size} capabilities`}
        </Button>
      </div>
    </div>
  );
}

/** A lost answer is to be looked up, and it is not said how. */
const isUnanswered = ({ idempotency, lookUp }: OperationChoice): boolean =>
  idempotency === "status_lookup" && lookUp === undefined;

/** Operations in whose words all the typed ones occur. */
function matching(operations: readonly Operation[], search: string): readonly Operation[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return operations;
  return operations.filter(({ id, name, summary, description, tags }) => {
    const text = `${id} ${name} ${summary} ${description} ${tags.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
