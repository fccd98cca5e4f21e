"use client";

import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./kbd";

/** One per page: tooltips that follow each other quickly open without the delay. */
export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={300}>
    {children}
  </Radix.Provider>
);

export interface TooltipProps {
  readonly content: ReactNode;
  readonly shortcut?: string;
  readonly side?: "top" | "right" | "bottom" | "left";
  /** One element that takes a ref and props. */
  readonly children: ReactNode;
}

export function Tooltip({ content, shortcut, side = "bottom", children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {content}
          {shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
