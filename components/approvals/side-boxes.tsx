import type { GateCard } from "#kernel/view/inbox";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { Icon } from "../ui/icon";
import type { GateDetail } from "./gate-card-props";
import { RoundsBox } from "./rounds-box";
import { SideBox } from "./side-box";
import { SignersBox } from "./signers-box";

export interface SideBoxesProps {
  readonly card: GateCard;
  readonly gate: GateDetail;
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
    <RoundsBox card={card} />
  </div>
);

function WhyBox({ card }: { readonly card: GateCard }) {
  const { capability } = card;
  const effect = capability === undefined ? undefined : SIDE_EFFECT_ENCODING[capability.sideEffect];
  return (
    <SideBox title="Why you are asked">
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
            {capability.scopes.length === 0 ? null : (
              <>
                <dt className="text-fg-3">Needs</dt>
                <dd>
                  <code className="font-mono text-micro break-all">{capability.scopes.join(", ")}</code>
                </dd>
              </>
            )}
            <dt className="text-fg-3">Lost reply</dt>
            <dd>{LOST_REPLY[capability.idempotency]}</dd>
          </>
        )}
      </dl>
    </SideBox>
  );
}
