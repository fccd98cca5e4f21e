import Link from "next/link";
import type { ReactNode } from "react";
import { Banner } from "../ui/banner";
import { JsonText } from "../ui/json-text";
import { Tag } from "../ui/pill";
import { RelativeTime } from "../ui/relative-time";
import type { CapabilityViewProps } from "./capability-view-props";
import { PROVIDER_WORD } from "./capability-words";
import { ContractList } from "./contract-list";
import { HistoryBox } from "./history-box";
import { SchemaFields } from "./schema-fields";
import { SideEffectWord } from "./side-effect-word";
import { VersionList } from "./version-list";

/** The contract of a capability in readable form, and what is known of it. Descriptions come from outside: text only. */
export function CapabilityView({ detail, version, mayEdit, onShow, onRetire, onEnable }: CapabilityViewProps) {
  const { capability, retired } = version;
  return (
    <>
      <div className="mb-4">
        <div className="mb-1 flex flex-wrap items-center gap-2">
          <h1 className="mono min-w-0 text-page break-words">{capability.name}</h1>
          <Tag>v{capability.version}</Tag>
          {capability.version === detail.current ? <Tag title="A bare name means this version">current</Tag> : null}
          <Tag>{PROVIDER_WORD[capability.provider]}</Tag>
          <SideEffectWord sideEffect={capability.sideEffect} />
        </div>
        <p className="text-lead font-medium">{capability.title}</p>
        <p className="max-w-prose text-small whitespace-pre-line text-fg-2">{capability.description}</p>
      </div>
      {retired === undefined ? null : (
        <Banner tone="cancelled" icon="struck" className="mb-4 rounded-control border">
          Retired by {retired.by.name} <RelativeTime at={retired.at} />
          {retired.reason === undefined ? "." : `: ${retired.reason}`} No plan finds this version, and no call of it is
          made.
        </Banner>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_320px] items-start gap-6 max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-6">
          <Section title="Contract">
            <ContractList capability={capability} />
          </Section>
          <Section title="Arguments">
            <SchemaFields schema={capability.inputSchema} empty="It takes no arguments." />
          </Section>
          <Section title="Output">
            <SchemaFields schema={capability.outputSchema} empty="Any value." />
          </Section>
          {capability.settings === undefined ? null : (
            <Section title="Settings of the provider" hint="Secrets stand here by name alone.">
              <div className="p-3">
                <JsonText value={capability.settings} />
              </div>
            </Section>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Section title="History" hint="Calls in finished runs, all versions.">
            <HistoryBox history={detail.history} />
          </Section>
          <Section title="Plans that call it">
            <Plans plans={detail.plans} />
          </Section>
          <Section title="Versions">
            <VersionList
              detail={detail}
              shown={version}
              mayEdit={mayEdit}
              onShow={onShow}
              onRetire={onRetire}
              onEnable={onEnable}
            />
          </Section>
        </div>
      </div>
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

const Section = ({ title, hint, children }: SectionProps) => (
  <section className="min-w-0">
    <div className="mb-2 flex items-baseline gap-2">
      <h2 className="text-lead font-semibold">{title}</h2>
      {hint === undefined ? null : <span className="text-small text-fg-3">{hint}</span>}
    </div>
    <div className="box overflow-hidden">{children}</div>
  </section>
);

const Plans = ({ plans }: { readonly plans: CapabilityViewProps["detail"]["plans"] }) =>
  plans.length === 0 ? (
    <p className="p-3 text-small text-fg-3">None, in their newest versions.</p>
  ) : (
    <ul className="max-h-64 overflow-auto py-1 text-small">
      {plans.map(({ id, name, tasks }) => (
        <li key={id} className="flex gap-2 px-3 py-1">
          <Link href={`/plans/${id}`} className="cut min-w-0 flex-1 hover:underline" title={name}>
            {name}
          </Link>
          <span className="flex-none text-fg-3">{tasks === 1 ? "1 task" : `${tasks} tasks`}</span>
        </li>
      ))}
    </ul>
  );
