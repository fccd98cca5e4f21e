"use client";

import type { KeyboardEvent } from "react";

export interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onValueChange: (value: Value) => void;
  readonly className?: string;
}

/** A choice among two to four short words, all of them visible. Arrow keys move the choice, as in any radio group. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onValueChange,
  className,
}: SegmentedProps<Value>) {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = options.findIndex((option) => option.value === value);
    const index = (at + step + options.length) % options.length;
    const next = options[index];
    if (next === undefined) return;
    onValueChange(next.value);
    const button = event.currentTarget.children[index];
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <div role="radiogroup" aria-label={label} className={`segmented ${className ?? ""}`} onKeyDown={move}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot be drawn as a joined segment
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onValueChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
