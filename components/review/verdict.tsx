import type { ReviewVerdict } from "#kernel/view/review/answer";
import { Icon, type IconName } from "../ui/icon";
import { Pill, type Tone } from "../ui/pill";

/** How a verdict is said and drawn; word and icon carry it without the colour. */
export const VERDICTS: Readonly<
  Record<ReviewVerdict, { readonly word: string; readonly tone: Tone; readonly icon: IconName }>
> = {
  yes: { word: "Yes", tone: "succeeded", icon: "check" },
  partly: { word: "Partly", tone: "unknown", icon: "warning" },
  no: { word: "No", tone: "failed", icon: "cross" },
  not_measured: { word: "Not measured", tone: "neutral", icon: "question" },
};

export const VerdictPill = ({ verdict }: { readonly verdict: ReviewVerdict }) => {
  const { word, tone, icon } = VERDICTS[verdict];
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  );
};

/** For lists, where the word stands elsewhere. */
export const VerdictIcon = ({ verdict }: { readonly verdict: ReviewVerdict }) => {
  const { word, tone, icon } = VERDICTS[verdict];
  return (
    <span className={`tone-${tone} text-tone`}>
      <Icon name={icon} label={word} />
    </span>
  );
};
