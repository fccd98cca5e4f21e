import type { HoldType } from "#kernel/run/status";
import { classNames } from "../ui/class-names";
import { Icon } from "../ui/icon";
import { Pill } from "../ui/pill";
import { type DisplayStatus, HOLD_ENCODING, RUN_ENCODING, type RunDisplay, STATUS_ENCODING } from "./encoding";

/** For a header: once on a screen. */
export function StatusPill({ status }: { readonly status: DisplayStatus }) {
  const { tone, icon, word, meaning, pattern, strike } = STATUS_ENCODING[status];
  return (
    <Pill tone={tone} icon={icon} title={meaning} {...(pattern ? { pattern } : {})} {...(strike ? { strike } : {})}>
      {word}
    </Pill>
  );
}

/** On a phone the word is left to the title and to screen readers: there the name of the run needs the room. */
export function RunPill({ display }: { readonly display: RunDisplay }) {
  const { tone, icon, word, meaning, strike } = RUN_ENCODING[display];
  return (
    <Pill tone={tone} icon={icon} title={meaning} {...(strike ? { strike } : {})}>
      <span className="max-sm:sr-only">{word}</span>
    </Pill>
  );
}

interface WordProps {
  /** Leaves the word to a screen reader where a column already says it. */
  readonly iconOnly?: boolean;
  readonly className?: string;
}

/** For rows: icon and coloured word, no pill. */
export const StatusWord = ({ status, ...rest }: WordProps & { readonly status: DisplayStatus }) => (
  <Word encoding={STATUS_ENCODING[status]} {...rest} />
);

export const RunWord = ({ display, ...rest }: WordProps & { readonly display: RunDisplay }) => (
  <Word encoding={RUN_ENCODING[display]} {...rest} />
);

function Word({ encoding, iconOnly, className }: WordProps & { readonly encoding: (typeof RUN_ENCODING)[RunDisplay] }) {
  return (
    <span
      className={classNames(`tone-${encoding.tone} inline-flex min-w-0 items-center gap-1.5 text-tone`, className)}
      title={encoding.meaning}
    >
      <Icon name={encoding.icon} {...(iconOnly ? { label: encoding.word } : {})} />
      {iconOnly ? null : (
        <span className="cut font-medium" data-strike={encoding.strike}>
          {encoding.word}
        </span>
      )}
    </span>
  );
}

export interface HoldChipProps {
  readonly hold: HoldType;
  /** What it waits on or for how long: "14 s", "held by flag-off", "2 of 2". */
  readonly detail?: string;
}

/** Dashed, because a hold can lift. */
export function HoldChip({ hold, detail }: HoldChipProps) {
  const { tone, icon, word } = HOLD_ENCODING[hold];
  return (
    <span className={`hold tone-${tone}`}>
      <Icon name={icon} small />
      {detail === undefined ? word : `${word}, ${detail}`}
    </span>
  );
}
