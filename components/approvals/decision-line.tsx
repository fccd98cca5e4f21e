import type { EarlierDecision } from "#kernel/view/inbox";
import { Icon, type IconName } from "../ui/icon";
import { RelativeTime } from "../ui/relative-time";

interface Look {
  readonly tone: string;
  readonly icon: IconName;
  readonly word: string;
}

const LOOKS: Readonly<Record<EarlierDecision["decision"], Look>> = {
  approve: { tone: "succeeded", icon: "check", word: "Approved" },
  reject: { tone: "failed", icon: "cross", word: "Rejected" },
  send_back: { tone: "changed", icon: "undo", word: "Sent back" },
};

/** One decision in a sentence: what, by whom, for whom, why, when. */
export function DecisionLine({ decision }: { readonly decision: EarlierDecision }) {
  const look = LOOKS[decision.decision];
  return (
    <span className="flex items-start gap-2">
      <span className={`tone-${look.tone} text-tone`}>
        <Icon name={look.icon} />
      </span>
      <span className="min-w-0 flex-1 break-words">
        {look.word} by {decision.by.name}
        {decision.onBehalfOf === undefined ? "" : ` for ${decision.onBehalfOf.name}`}
        {decision.reason === undefined ? "" : `: ${decision.reason}`}
      </span>
      <RelativeTime at={decision.at} className="whitespace-nowrap text-fg-3" />
    </span>
  );
}
