"use client";

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState, useSyncExternalStore } from "react";
import { classNames } from "./class-names";

export interface ResizablePanelProps {
  /** Names the handle: "Inspector width". */
  readonly label: string;
  /** The edge that is dragged. */
  readonly edge: "left" | "right" | "top";
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  /** Remembers the size in this browser under the key. */
  readonly storageKey?: string;
  /** Makes the panel, handle included, a landmark of that name. */
  readonly landmark?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

const KEYBOARD_STEP = 16;

/** A docked panel whose size is dragged, or moved with the arrow keys; a double click puts it back. */
export function ResizablePanel({
  label,
  edge,
  initial,
  min,
  max,
  storageKey,
  landmark,
  className,
  children,
}: ResizablePanelProps) {
  const [chosen, setChosen] = useState<number>();
  // The server cannot know what this browser remembers: it draws the initial size, hydration then corrects it.
  const remembered = useSyncExternalStore(
    noSubscription,
    () => stored(storageKey) ?? initial,
    () => initial,
  );
  const size = chosen ?? remembered;
  const drag = useRef<{ at: number; size: number } | null>(null);
  const vertical = edge === "top";
  const outwards = edge === "right" ? 1 : -1;

  const resize = (wanted: number) => {
    const next = Math.round(Math.min(max, Math.max(min, wanted)));
    setChosen(next);
    if (storageKey !== undefined) localStorage.setItem(storageKey, String(next));
  };
  const place = (event: PointerEvent) => (vertical ? event.clientY : event.clientX);
  const onKeyDown = (event: KeyboardEvent) => {
    const keys = vertical
      ? ["ArrowUp", "ArrowDown"]
      : outwards > 0
        ? ["ArrowRight", "ArrowLeft"]
        : ["ArrowLeft", "ArrowRight"];
    if (event.key === keys[0]) resize(size + KEYBOARD_STEP);
    else if (event.key === keys[1]) resize(size - KEYBOARD_STEP);
    else if (event.key === "Home") resize(min);
    else if (event.key === "End") resize(max);
    else return;
    event.preventDefault();
  };

  const Element = landmark === undefined ? "div" : "aside";
  return (
    <Element
      aria-label={landmark}
      className={classNames("relative min-h-0 min-w-0", className)}
      style={vertical ? { height: size } : { width: size }}
    >
      {children}
      {/* biome-ignore lint/a11y/useSemanticElements: a focusable separator is the pattern for a splitter; hr cannot hold a value */}
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={vertical ? "horizontal" : "vertical"}
        aria-valuenow={size}
        aria-valuemin={min}
        aria-valuemax={max}
        className={classNames(
          "absolute z-10 touch-none hover:bg-accent-bd/40 focus-visible:bg-accent-bd/60",
          edge === "top" && "-top-0.5 right-0 left-0 h-1 cursor-row-resize",
          edge === "left" && "top-0 bottom-0 -left-0.5 w-1 cursor-col-resize",
          edge === "right" && "top-0 -right-0.5 bottom-0 w-1 cursor-col-resize",
        )}
        onKeyDown={onKeyDown}
        onDoubleClick={() => resize(initial)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { at: place(event), size };
        }}
        onPointerMove={(event) => {
          if (drag.current !== null) resize(drag.current.size + outwards * (place(event) - drag.current.at));
        }}
        onPointerUp={() => {
          drag.current = null;
        }}
      />
    </Element>
  );
}

const noSubscription = () => () => {};

function stored(key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  const size = Number(localStorage.getItem(key) ?? Number.NaN);
  return Number.isFinite(size) ? size : undefined;
}
