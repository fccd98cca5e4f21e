import Link from "next/link";
import type { ReactNode } from "react";
import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { httpSettingsSchema } from "#kernel/capability/http-settings";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { formatSeconds } from "../ui/duration";
import { Tag } from "../ui/pill";
import { hrefOfCapability, IDEMPOTENCY_SENTENCE, plainWord } from "./capability-words";

/** Every field of the contract as a sentence or a list of words. */
export function ContractList({ capability }: { readonly capability: CapabilitySnapshot }) {
  const { sideEffect, idempotency, lookUp, polling, estimate, rateLimit, concurrency, costUsd } = capability;
  return (
    <dl className="grid grid-cols-[minmax(96px,160px)_minmax(0,1fr)] gap-x-4 gap-y-2 p-4 text-small">
      <HttpRows capability={capability} />
      <Row term="Side effect">{SIDE_EFFECT_ENCODING[sideEffect].meaning}.</Row>
      <Row term="Repeats">
        {IDEMPOTENCY_SENTENCE[idempotency]}
        {lookUp === undefined ? null : (
          <>
            {" "}
            It asks{" "}
            <Link href={hrefOfCapability(lookUp.capability.split("@", 1)[0] ?? "")} className="mono hover:underline">
              {lookUp.capability}
            </Link>
            .
          </>
        )}
      </Row>
      <Row term="Approval">
        {capability.approval === "always"
          ? "A gate stands before every call, whatever the plan says."
          : "None of its own; a plan may ask for one."}
      </Row>
      {capability.preconditions === undefined || capability.preconditions.length === 0 ? null : (
        <Row term="Asked first">
          <ul className="grid gap-1">
            {capability.preconditions.map((each) => (
              <li key={JSON.stringify(each)}>
                <Link href={hrefOfCapability(each.capability.split("@", 1)[0] ?? "")} className="mono hover:underline">
                  {each.capability}
                </Link>
                : {each.expect.pointer || "its answer"}{" "}
                {each.expect.values === undefined
                  ? "has to be there."
                  : `has to be ${each.expect.values.map((value) => JSON.stringify(value)).join(" or ")}.`}
              </li>
            ))}
          </ul>
        </Row>
      )}
      <Row term="Scopes">
        <Words words={capability.requires} none="None asked for." />
      </Row>
      <Row term="Reads">
        <Words words={capability.reads} none="Nothing declared." />
      </Row>
      <Row term="Writes">
        <Words words={capability.writes} none="Nothing declared." />
      </Row>
      <Row term="Time limit">{formatSeconds(capability.timeoutSeconds)} a call</Row>
      <Row term="Retried on">
        <Words words={capability.retryOn.map(plainWord)} none="Nothing: every failure is final." />
      </Row>
      <Row term="Rate limit">
        {rateLimit === undefined ? "None" : `${rateLimit.calls} calls in ${formatSeconds(rateLimit.perSeconds)}`}
      </Row>
      <Row term="At once">{concurrency === undefined ? "No limit" : `${concurrency} calls, over all runs`}</Row>
      {polling === undefined ? null : (
        <Row term="Polling">
          Up to {polling.maxPolls} calls within {formatSeconds(polling.deadlineSeconds)}
          {polling.done === undefined ? "." : `, until ${polling.done.pointer || "the output"} says that it is done.`}
        </Row>
      )}
      <Row term="Estimate">
        {formatSeconds(estimate.p50Seconds)} in the middle, {formatSeconds(estimate.p95Seconds)} at the 95th percentile
      </Row>
      <Row term="Cost">{costUsd === undefined ? "Nothing declared" : `$${costUsd} a call`}</Row>
      <Row term="Fingerprint">
        <span className="mono break-all text-fg-3">{capability.fingerprint}</span>
      </Row>
    </dl>
  );
}

function HttpRows({ capability }: { readonly capability: CapabilitySnapshot }) {
  const parsed = capability.provider === "http" ? httpSettingsSchema.safeParse(capability.settings) : undefined;
  if (!parsed?.success) return null;
  const { method, server, path, fixed, idempotencyKeyHeader, source } = parsed.data;
  return (
    <>
      <Row term="Request">
        <span className="mono break-all">
          {method} {server}
          {path}
        </span>
      </Row>
      <Row term="Carries">
        {fixed.length === 0 && idempotencyKeyHeader === undefined ? (
          "Nothing but the arguments."
        ) : (
          <span className="flex flex-wrap gap-1.5">
            {fixed.map((each) => (
              <Tag key={`${each.in} ${each.name}`} icon={typeof each.value === "string" ? "pen" : "key"}>
                {each.in} {each.name}
                {typeof each.value === "string" ? "" : ` from ${each.value.$secret}`}
              </Tag>
            ))}
            {idempotencyKeyHeader === undefined ? null : <Tag icon="link">key in {idempotencyKeyHeader}</Tag>}
          </span>
        )}
      </Row>
      {source === undefined ? null : (
        <Row term="From">
          {source.operation} of {source.title} {source.version}
        </Row>
      )}
    </>
  );
}

const Row = ({ term, children }: { readonly term: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-fg-3">{term}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);

const Words = ({ words, none }: { readonly words: readonly string[]; readonly none: string }) =>
  words.length === 0 ? (
    <span className="text-fg-3">{none}</span>
  ) : (
    <span className="flex flex-wrap gap-1.5">
      {words.map((word) => (
        <Tag key={word} className="max-w-full">
          <span className="cut" title={word}>
            {word}
          </span>
        </Tag>
      ))}
    </span>
  );
