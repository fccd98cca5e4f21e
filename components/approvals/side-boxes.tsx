import type { ReactNode } from "react";
import type { GateCard } from "#kernel/view/inbox";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { Icon } from "../ui/icon";
import { RelativeTime } from "../ui/relative-time";
import type { GateSummary } from "./inbox-list";

export interface SideBoxesProps {
  readonly card: GateCard;
  readonly gate: GateSummary;
  readonly me: { readonly id: string; readonly roles: readonly string[] } | undefined;
}

const LOST_REPLY: Readonly<Record<NonNullable<GateCard["capability"]>["idempotency"], string>> = {
  natural: "Repeating it changes nothing more",
  key: "Repeated with the same key, so it counts once",
  status_lookup: "Looked up by key, never run twice",
  none: "Outcome unknown: a person decides, it is not repeated",
};

/** Why it is asked, who signs, what was decided before. */
export const SideBoxes = ({ card, gate, me }: SideBoxesProps) => (
  <div className="grid gap-3">
    <WhyBox card={card} />
    <SignersBox card={card} gate={gate} me={me} />
    <EarlierBox card={card} />
  </div>
);

function WhyBox({ card }: { readonly card: GateCard }) {
  const { capability } = card;
  const effect = capability === undefined ? undefined : SIDE_EFFECT_ENCODING[capability.sideEffect];
  return (
    <Box title="Why you are asked">
      <dl className="grid grid-cols-[76px_minmax(0,1fr)] gap-x-2 gap-y-1.5 px-3.5 py-2.5 text-small leading-[18px]">
        <dt className="text-fg-3">Policy</dt>
        <dd>{card.reason}</dd>
        {effect === undefined || capability === undefined ? null : (
          <>
            <dt className="text-fg-3">Side effect</dt>
            <dd className={effect.tone === undefined ? "" : `tone-${effect.tone} text-tone`}>
              <Icon name={effect.icon} small className="mr-1 inline" />
              {effect.word}
              {capability.writes.length === 0 ? null : (
                <>
                  {" to "}
                  <code className="font-mono text-micro break-all">{capability.writes.join(", ")}</code>
                </>
              )}
            </dd>
            <dt className="text-fg-3">Undo</dt>
            <dd>
              {capability.sideEffect === "destructive" ? (
                <span className="tone-failed font-medium text-tone">No, it cannot be undone</span>
              ) : capability.sideEffect === "write" ? (
                "Can be changed back by another call"
              ) : (
                "Nothing to undo"
              )}
            </dd>
            <dt className="text-fg-3">Lost reply</dt>
            <dd>{LOST_REPLY[capability.idempotency]}</dd>
          </>
        )}
      </dl>
    </Box>
  );
}

function SignersBox({ card, gate, me }: SideBoxesProps) {
  const signatures = card.signed.filter((each) => each.decision === "approve").length;
  const missing = Math.max(0, card.quorum - signatures);
  return (
    <Box title="Who signs" aside={`${signatures} of ${card.quorum}`}>
      <ul className="py-1 text-small">
        {card.signed.map((each) => (
          <li
            key={each.by.id + each.at}
            className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 px-3.5 py-1.5"
          >
            <span
              className={
                each.decision === "approve"
                  ? "tone-succeeded text-tone"
                  : each.decision === "reject"
                    ? "tone-failed text-tone"
                    : "tone-changed text-tone"
              }
            >
              <Icon name={each.decision === "approve" ? "check" : each.decision === "reject" ? "cross" : "undo"} />
            </span>
            <span className="cut">
              {each.by.name}
              {each.by.id === me?.id ? <span className="text-fg-3"> you</span> : null}
            </span>
            <RelativeTime at={each.at} className="text-fg-3" />
          </li>
        ))}
        {card.status === "open" && missing > 0 ? (
          <li className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 px-3.5 py-1.5">
            <span className="tone-awaiting text-tone">
              <Icon name="hand" />
            </span>
            <span className="cut" title={card.people.join(", ")}>
              <span className="font-medium">
                {card.people.length > 0
                  ? card.people.join(", ")
                  : missing === 1
                    ? `any ${card.role}`
                    : `${missing} people as ${card.role}`}
              </span>
              {gate.mine.canDecide ? <span className="text-fg-3"> you</span> : null}
            </span>
            <span className="tone-awaiting font-medium text-tone">to sign</span>
          </li>
        ) : null}
        {card.excluded.map((each) => (
          <li
            key={each.id}
            className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 px-3.5 py-1.5 text-fg-3"
          >
            <Icon name="struck" />
            <span className="cut">
              {each.id === card.askedBy?.id ? card.askedBy.name : each.id}
              {each.id === me?.id ? " you" : ""}
            </span>
            <span className="cut max-w-40" title={`Four eyes: ${each.why}`}>
              {each.why}
            </span>
          </li>
        ))}
      </ul>
    </Box>
  );
}

function EarlierBox({ card }: { readonly card: GateCard }) {
  if (card.earlier.length === 0) return null;
  return (
    <Box title="Earlier decisions">
      <ul className="grid gap-2 px-3.5 py-2.5 text-small leading-[18px]">
        {card.earlier.map((each) => (
          <li key={each.by.id + each.at} className="flex items-start gap-2">
            <span
              className={
                each.decision === "approve"
                  ? "tone-succeeded text-tone"
                  : each.decision === "reject"
                    ? "tone-failed text-tone"
                    : "tone-changed text-tone"
              }
            >
              <Icon name={each.decision === "approve" ? "check" : each.decision === "reject" ? "cross" : "undo"} />
            </span>
            <span className="flex-1">
              {each.decision === "approve" ? "Approved" : each.decision === "reject" ? "Rejected" : "Sent back"} by{" "}
              {each.by.name}
              {each.reason === undefined ? "" : `: ${each.reason}`}
            </span>
            <RelativeTime at={each.at} className="text-fg-3" />
          </li>
        ))}
      </ul>
    </Box>
  );
}

interface BoxProps {
  readonly title: string;
  readonly aside?: string;
  readonly children: ReactNode;
}

const Box = ({ title, aside, children }: BoxProps) => (
  <section className="box overflow-hidden" aria-label={title}>
    <h2 className="flex h-9 items-center gap-2 border-b border-hairline px-3.5 text-body font-semibold">
      {title}
      {aside === undefined ? null : <span className="font-normal text-fg-3">{aside}</span>}
    </h2>
    {children}
  </section>
);
