import Link from "next/link";
import type { ApiOutputs } from "../trpc-client/context";
import { formatSeconds } from "../ui/duration";
import { Tag } from "../ui/pill";
import { Table, Td, Th } from "../ui/table";
import { formatShare, hrefOfCapability, PROVIDER_WORD } from "./capability-words";
import { SideEffectWord } from "./side-effect-word";

export type CapabilityEntry = ApiOutputs["capabilities"]["overview"]["capabilities"][number];

export const CapabilityTable = ({ capabilities }: { readonly capabilities: readonly CapabilityEntry[] }) => (
  <Table aria-label="Capabilities">
    <thead>
      <tr>
        <Th>Capability</Th>
        <Th className="max-sm:hidden">Provider</Th>
        <Th className="max-sm:hidden">Side effect</Th>
        <Th numeric className="max-lg:hidden">
          Versions
        </Th>
        <Th numeric className="max-md:hidden">
          p50
        </Th>
        <Th numeric className="max-md:hidden">
          p95
        </Th>
        <Th numeric>Calls</Th>
        <Th numeric className="max-md:hidden">
          Failed
        </Th>
        <Th>Status</Th>
      </tr>
    </thead>
    <tbody>
      {capabilities.map((capability) => (
        <CapabilityRow key={capability.name} capability={capability} />
      ))}
    </tbody>
  </Table>
);

/** The link covers the whole row, so that one target serves mouse, keyboard and screen reader. */
const CapabilityRow = ({ capability }: { readonly capability: CapabilityEntry }) => {
  const { name, title, provider, sideEffect, version, versions, history, estimate, server } = capability;
  const measured = history?.p50Seconds !== undefined;
  return (
    <tr className="relative" data-clickable="true">
      <Td className="h-12! w-full max-w-0">
        <Link
          href={hrefOfCapability(name)}
          className="cut block text-body font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-bd"
          title={name}
        >
          <span className="mono">{name}</span>
        </Link>
        <div className="cut text-fg-3" title={server === undefined ? title : `${title} · ${server}`}>
          {title}
          {server === undefined ? null : ` · ${server.replace(/^https?:\/\//, "")}`}
        </div>
      </Td>
      <Td className="whitespace-nowrap text-fg-2 max-sm:hidden">{PROVIDER_WORD[provider]}</Td>
      <Td className="whitespace-nowrap max-sm:hidden">
        <SideEffectWord sideEffect={sideEffect} />
      </Td>
      <Td numeric className="max-lg:hidden" title={`Version ${version} answers for the bare name`}>
        {versions}
      </Td>
      <Duration seconds={history?.p50Seconds ?? estimate.p50Seconds} measured={measured} />
      <Duration seconds={history?.p95Seconds ?? estimate.p95Seconds} measured={measured} />
      <Td numeric>{(history?.calls ?? 0).toLocaleString("en")}</Td>
      <Td numeric className="max-md:hidden">
        {formatShare(history?.failed ?? 0, history?.calls ?? 0)}
      </Td>
      <Td>
        <StatusWord status={capability.status} />
      </Td>
    </tr>
  );
};

/** Measured durations are plain; those that somebody estimated are quiet and say so. */
const Duration = ({ seconds, measured }: { readonly seconds: number; readonly measured: boolean }) => (
  <Td
    numeric
    className={`max-md:hidden ${measured ? "" : "text-fg-3 italic"}`}
    title={measured ? "Of successful calls in earlier runs" : "Estimated: no call has succeeded yet"}
  >
    {formatSeconds(seconds)}
  </Td>
);

export function StatusWord({ status }: { readonly status: CapabilityEntry["status"] }) {
  if (status === "retired") return <Tag tone="cancelled">retired</Tag>;
  if (status === "built_in") return <span className="whitespace-nowrap text-fg-3">built in</span>;
  return (
    <span className="tone-succeeded whitespace-nowrap text-tone" title="Plans may call it">
      in use
    </span>
  );
}
