"use client";

import Link from "next/link";
import { Fragment, useState } from "react";
import type { ApiOutputs } from "../trpc-client/context";
import { IconButton } from "../ui/button";
import { Tag } from "../ui/pill";
import { RelativeTime } from "../ui/relative-time";
import { Table, Td, Th } from "../ui/table";
import { actionWords } from "./audit-words";

type Entry = ApiOutputs["audit"]["list"]["entries"][number];

/** Entries newest first; each opens to its detail and its hash. */
export function AuditTable({ entries }: { readonly entries: readonly Entry[] }) {
  const [openNumber, setOpenNumber] = useState<number>();
  return (
    <div className="overflow-x-auto">
      <Table aria-label="Audit">
        <thead>
          <tr>
            <Th numeric>No.</Th>
            <Th>When</Th>
            <Th>Who</Th>
            <Th>What</Th>
            <Th>
              <span className="sr-only">Detail</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => {
            const isOpen = entry.number === openNumber;
            return (
              <Fragment key={entry.number}>
                <tr>
                  <Td numeric className="h-9! text-fg-3">
                    {entry.number}
                  </Td>
                  <Td className="whitespace-nowrap text-fg-2">
                    <RelativeTime at={entry.at} />
                  </Td>
                  <Td className="whitespace-nowrap">
                    <span className="font-medium">{entry.actorName ?? entry.actorId}</span>
                    {entry.via === "api_key" ? <Tag className="ml-1.5">key</Tag> : null}
                    {entry.actorKind === "system" ? <Tag className="ml-1.5">system</Tag> : null}
                  </Td>
                  <Td className="w-full max-w-0 min-w-48">
                    <span className="cut block">
                      {actionWords(entry.action)} <Subject entry={entry} />
                    </span>
                  </Td>
                  <Td>
                    <IconButton
                      icon={isOpen ? "up" : "down"}
                      size="small"
                      label={`Detail of entry ${entry.number}`}
                      aria-expanded={isOpen}
                      onClick={() => setOpenNumber(isOpen ? undefined : entry.number)}
                    />
                  </Td>
                </tr>
                {isOpen ? (
                  <tr>
                    <td colSpan={5} className="bg-sunken">
                      <Detail entry={entry} />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

function Subject({ entry }: { readonly entry: Entry }) {
  const name = entry.subjectName ?? (entry.redacted ? "(redacted)" : entry.subjectId);
  if (entry.subjectKind === "session" || entry.subjectId === entry.actorId) return null;
  if (entry.subjectKind === "run") {
    return (
      <Link
        href={`/replay/${encodeURIComponent(entry.subjectId)}`}
        className="font-medium hover:underline"
        title={name}
      >
        {name}
      </Link>
    );
  }
  return (
    <span className="font-medium" title={name}>
      {name}
    </span>
  );
}

const Detail = ({ entry }: { readonly entry: Entry }) => (
  <dl className="mono grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 px-2 py-2 text-micro">
    <Term name="at">{new Date(entry.at).toISOString()}</Term>
    <Term name="action">{entry.action}</Term>
    <Term name="actor">{`${entry.actorKind} ${entry.actorId}`}</Term>
    <Term name="subject">{`${entry.subjectKind} ${entry.subjectId}`}</Term>
    {entry.redacted ? <Term name="payload">redacted</Term> : null}
    {Object.entries(entry.detail ?? {}).map(([name, value]) => (
      <Term key={name} name={name}>
        {typeof value === "string" ? value : JSON.stringify(value)}
      </Term>
    ))}
    <Term name="hash">{entry.hash}</Term>
  </dl>
);

const Term = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <>
    <dt className="text-fg-3">{name}</dt>
    <dd className="min-w-0 break-all">{children}</dd>
  </>
);
