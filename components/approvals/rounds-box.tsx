import Link from "next/link";
import type { EarlierRound, GateCard } from "#kernel/view/inbox";
import { Icon } from "../ui/icon";
import { RelativeTime } from "../ui/relative-time";
import { DecisionLine } from "./decision-line";
import { SideBox } from "./side-box";

const ENDS: Readonly<Record<EarlierRound["status"], string>> = {
  open: "still open",
  approved: "approved",
  used: "approved and used",
  rejected: "rejected",
  sent_back: "sent back",
  expired: "ran out",
  superseded: "superseded",
  revoked: "taken back",
};

/** The rounds of this request before this one: an approver sees what others saw, decided and changed. */
export function RoundsBox({ card }: { readonly card: GateCard }) {
  if (card.rounds.length === 0) return null;
  return (
    <SideBox title="Earlier rounds" aside={`this is round ${card.rounds.length + 1}`}>
      <ol className="grid text-small leading-[18px]">
        {card.rounds.map((round, index) => (
          <li key={round.gateId} className="grid gap-1.5 border-b border-hairline px-3.5 py-2.5 last:border-b-0">
            <Link
              href={`/approvals?gate=${encodeURIComponent(round.gateId)}`}
              prefetch={false}
              className="flex items-baseline gap-2 text-fg-3 hover:text-fg"
            >
              <span className="flex-1">
                Round {card.rounds.length - index}, {ENDS[round.status]}
              </span>
              <RelativeTime at={round.openedAt} />
            </Link>
            {round.decisions.map((decision) => (
              <DecisionLine key={decision.by.id + decision.at} decision={decision} />
            ))}
            {round.revoked === undefined ? null : (
              <span className="flex items-start gap-2">
                <span className="tone-changed text-tone">
                  <Icon name="undo" />
                </span>
                <span className="min-w-0 flex-1 break-words">
                  Taken back by {round.revoked.by.name}
                  {round.revoked.reason === undefined ? "" : `: ${round.revoked.reason}`}
                </span>
                <RelativeTime at={round.revoked.at} className="whitespace-nowrap text-fg-3" />
              </span>
            )}
          </li>
        ))}
      </ol>
    </SideBox>
  );
}
