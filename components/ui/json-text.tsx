import { classNames } from "./class-names";

/** Longer texts are cut on the screen; the whole value is a copy away. */
const CHARACTERS_MAX = 20_000;

/** A value on one line: what stands in a row of arguments. */
export const inlineJson = (value: unknown): string => JSON.stringify(value) ?? "null";

/** A value as text, never as markup: outputs come from outside. */
export function JsonText({ value, className }: { readonly value: unknown; readonly className?: string }) {
  const text = JSON.stringify(value, null, 2) ?? "null";
  const cut = text.length > CHARACTERS_MAX;
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
      tabIndex={0}
      className={classNames(
        "max-h-80 overflow-auto rounded-control bg-sunken px-2.5 py-2 font-mono text-micro break-words whitespace-pre-wrap text-fg-2",
        className,
      )}
    >
      {cut ? `${text.slice(0, CHARACTERS_MAX)}\n… ${text.length - CHARACTERS_MAX} more characters` : text}
    </pre>
  );
}
