import type { ReactNode } from "react";
import type { GateCard } from "#kernel/view/inbox";
import { Icon, type IconName } from "../ui/icon";
import { RelativeTime, useNow } from "../ui/relative-time";
import { dayAndTime } from "./deadline";
import type { GateDetail } from "./gate-card-props";
import { SideBox } from "./side-box";

export interface SignersBoxProps {
  readonly card: GateCard;
  readonly gate: GateDetail;
  readonly me: { readonly id: string } | undefined;
}

/** Names shown before “and 7 more”. */
const NAMES_SHOWN = 6;

/** Who has signed, who still can and for whom, who cannot and why, and who can once nobody has for long. */
export function SignersBox({ card, gate, me }: SignersBoxProps) {
  const signed = card.signed.filter((each) => each.decision === "approve").length;
  const missing = Math.max(0, card.quorum - signed);
  return (
    <SideBox title="Who signs" aside={`${signed} of ${card.quorum}`}>
      <ul className="py-1 text-small">
        {card.signed.map((each) => (
          <Line
            key={each.by.id + each.at}
            tone={each.decision === "approve" ? "succeeded" : each.decision === "reject" ? "failed" : "changed"}
            icon={each.decision === "approve" ? "check" : each.decision === "reject" ? "cross" : "undo"}
            aside={<RelativeTime at={each.at} className="text-fg-3" />}
          >
            {each.by.name}
            {each.onBehalfOf === undefined ? null : <span className="text-fg-3"> for {each.onBehalfOf.name}</span>}
            {each.by.id === me?.id ? <span className="text-fg-3"> you</span> : null}
          </Line>
        ))}
        {card.status === "open" && missing > 0 ? <Wanted card={card} gate={gate} me={me} missing={missing} /> : null}
        {card.excluded.map((each) => (
          <Line
            key={each.id}
            icon="struck"
            muted
            aside={
              <span className="cut max-w-40" title={`Four eyes: ${each.why}`}>
                {each.why}
              </span>
            }
          >
            {each.id === card.askedBy?.id ? card.askedBy.name : each.id}
            {each.id === me?.id ? " you" : ""}
          </Line>
        ))}
      </ul>
      <Escalation card={card} />
    </SideBox>
  );
}

function Wanted({ card, gate, me, missing }: SignersBoxProps & { readonly missing: number }) {
  const shown = gate.signers.slice(0, NAMES_SHOWN);
  const more = gate.signers.length - shown.length + gate.moreSigners;
  return (
    <>
      <Line
        tone="awaiting"
        icon="hand"
        aside={<span className="tone-awaiting font-medium text-tone">to sign</span>}
        title={card.people.join(", ")}
      >
        <span className="font-medium">
          {card.people.length > 0
            ? missing === 1
              ? "one of those named"
              : `${missing} of those named`
            : missing === 1
              ? `any ${card.role}`
              : `${missing} people as ${card.role}`}
        </span>
      </Line>
      {gate.signers.length < missing ? (
        <p className="tone-conflict mx-3.5 my-1 text-micro text-tone">
          {gate.signers.length === 0
            ? "Nobody in the workspace can sign this now. It runs out unless somebody gets the role or stands in."
            : `Only ${gate.signers.length} of the ${missing} people it still takes can sign now.`}
        </p>
      ) : null}
      {shown.map((signer) => (
        <Line key={signer.id} icon="circle" muted aside={null}>
          {signer.name}
          {signer.onBehalfOf === undefined ? "" : ` for ${signer.onBehalfOf.name}`}
          {signer.id === me?.id ? " you" : ""}
        </Line>
      ))}
      {more > 0 ? <p className="px-3.5 py-1 pl-[38px] text-fg-3">and {more} more</p> : null}
    </>
  );
}

function Escalation({ card }: { readonly card: GateCard }) {
  const now = useNow();
  const { escalation } = card;
  if (escalation === undefined || card.status !== "open") return null;
  const who =
    escalation.people.length > 0 ? escalation.people.join(", ") : `anybody with the role ${escalation.role ?? ""}`;
  return (
    <p className="border-t border-hairline px-3.5 py-2 text-micro text-fg-3">
      {escalation.active
        ? `Escalated: ${who} may sign as well.`
        : now === 0
          ? `Later ${who} may sign as well.`
          : `From ${dayAndTime(escalation.at, now)} on ${who} may sign as well.`}
    </p>
  );
}

interface LineProps {
  readonly icon: IconName;
  readonly tone?: string;
  readonly muted?: boolean;
  readonly title?: string;
  readonly aside: ReactNode;
  readonly children: ReactNode;
}

const Line = ({ icon, tone, muted, title, aside, children }: LineProps) => (
  <li
    className={`grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-2 px-3.5 py-1.5 ${muted ? "text-fg-3" : ""}`}
  >
    <span className={tone === undefined ? "" : `tone-${tone} text-tone`}>
      <Icon name={icon} />
    </span>
    <span className="cut" title={title}>
      {children}
    </span>
    {aside}
  </li>
);
