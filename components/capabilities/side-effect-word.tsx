import type { SideEffect } from "#kernel/capability/capability";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { Icon } from "../ui/icon";

/** A side effect as everywhere: icon, word, and a colour where it matters. */
export function SideEffectWord({ sideEffect }: { readonly sideEffect: SideEffect }) {
  const { icon, word, tone } = SIDE_EFFECT_ENCODING[sideEffect];
  return (
    <span className={`inline-flex items-center gap-1.5 ${tone === undefined ? "text-fg-2" : `tone-${tone} text-tone`}`}>
      <Icon name={icon} small />
      {word}
    </span>
  );
}
