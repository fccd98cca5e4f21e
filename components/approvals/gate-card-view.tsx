"use client";

import Link from "next/link";
import { formatCost, formatDuration } from "#kernel/view/format";
import type { GateCard } from "#kernel/view/inbox";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { formatRelative } from "../ui/duration";
import { Pill } from "../ui/pill";
import { ArgumentsBox } from "./arguments-box";
import { AroundBox } from "./around-box";
import { ConsequencesBox } from "./consequences-box";
import { dayAndTime, isUrgent } from "./deadline";
import { DecisionBar } from "./decision-bar";
import type { GateCardViewProps } from "./gate-card-props";
import { RevisionBox } from "./revision-box";
import { SideBoxes } from "./side-boxes";

/** One gate on one page, in reading order: what, until when, with which arguments, what follows. */
export function GateCardView(props: GateCardViewProps) {
  const { card, gate, now } = props;
  const version = card.planVersionNumber === undefined ? "" : `, plan v${card.planVersionNumber}`;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-4 max-md:px-3.5">
        <StateBanner card={card} now={now} />
        <div className="flex flex-wrap items-center gap-2.5">
          <h1 className="text-page tracking-tight">{card.title}</h1>
          <StatusPill card={card} now={now} />
        </div>
        <p className="text-small leading-[18px] text-fg-2">
          {card.proposal !== undefined
            ? "Gate before a change of the plan in "
            : card.taskId === undefined
              ? "Gate before the plan starts in "
              : card.question === undefined
                ? "Gate before a task in "
                : "A question in "}
          <Link
            href={`/runs/${card.runId}`}
            className="font-medium underline decoration-hairline underline-offset-2 hover:decoration-current"
          >
            {card.runName}
          </Link>
          {version} r{card.revision}. {card.askedBy === undefined ? "Asked" : `Asked by ${card.askedBy.name}`}{" "}
          {formatRelative(card.openedAt, now)}.
        </p>
        <Facts card={card} now={now} />
        <div className="mt-3 grid grid-cols-[minmax(0,1fr)_320px] items-start gap-4 max-xl:grid-cols-1">
          <div className="grid gap-3">
            {card.question === undefined ? null : (
              <section className="box p-3.5" aria-label="Question">
                <h2 className="mb-1 text-body font-semibold">The question</h2>
                <p className="text-body whitespace-pre-wrap">{card.question.text}</p>
              </section>
            )}
            {card.proposal === undefined ? null : <RevisionBox proposal={card.proposal} hash={card.argumentsHash} />}
            {card.taskId === undefined || (card.question !== undefined && card.reconciles !== true) ? null : (
              <ArgumentsBox card={card} />
            )}
            {card.consequences === undefined ? null : (
              <ConsequencesBox card={card} consequences={card.consequences} now={now} />
            )}
            {card.around.tasks.length < 2 ? null : <AroundBox card={card} />}
          </div>
          <SideBoxes card={card} gate={gate} me={props.me} />
        </div>
      </div>
      <DecisionBar key={`${card.gateId} ${card.status}`} {...props} />
    </div>
  );
}

function StatusPill({ card, now }: { readonly card: GateCard; readonly now: number }) {
  switch (card.status) {
    case "open":
      return now >= card.decideBy ? (
        <Pill tone="cancelled" icon="clock">
          time is over
        </Pill>
      ) : (
        <Pill tone="awaiting" icon="hand">
          {card.question === undefined ? "awaiting approval" : "awaiting an answer"}
        </Pill>
      );
    case "approved":
    case "used":
      return (
        <Pill tone="succeeded" icon="check">
          {card.question === undefined ? "approved" : "answered"}
        </Pill>
      );
    case "rejected":
      return (
        <Pill tone="failed" icon="cross">
          rejected
        </Pill>
      );
    case "sent_back":
      return (
        <Pill tone="changed" icon="undo">
          sent back
        </Pill>
      );
    case "expired":
      return (
        <Pill tone="cancelled" icon="clock">
          expired
        </Pill>
      );
    case "superseded":
      return (
        <Pill tone="cancelled" icon="struck">
          superseded
        </Pill>
      );
    case "revoked":
      return (
        <Pill tone="changed" icon="undo">
          taken back
        </Pill>
      );
  }
}

/** Why nothing can be decided here any more, and where to go instead. */
function StateBanner({ card, now }: { readonly card: GateCard; readonly now: number }) {
  const text = closedText(card, now);
  if (text === undefined) return null;
  return (
    <Banner
      tone={card.status === "used" || card.status === "approved" ? "succeeded" : "unknown"}
      icon={card.status === "used" || card.status === "approved" ? "check" : "clock"}
      className="mb-3 rounded-box border"
      action={
        card.supersededBy === undefined ? undefined : (
          <Button size="small" asChild>
            <Link href={`/approvals?gate=${encodeURIComponent(card.supersededBy)}`} prefetch={false}>
              Open the new one
            </Link>
          </Button>
        )
      }
    >
      {text}
    </Banner>
  );
}

function closedText(card: GateCard, now: number): string | undefined {
  const last = card.signed.at(-1);
  const when = card.closedAt === undefined ? "" : ` ${formatRelative(card.closedAt, now)}`;
  switch (card.status) {
    case "open":
      return now >= card.decideBy ? "The time to decide is over. What stood behind this gate does not run." : undefined;
    case "approved":
    case "used":
      return `${card.question === undefined ? "Approved" : "Answered"} by ${last?.by.name ?? "somebody"}${when}. Nothing is left to decide.`;
    case "rejected":
      return `Rejected by ${last?.by.name ?? "somebody"}${when}${last?.reason === undefined ? "." : `: ${last.reason}`}`;
    case "sent_back":
      return `Sent back with edited arguments by ${last?.by.name ?? "somebody"}${when}. A new gate asks about those.`;
    case "expired":
      return `Nobody decided in time${when}. What stood behind this gate does not run.`;
    case "revoked":
      return `${card.revoked?.by.name ?? "Somebody"} took an approval back${when}${card.revoked?.reason === undefined ? "." : `: ${card.revoked.reason}`} The same request is asked anew, and every signature with it.`;
    case "superseded":
      return `The plan was revised${when}, so this request no longer stands. A new gate opens where one is still needed.`;
  }
}

function Facts({ card, now }: { readonly card: GateCard; readonly now: number }) {
  const open = card.status === "open";
  const urgent = open && isUrgent(card.decideBy, now);
  const left = card.decideBy - now;
  return (
    <dl className="box mt-3 grid grid-cols-4 gap-4 px-3.5 py-3 max-md:grid-cols-2">
      <Fact
        label="Decide by"
        value={`${dayAndTime(card.decideBy, now)}${open && left > 0 ? `, in ${formatDuration(left)}` : ""}`}
        note="no answer: it does not run"
        {...(urgent ? { tone: "failed" } : {})}
      />
      <Fact
        label="Then start by"
        value={
          card.executeBy === undefined
            ? formatDuration(card.executeWithinSeconds * 1_000)
            : dayAndTime(card.executeBy, now)
        }
        note="after the decision"
      />
      <Fact
        label="Cost so far"
        value={formatCost(card.costSoFarUsd)}
        {...(card.costLimitUsd === undefined ? {} : { aside: ` of ${formatCost(card.costLimitUsd)}` })}
        note={
          card.costNextUsd === undefined ? "this task is not priced" : `this task about ${formatCost(card.costNextUsd)}`
        }
      />
      <SlackFact card={card} now={now} />
    </dl>
  );
}

function SlackFact({ card, now }: { readonly card: GateCard; readonly now: number }) {
  if (card.deadlineAt === undefined || card.slackMs === undefined) {
    return <Fact label="Waiting costs" value="no deadline" note="the run waits as long as it takes" />;
  }
  if (card.status !== "open")
    return <Fact label="Deadline of the run" value={dayAndTime(card.deadlineAt, now)} note="" />;
  return card.slackMs >= 0 ? (
    <Fact
      label="Waiting costs"
      value={`${formatDuration(card.slackMs)} slack left`}
      note={`then the run misses ${dayAndTime(card.deadlineAt, now)}`}
    />
  ) : (
    <Fact
      label="Waiting costs"
      value={`${formatDuration(-card.slackMs)} late already`}
      note={`the deadline is ${dayAndTime(card.deadlineAt, now)}`}
      tone="failed"
    />
  );
}

interface FactProps {
  readonly label: string;
  readonly value: string;
  readonly aside?: string;
  readonly note: string;
  readonly tone?: string;
}

const Fact = ({ label, value, aside, note, tone }: FactProps) => (
  <div className="min-w-0">
    <dt className="text-micro text-fg-3">{label}</dt>
    <dd>
      <b className={classNames("block text-lead font-semibold", tone !== undefined && `tone-${tone} text-tone`)}>
        {value}
        {aside === undefined ? null : <span className="text-small font-semibold text-fg-3">{aside}</span>}
      </b>
      <span className="block text-micro text-fg-3">{note}</span>
    </dd>
  </div>
);
